import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock, openMemoryStorage, type Revision } from '@tributary/storage';
import {
  deletePod,
  never,
  pods,
  putNode,
  putPod,
  replaced,
  settled,
} from '../../test/watch-cache-fixture.ts';
import type { ObjectContext } from './cached-object.ts';
import { FrameCatalog } from './frames.ts';
import { HistoryReplay } from './history-replay.ts';
import { Selection } from './selection.ts';

const context: ObjectContext = {
  resource: pods,
  frames: new FrameCatalog(),
  derivedBytes: undefined,
};
const everything = new Selection(pods.prefix, { path: '' });

test('a replay yields the changes of one resource with their previous objects, and ends at its bound', async (t) => {
  const storage = openMemoryStorage();
  t.after(() => storage.close());
  await putPod(storage, 'eu/a', { labels: { app: 'web' } }); // 2
  await putPod(storage, 'eu/a', { labels: { app: 'db' } }); // 3
  await putNode(storage, 'n1'); // 4
  await deletePod(storage, 'eu/a'); // 5
  const replay = new HistoryReplay(storage, manualClock(), 1);
  const options = { selection: everything, until: () => 5 as Revision, signal: never };
  const seen: string[] = [];
  for await (const { records } of replay.changes(context, 2 as Revision, options)) {
    for (const { revision, previous, current } of records) {
      seen.push(`${revision}: ${previous?.labels.app} to ${current?.labels.app}`);
    }
  }
  assert.deepEqual(seen, ['3: web to db', '5: db to undefined']);
});

test('a bounded number of replays read at a time, and a slow consumer does not delay others', async (t) => {
  const inner = openMemoryStorage();
  t.after(() => inner.close());
  await putPod(inner, 'eu/a');
  let reading = 0;
  let most = 0;
  const gates: (() => void)[] = [];
  const storage = replaced(inner, {
    async *feed(after, options) {
      reading += 1;
      most = Math.max(most, reading);
      await new Promise<void>((resolve) => gates.push(resolve));
      reading -= 1;
      yield* inner.feed(after, options);
    },
  });
  const replay = new HistoryReplay(storage, manualClock(), 2);
  const stop = new AbortController();
  const start = (signal: AbortSignal) => {
    const options = { selection: everything, until: () => 2 as Revision, signal };
    return replay.changes(context, 1 as Revision, options);
  };
  const streams = [start(never), start(never), start(stop.signal), start(never), start(never)];
  // Each stream takes its first batch and then stalls.
  const batches = streams.map((stream) => stream.next());
  const given = assert.rejects(batches[2] as Promise<unknown>, /left/);
  await settled();
  assert.equal(gates.length, 2);
  stop.abort(new Error('left'));
  await given;
  for (let round = 0; round < 4; round += 1) {
    gates[round]?.();
    await settled();
  }
  const done = await Promise.all(batches.filter((_, n) => n !== 2));
  assert.equal(done.length, 4);
  assert.equal(most, 2);
});
