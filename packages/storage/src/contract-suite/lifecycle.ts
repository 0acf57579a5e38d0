import assert from 'node:assert/strict';
import { StorageClosed } from '../contract/errors.ts';
import type { Revision } from '../contract/revision.ts';
import type { ReadOptions, Storage } from '../contract/storage.ts';
import { put, putOf, remove, within } from './actions.ts';
import { FeedReader } from './feed-reader.ts';
import type { ContractTest, Subject } from './subject.ts';

export const lifecycleTests: readonly ContractTest[] = [
  { name: 'a fired signal rejects every read with its reason', run: signals },
  { name: 'stats count keys, bytes and revisions', run: statistics },
  { name: 'closing waits for commits under way', run: closeWaits },
  { name: 'a closed store rejects everything, closing it again is harmless', run: closed },
  { name: 'closing ends feeds with StorageClosed', run: closeEndsFeeds },
];

function reads(storage: Storage, options: ReadOptions): Record<string, () => Promise<unknown>> {
  return {
    get: () => storage.get('a', options),
    list: () => storage.list('a', options),
    count: () => storage.count('a', options),
    currentRevision: () => storage.currentRevision(options),
    compact: () => storage.compact(1 as Revision, options),
    stats: () => storage.stats(options),
  };
}

async function signals({ storage, waitMs }: Subject): Promise<void> {
  const reason = new Error('the client went away');
  for (const [name, read] of Object.entries(
    reads(storage, { signal: AbortSignal.abort(reason) }),
  )) {
    await assert.rejects(within(name, waitMs, read()), (error) => error === reason, name);
  }
  const later = new AbortController();
  const pending = Object.entries(reads(storage, { signal: later.signal }));
  const settled = Promise.allSettled(pending.map(([, read]) => read()));
  later.abort(reason);
  for (const result of await within('aborted reads', waitMs, settled)) {
    // A call may have returned before the signal; it may not fail in another way.
    if (result.status === 'rejected') assert.equal(result.reason, reason);
  }
  assert.equal(await storage.get('a', { signal: new AbortController().signal }), undefined);
}

async function statistics({ storage }: Subject): Promise<void> {
  await put(storage, 'a', '12345');
  await put(storage, 'b', '123');
  await put(storage, 'a', '1234567');
  await put(storage, 'c', '1');
  const last = await remove(storage, 'c');
  const stats = await storage.stats();
  assert.equal(stats.keys, 2);
  assert.equal(stats.valueBytes, 10);
  assert.ok(stats.revision >= last);
  assert.ok(stats.compacted <= last);
}

async function closeWaits({ storage, waitMs }: Subject): Promise<void> {
  const commits = Array.from({ length: 20 }, (_, at) => put(storage, `key ${at}`));
  await within('closing', waitMs, storage.close());
  const revisions = await within('commits under way', waitMs, Promise.all(commits));
  assert.equal(new Set(revisions).size, commits.length);
}

async function closed({ storage, waitMs }: Subject): Promise<void> {
  await put(storage, 'a');
  await storage.close();
  await storage.close();
  await storage[Symbol.asyncDispose]();
  const calls: Record<string, () => Promise<unknown>> = {
    ...reads(storage, {}),
    commit: () => storage.commit({ require: [], writes: [putOf('a', 'x')] }),
    feed: () => new FeedReader(storage, 1 as Revision, waitMs).next(),
  };
  for (const [name, call] of Object.entries(calls)) {
    await assert.rejects(within(name, waitMs, call()), StorageClosed, name);
  }
}

async function closeEndsFeeds({ storage, waitMs }: Subject): Promise<void> {
  const reader = new FeedReader(storage, await put(storage, 'a'), waitMs);
  await reader.next();
  const asleep = assert.rejects(reader.next(), StorageClosed);
  await storage.close();
  await within('the end of the feed', waitMs, asleep);
}
