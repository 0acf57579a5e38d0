import type { Revision } from '@tributary/storage';
import type { ObjectContext, ResourceObject } from './cached-object.ts';
import { ChangeRecord } from './change-record.ts';
import { Turn } from './event-loop.ts';
import { EventWindow, type EventWindowLimits } from './event-window.ts';
import { FieldIndex } from './field-index.ts';
import { type KeyWindow, ObjectIndex } from './object-index.ts';
import type { Selection } from './selection.ts';
import type { CachedList } from './types.ts';
import { Watchers } from './watchers.ts';

/** The part of a selection that one page covers; paths are relative to the resource's prefix. */
interface PageRequest {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
}

/** A page with selectors scans this many objects before it copies the rest of its window. */
const SCAN_FIRST = 1000;

/** The number of objects between two checks of the clock. */
const SCAN_STEP = 64;

type CachedPage = Omit<CachedList, 'revision' | 'contentRevision'>;

/** All objects of one resource as of the feed's progress, with their indexes and recent changes. */
export class ResourceState {
  readonly context: ObjectContext;
  readonly watchers: Watchers;
  readonly window: EventWindow;
  readonly #objects = new Map<string, ResourceObject>();
  readonly #index = new ObjectIndex<ResourceObject>();
  readonly #fields: FieldIndex;
  /** The list of all objects, cached until the next change: informers of many clients start alike. */
  #everything: readonly ResourceObject[] | undefined;
  /** The objects that were not yet offered to the slabs for moving. */
  #untidy: Iterator<ResourceObject> | undefined;
  #objectBytes = 0;
  #lastChange = 0 as Revision;

