import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Compacted, manualClock, openMemoryStorage, type Revision } from '@tributary/storage';
import { deletePod, podBytes, pods, putPod, settled } from '../../../test/watch-cache-fixture.ts';
import { openWatchCaches } from '../../watch-cache/watch-caches.ts';
import { type MetadataEvent, watchMetadata } from './watch-metadata.ts';

function setup(t: TestContext) {
  const storage = openMemoryStorage();
  const caches = openWatchCaches(storage, { clock: manualClock() });
  const stop = new AbortController();
  t.after(async () => {
    stop.abort();
    await caches.close();
    await storage.close();
  });
  const cache = caches.cache(pods);
  const read = async (count: number, after?: number): Promise<readonly MetadataEvent[]> => {
    const events: MetadataEvent[] = [];
    const options = { signal: stop.signal, after: after as Revision | undefined };
    for await (const batch of watchMetadata(cache, options)) {
      events.push(...batch);
      if (events.length >= count) break;
    }
    return events;
  };
  return { storage, caches, cache, read, stop };
}

const brief = (event: MetadataEvent) =>
  event.type === 'BOOKMARK'
    ? `BOOKMARK ${event.revision}${event.initialEventsEnd ? ' end' : ''}`
    : `${event.type} ${event.metadata.namespace}/${event.metadata.name} ${event.metadata.resourceVersion} ${event.revision}`;

test('all objects come first, then the end of them, then changes', async (t) => {
  const { storage, read } = setup(t);
  const first = await putPod(storage, 'eu/a');
  const second = await putPod(storage, 'eu/b');
  const reading = read(5);
  await settled();
  const third = await putPod(storage, 'eu/a');
  const fourth = await deletePod(storage, 'eu/b');
  assert.deepEqual((await reading).map(brief), [
    `ADDED eu/a ${first} ${first}`,
    `ADDED eu/b ${second} ${second}`,
    `BOOKMARK ${second} end`,
    `MODIFIED eu/a ${third} ${third}`,
    `DELETED eu/b ${fourth} ${fourth}`,
  ]);
});

test('one that is resumed has the changes alone', async (t) => {
  const { storage, read } = setup(t);
  const first = await putPod(storage, 'eu/a');
  await read(2);
  const second = await putPod(storage, 'eu/b');
  assert.deepEqual((await read(1, first)).map(brief), [`ADDED eu/b ${second} ${second}`]);
});

test('one that is resumed too late fails', async (t) => {
  const { storage, read } = setup(t);
  const first = await putPod(storage, 'eu/a');
  await putPod(storage, 'eu/b');
  const last = await putPod(storage, 'eu/c');
  await storage.compact(last);
  await assert.rejects(read(1, first), Compacted);
});

test('it leaves nothing with the objects', async (t) => {
  const { storage, caches, read } = setup(t);
  const value = podBytes('eu/a', { labels: { app: 'web' } });
  await storage.commit({
    require: [],
    writes: [{ kind: 'put', key: `${pods.prefix}eu/a`, value }],
  });
  const [event] = await read(2);
  assert.ok(event?.type === 'ADDED');
  assert.deepEqual(event.metadata.labels, { app: 'web' });
  assert.equal(caches.memory().derivedBytes, 0);
});

test('it ends with the signal, and what cannot be read fails it', async (t) => {
  const { storage, read, stop } = setup(t);
  const key = `${pods.prefix}eu/bad`;
  await storage.commit({ require: [], writes: [{ kind: 'put', key, value: Buffer.from('{}') }] });
  await assert.rejects(read(1), /unable to read the stored object/);
  await deletePod(storage, 'eu/bad');
  const reading = read(100);
  await settled();
  stop.abort();
  assert.deepEqual(
    (await reading).map(({ type }) => type),
    ['BOOKMARK'],
  );
});
