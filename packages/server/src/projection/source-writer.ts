import { type Revision, StorageUnavailable } from '@tributary/storage';
import type { Entry } from './contents.ts';
import { asRevision, type Follower, type FollowerParts, nextRevision } from './follower.ts';
import type { PolledSource, RevisionedSource } from './source.ts';

/** The outcome of a write at the source; after a conflict the mirror is newer than before it. */
type SourceOutcome =
  | { readonly outcome: 'written'; readonly revision: Revision }
  | { readonly outcome: 'conflict' }
  /** The source has an item of this id that is not part of the projection. */
  | { readonly outcome: 'taken' };

/** One item to write, or to delete when there is no item. */
interface ItemWrite<Item> {
  readonly key: string;
  readonly item: Item | undefined;
  /** The entry of the mirror, which the source must still have. */
  readonly entry: Entry<Item> | undefined;
}

export interface SourceWriter<Item> {
  write(write: ItemWrite<Item>): Promise<SourceOutcome>;
}

export function sourceWriter<Item>(
  parts: FollowerParts<Item>,
  follower: Follower<Item>,
): SourceWriter<Item> {
  const { source } = parts;
  return source.kind === 'polled'
    ? polledWriter({ ...parts, source }, follower)
    : revisionedWriter({ ...parts, source }, follower);
}

/** The source reports a write like any other change, in its order. A write is complete when it was reported. */
function revisionedWriter<Item>(
  { source, mirror, clock, limits }: FollowerParts<Item> & { source: RevisionedSource<Item> },
  follower: Follower<Item>,
): SourceWriter<Item> {
  async function seen(isSeen: () => boolean): Promise<void> {
    if (await mirror.sleepers.until(isSeen, { clock, waitMs: limits.seenTimeoutMs })) return;
    throw new StorageUnavailable(
      `the source did not tell of a change within ${limits.seenTimeoutMs} ms`,
    );
  }

  const hasMoved = ({ stored }: Entry<Item>) =>
    mirror.entry(stored.key)?.stored.revision !== stored.revision;

  async function deleted(entry: Entry<Item>, since: Revision): Promise<Revision> {
    await seen(() => hasMoved(entry));
    const { key } = entry.stored;
    const event = mirror.changesAfter(since).find((change) => change.key === key);
    // Without an event the mirror was reset meanwhile: the item is deleted as of then.
    return event?.revision ?? mirror.revision;
  }

  /** Waits until the mirror contains the change that made the source refuse. */
  async function catchUp({ key, entry, item }: ItemWrite<Item>): Promise<SourceOutcome> {
    if (entry !== undefined) {
      await seen(() => hasMoved(entry));
      return { outcome: 'conflict' };
    }
    const id = source.idOf(item as Item);
    const there = await follower.call((options) => source.get(id, options));
    if (there === undefined) return { outcome: 'conflict' };
    if (mirror.keyOf(there) !== key) return { outcome: 'taken' };
    // It may be deleted again by then: its revision has passed nevertheless.
    const revision = asRevision(source.revisionOf(there));
    await seen(() => mirror.revision >= revision);
    return { outcome: 'conflict' };
  }

  return {
    async write(write) {
      const since = mirror.revision;
      const result = await callWrite(source, write, follower);
      if (result.outcome === 'conflict') return catchUp(write);
      if (result.outcome === 'deleted') {
        return { outcome: 'written', revision: await deleted(write.entry as Entry<Item>, since) };
      }
      const revision = asRevision(source.revisionOf(result.item));
      await seen(() => mirror.revision >= revision);
      return { outcome: 'written', revision };
    },
  };
}

/**
 * Writes to a source that reports no changes: the mirror is changed as soon as the source has responded, and before a
 * later list is applied.
 */
function polledWriter<Item>(
  { source, mirror }: FollowerParts<Item> & { source: PolledSource<Item> },
  follower: Follower<Item>,
): SourceWriter<Item> {
  function show(id: string, item: Item | undefined): void {
    const known = mirror.entryById(id)?.item;
    if (item === undefined) mirror.delete(id, nextRevision(mirror));
    else if (known === undefined || source.versionOf(known) !== source.versionOf(item)) {
      mirror.put(item, nextRevision(mirror));
    }
  }

  async function write(id: string, write: ItemWrite<Item>): Promise<SourceOutcome> {
    const result = await callWrite(source, write, follower);
    if (result.outcome === 'conflict') {
      const there = await follower.call((options) => source.get(id, options));
      show(id, there);
      const isTaken = there !== undefined && mirror.entryById(id) === undefined;
      return { outcome: isTaken && write.entry === undefined ? 'taken' : 'conflict' };
    }
    show(id, result.outcome === 'written' ? result.item : undefined);
    return {
      outcome: 'written',
      revision: mirror.entry(write.key)?.stored.revision ?? mirror.revision,
    };
  }

  return {
    write: (one) => {
      const id = one.entry?.id ?? source.idOf(one.item as Item);
      return follower.ownWrites.during(id, () => write(id, one));
    },
  };
}

async function callWrite<Item>(
  source: PolledSource<Item> | RevisionedSource<Item>,
  { item, entry }: ItemWrite<Item>,
  follower: Follower<Item>,
) {
  if (item === undefined) {
    const previous = (entry as Entry<Item>).item;
    return follower.call((options) => source.delete(previous, options));
  }
  if (entry === undefined) return follower.call((options) => source.create(item, options));
  return follower.call((options) => source.update(item, entry.item, options));
}