  constructor(context: ObjectContext, limits: EventWindowLimits) {
    const { prefix, indexed = [] } = context.resource;
    this.context = context;
    this.#fields = new FieldIndex(indexed);
    this.watchers = new Watchers(prefix, this.#fields);
    this.window = new EventWindow(limits);
  }

  get size(): number {
    return this.#objects.size;
  }

  get bytes(): number {
    return this.#objectBytes + this.window.bytes;
  }

  /** The objects have been the same since this revision. */
  get lastChange(): Revision {
    return this.#lastChange;
  }

  get(key: string): ResourceObject | undefined {
    return this.#objects.get(key);
  }

  /** Adds an object without a history record, while the cache is filled. */
  load(object: ResourceObject): void {
    const previous = this.#objects.get(object.key);
    this.#replace(previous, object);
    previous?.release();
  }

  unload(key: string): void {
    const previous = this.#objects.get(key);
    this.#replace(previous, undefined);
    previous?.release();
  }

  /** One step of moving objects out of sparse slabs. */
  tidy(): void {
    const { slabs } = this.context;
    if (slabs === undefined) return;
    if (this.#untidy === undefined && slabs.isSparse) this.#untidy = this.#objects.values();
    if (this.#untidy === undefined) return;
    const turn = new Turn();
    for (let looked = 1; looked % SCAN_STEP !== 0 || !turn.isOver; looked += 1) {
      const next = this.#untidy.next();
      if (next.done) {
        this.#untidy = undefined;
        slabs.tidied();
        return;
      }
      next.value.tidy();
    }
  }

  /** Loaded objects are as of this revision; later changes are recorded. */
  beginAt(revision: Revision): void {
    this.#lastChange = revision;
    this.window.beginAt(revision);
  }

  change(
    key: string,
    change: { revision: Revision; atMs: number; current: ResourceObject | undefined },
  ): ChangeRecord {
    const previous = this.#objects.get(key);
    this.#replace(previous, change.current);
    this.#lastChange = change.revision;
    const record = new ChangeRecord({ ...change, previous });
    this.window.push(record);
    return record;
  }

  /** All objects that a selection covers, not filtered, in key order; a copy that later changes do not affect. */
  covered(selection: Selection): readonly ResourceObject[] {
    if (selection.isExact) return this.#named(selection);
    if (selection.path === '' && selection.where === undefined) {
      this.#everything ??= this.#index.slice({ prefix: '' });
      return this.#everything;
    }
    return this.#indexFor(selection).slice({ prefix: selection.keyPrefix });
  }

  /** A page, true at the moment of the call. Long scans yield to the event loop, over a copy that was taken before. */
  async page(selection: Selection, { limit, after }: PageRequest): Promise<CachedPage> {
    if (selection.isExact) return lastPage(await filtered(this.#named(selection), selection));
    if (limit === undefined && after === undefined) {
      return lastPage(await filtered(this.covered(selection), selection));
    }
    const window = { prefix: selection.keyPrefix, after: this.#key(after) };
    if (selection.isSelective) return this.#selectivePage(selection, window, limit);
    const items = this.#index.slice(window, limit);
    const last = items.at(-1)?.key ?? window.after;
    const remaining = this.#index.count({ prefix: window.prefix, after: last });
    return { items, remaining, next: remaining > 0 ? this.#path(last) : undefined };
  }

  /** Scans a small part first, because often the page is full before its end; then a copy of the rest. */
  async #selectivePage(
    selection: Selection,
    window: KeyWindow,
    limit = Number.POSITIVE_INFINITY,
  ): Promise<CachedPage> {
    const index = this.#indexFor(selection);
    const first = index.slice(window, SCAN_FIRST);
    const items: ResourceObject[] = [];
    for (const object of first) {
      if (!selection.selects(object)) continue;
      items.push(object);
      if (items.length < limit) continue;
      // As upstream, the next page finds out whether any later object is selected.
      const more = index.count({ prefix: window.prefix, after: object.key }) > 0;
      return { items, remaining: undefined, next: more ? this.#path(object.key) : undefined };
    }
    if (first.length < SCAN_FIRST) return lastPage(items);
    const rest = index.slice({ prefix: window.prefix, after: first.at(-1)?.key });
    const scanned = await select(rest, selection, { into: items, limit });
    const next = scanned < rest.length ? this.#path(items.at(-1)?.key) : undefined;
    return { items, remaining: undefined, next };
  }

  #indexFor({ where }: Selection): ObjectIndex<ResourceObject> {
    return (where && this.#fields.find(where)) ?? this.#index;
  }

  #named({ keyPrefix }: Selection): ResourceObject[] {
    const object = this.#objects.get(keyPrefix);
    return object === undefined ? [] : [object];
  }

  #key(path: string | undefined): string | undefined {
    return path === undefined ? undefined : this.context.resource.prefix + path;
  }

  #path(key: string | undefined): string | undefined {
    return key?.slice(this.context.resource.prefix.length);
  }

  #replace(previous: ResourceObject | undefined, current: ResourceObject | undefined): void {
    this.#everything = undefined;
    this.#objectBytes += (current?.size ?? 0) - (previous?.size ?? 0);
    if (previous !== undefined) this.#fields.remove(previous);
    if (current !== undefined) {
      this.#objects.set(current.key, current);
      this.#index.set(current);
      this.#fields.add(current);
    } else if (previous !== undefined) {
      this.#objects.delete(previous.key);
      this.#index.delete(previous.key);
    }
  }
}

function lastPage(items: readonly ResourceObject[]): CachedPage {
  return { items, next: undefined, remaining: undefined };
}

async function filtered(
  objects: readonly ResourceObject[],
  selection: Selection,
): Promise<readonly ResourceObject[]> {
  if (!selection.isSelective) return objects;
  const into: ResourceObject[] = [];
  await select(objects, selection, { into, limit: Number.POSITIVE_INFINITY });
  return into;
}

/** Returns the number of objects that were scanned until `into` was full. */
async function select(
  objects: readonly ResourceObject[],
  selection: Selection,
  { into, limit }: { into: ResourceObject[]; limit: number },
): Promise<number> {
  const turn = new Turn();
  for (const [index, object] of objects.entries()) {
    if (index % SCAN_STEP === SCAN_STEP - 1 && turn.isOver) await turn.next();
    if (!selection.selects(object)) continue;
    into.push(object);
    if (into.length >= limit) return index + 1;
  }
  return objects.length;
}
