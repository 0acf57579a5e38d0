import {
  type ChangeEvent,
  compareKeys,
  EventLog,
  type Page,
  type Revision,
  StorageUnavailable,
  type Stored,
} from '@tributary/storage';
import { Contents, type Entry } from './contents.ts';
import { isInRange, type KeyRange } from './key-order.ts';
import type { ProjectionLimits } from './limits.ts';
import type { Projector } from './projector.ts';
import { Sleepers } from './sleepers.ts';

interface MirrorParts<Item> {
  readonly projector: Projector<Item>;
  readonly limits: ProjectionLimits;
  /** Receives items that cannot be projected. */
  readonly report: (problem: Error) => void;
}

/**
 * The projection of a source in its last known state, with recent changes. Each change of an item becomes changes of
 * objects: an item that becomes part of the projection is created, one that leaves it is deleted, one that gets another
 * name is deleted and created.
 */
export class Mirror<Item> {
  readonly sleepers = new Sleepers();
  readonly #parts: MirrorParts<Item>;
  /** Changes after the compacted revision. */
  readonly #history = new EventLog();
  #contents = new Contents<Item>();
  #revision = 0 as Revision;
  #compacted = 0 as Revision;

  constructor(parts: MirrorParts<Item>) {
    this.#parts = parts;
  }

  get revision(): Revision {
    return this.#revision;
  }

  get compacted(): Revision {
    return this.#compacted;
  }

  get size(): number {
    return this.#contents.size;
  }

  get valueBytes(): number {
    return this.#contents.valueBytes;
  }

  entry(key: string): Entry<Item> | undefined {
    return this.#contents.get(key);
  }

  entryById(id: string): Entry<Item> | undefined {
    return this.#contents.byId(id);
  }

  ids(): readonly string[] {
    return this.#contents.ids();
  }

  /** The key of an item's object, even when it is not in the mirror. */
  keyOf(item: Item): string | undefined {
    try {
      return this.#parts.projector.project(item)?.key;
    } catch {
      return undefined; // reported when the source lists it or reports its change
    }
  }

  /** Adds an item to contents that are not yet visible; see `reset`. */
  load(contents: Contents<Item>, item: Item, revision: Revision): void {
    this.#change(contents, { id: this.#parts.projector.idOf(item), item, revision });
  }

  /** Replaces the contents: earlier changes are compacted. */
  reset(contents: Contents<Item>, revision: Revision): void {
    this.#contents = contents;
    this.#revision = revision;
    this.#forget(revision);
    this.sleepers.wake();
  }

  /** The revision is used only if the projection changes. */
  put(item: Item, revision: Revision): void {
    this.#record({ id: this.#parts.projector.idOf(item), item, revision });
  }

  delete(id: string, revision: Revision): void {
    this.#record({ id, item: undefined, revision });
  }

  /** Every change of the projection up to this revision is in the mirror. */
  advance(revision: Revision): void {
    if (revision <= this.#revision) return;
    this.#revision = revision;
    this.sleepers.wake();
  }

  /** Whole revisions, about `max` changes. */
  changesAfter(revision: Revision, max?: number): readonly ChangeEvent[] {
    return this.#history.after(revision, max);
  }

  count(prefix: string): number {
    return this.#contents.order.count({ prefix });
  }

  /** A page at a revision from the compacted one up to the current one. */
  page(range: KeyRange, { revision, limit }: { revision: Revision; limit: number }): Page {
    const held = this.#heldAt(revision, range);
    const present = this.#contents.order.first(range, limit + held.size);
    const keys = present.filter((key) => !held.has(key));
    const items = keys.map((key) => this.#contents.get(key)?.stored as Stored);
    const before = [...held.values()].filter((stored) => stored !== undefined);
    if (before.length > 0) items.push(...before);
    if (before.length > 0) items.sort((a, b) => compareKeys(a.key, b.key));
    const changed = [...held.keys()].filter((key) => this.#contents.get(key) !== undefined);
    const all = this.#contents.order.count(range) - changed.length + before.length;
    const taken = items.slice(0, limit);
    return { revision, items: taken, remaining: all - taken.length };
  }

  compact(revision: Revision): void {
    if (revision > this.#compacted) this.#forget(revision);
    this.sleepers.wake();
  }

  /** The state at a revision of keys that changed since, from the first change of each. */
  #heldAt(revision: Revision, range: KeyRange): Map<string, Stored | undefined> {
    const held = new Map<string, Stored | undefined>();
    if (revision === this.#revision) return held;
    for (const { key, previous } of this.#history.after(revision)) {
      if (!held.has(key) && isInRange(key, range)) held.set(key, previous);
    }
    return held;
  }

  #record(change: ItemChange<Item>): void {
    const events = this.#change(this.#contents, change);
    if (events.length === 0) return;
    for (const event of events) this.#history.append(event);
    this.#revision = change.revision;
    this.#bound();
    this.sleepers.wake();
  }

  #change(contents: Contents<Item>, { id, item, revision }: ItemChange<Item>): ChangeEvent[] {
    const before = contents.byId(id);
    const projected = item === undefined ? undefined : this.#projected(contents, id, item);
    if (before === undefined && projected !== undefined) this.#assertFits(contents);
    const events: ChangeEvent[] = [];
    if (before !== undefined && before.stored.key !== projected?.key) {
      contents.delete(before);
      const { stored: previous } = before;
      events.push({ kind: 'delete', key: previous.key, revision, previous });
    }
    if (item !== undefined && projected !== undefined) {
      const { key, value } = projected;
      const previous = contents.get(key)?.stored;
      contents.set({ id, item, stored: { key, value, revision } });
      events.push({ kind: 'put', key, revision, value, previous });
    }
    return events;
  }

  /** An item that cannot be projected must not hide the others: it is reported and skipped. */
  #projected(contents: Contents<Item>, id: string, item: Item) {
    try {
      const projected = this.#parts.projector.project(item);
      const owner = projected && contents.get(projected.key)?.id;
      if (owner === undefined || owner === id) return projected;
      throw new Error(`two items are ${projected?.key}: ${owner}, which is shown, and ${id}`);
    } catch (cause) {
      this.#parts.report(new Error(`the item ${id} cannot be projected`, { cause }));
      return undefined;
    }
  }

  #assertFits({ size }: Contents<Item>): void {
    const { objectsMax } = this.#parts.limits;
    if (size < objectsMax) return;
    throw new StorageUnavailable(`a projection holds at most ${objectsMax} objects`);
  }

  #bound(): void {
    const { historyEventsMax, historyBytesMax } = this.#parts.limits;
    const history = this.#history;
    while (history.length > historyEventsMax || history.valueBytes > historyBytesMax) {
      this.#forget(history.oldest?.revision as Revision);
    }
  }

  #forget(revision: Revision): void {
    this.#compacted = revision;
    this.#history.removeUpTo(revision);
  }
}

/** Without an item, a deletion. */
interface ItemChange<Item> {
  readonly id: string;
  readonly item: Item | undefined;
  readonly revision: Revision;
}
