import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import {
  ABSENT,
  Compacted,
  manualClock,
  type Revision,
  type Storage,
  StorageUnavailable,
} from '@tributary/storage';
import { turns, VirtualClock } from '../../../../test/harness/index.ts';
import { FakeSource } from '../../test/projection/fake-source.ts';
import { eventually, FeedRecorder } from '../../test/projection/feed-recorder.ts';
import { OURS, objectBytes, openProjection } from '../../test/projection/fixture.ts';

function outside(fake: FakeSource, id: string): number {
  return fake.put({ id, label: OURS, content: JSON.stringify({ metadata: { name: id } }) })
    .revision;
}

async function put(storage: Storage, key: string): Promise<Revision> {
  const value = objectBytes(key);
  const result = await storage.commit({ require: [], writes: [{ kind: 'put', key, value }] });
  assert.ok(result.outcome === 'written');
  return result.revision;
}

function opened(t: TestContext, storage: Storage): Storage {
  t.after(() => storage.close());
  return storage;
}

describe('the revisions of a revisioned source', () => {
  test('are those of the projection', async (t) => {
    const fake = new FakeSource(4000);
    const first = outside(fake, 'a');
    fake.tick();
    const storage = opened(t, openProjection(fake.revisioned()));
    assert.equal(await storage.currentRevision(), fake.revision);
    assert.equal((await storage.get('a'))?.revision, first);
    assert.equal(await put(storage, 'b'), fake.item('b')?.revision);
  });

  test('advance also with changes of other items', async (t) => {
    const fake = new FakeSource();
    const storage = opened(t, openProjection(fake.revisioned()));
    const start = await storage.currentRevision();
    fake.tick();
    fake.tick();
    await eventually(async () => (await storage.currentRevision()) === start + 2);
    assert.deepEqual((await storage.list('')).revision, start + 2);
  });

  test('hold over a restart: feeds resume from known ones, and fail for compacted ones', async (t) => {
    const fake = new FakeSource();
    const before = openProjection(fake.revisioned());
    const old = await put(before, 'a');
    const last = await put(before, 'b');
    await before.close();
    const after = opened(t, openProjection(fake.revisioned()));
    assert.equal((await after.get('a'))?.revision, old, 'an object keeps its revision');
    const recorder = new FeedRecorder(after, last);
    outside(fake, 'c');
    assert.deepEqual(await recorder.until(1), ['put c']);
    await recorder.stop();
    const stale = new FeedRecorder(after, old);
    assert.ok((await stale.ended) instanceof Compacted);
  });

  test('of two replicas are the same', async (t) => {
    const fake = new FakeSource();
    const left = opened(t, openProjection(fake.revisioned()));
    const right = opened(t, openProjection(fake.revisioned()));
    await Promise.all([left.get('a'), right.get('a')]);
    const revision = await put(left, 'a');
    await eventually(async () => (await right.get('a'))?.revision === revision);
    const recorder = new FeedRecorder(right, revision);
    await put(left, 'b');
    assert.deepEqual(await recorder.until(1), ['put b']);
    await recorder.stop();
  });

  test('that decrease make the projection unavailable', async (t) => {
    const fake = new FakeSource(1000);
    const source = fake.revisioned();
    const restored = new FakeSource(10);
    const storage = opened(
      t,
      openProjection(
        {
          ...source,
          list: (options) =>
            isRestored ? restored.revisioned().list(options) : source.list(options),
        },
        { limits: { toleratedOutageMs: 10 } },
      ),
    );
    let isRestored = false;
    outside(fake, 'a');
    await storage.get('a');
    isRestored = true;
    fake.forgetHistory();
    fake.cutChanges();
    fake.tick();
    fake.forgetHistory();
    await eventually(() =>
      storage.get('a').then(
        () => false,
        (error) =>
          error instanceof StorageUnavailable &&
          /went back from revision 1001 to 10/.test(error.message),
      ),
    );
  });

  test('that are no longer known reset the projection: feeds end with an error, the state is correct', async (t) => {
    const fake = new FakeSource();
    outside(fake, 'a');
    const storage = opened(t, openProjection(fake.revisioned()));
    const start = await storage.currentRevision();
    const recorder = new FeedRecorder(storage, start);
    await eventually(() => fake.calls.includes('changes'));
    fake.holdsChanges = true;
    fake.remove('a');
    outside(fake, 'b');
    fake.forgetHistory();
    fake.holdsChanges = false;
    fake.cutChanges();
    const end = await recorder.ended;
    assert.ok(end instanceof Compacted, String(end));
    assert.deepEqual(recorder.reported, []);
    assert.deepEqual(
      (await storage.list('')).items.map(({ key }) => key),
      ['b'],
    );
    const again = new FeedRecorder(storage, await storage.currentRevision());
    outside(fake, 'c');
    assert.deepEqual(await again.until(1), ['put c']);
    await again.stop();
  });

  test('a create that conflicts with an item deleted before its report returns at once', async (t) => {
    const fake = new FakeSource();
    const storage = opened(
      t,
      openProjection(fake.revisioned(), { limits: { seenTimeoutMs: 3_600_000 } }),
    );
    await storage.get('a');
    fake.holdsChanges = true;
    outside(fake, 'a');
    const creating = storage.commit({
      require: [{ key: 'a', revision: ABSENT }],
      writes: [{ kind: 'put', key: 'a', value: objectBytes('a') }],
    });
    await eventually(() => fake.calls.includes('get'));
    fake.put({ id: 'a', label: 'other', content: '' });
    fake.holdsChanges = false;
    fake.wake();
    assert.deepEqual(await creating, { outcome: 'conflict', key: 'a', current: undefined });
  });

  test('a write that the source does not report in time has an unknown outcome', async (t) => {
    const fake = new FakeSource();
    const storage = opened(t, openProjection(fake.revisioned(), { limits: { seenTimeoutMs: 20 } }));
    await storage.get('a');
    fake.holdsChanges = true;
    await assert.rejects(put(storage, 'a'), (error) => {
      assert.ok(error instanceof StorageUnavailable);
      assert.match(error.message, /did not tell of a change within 20 ms/);
      return true;
    });
    assert.ok(fake.item('a'));
    assert.equal(await storage.get('a'), undefined, 'not visible before it is reported');
    fake.holdsChanges = false;
    fake.wake();
    await eventually(async () => (await storage.get('a')) !== undefined);
  });
});

describe('the revisions of a polled source', () => {
  test('begin with the clock, grow by one, and are larger after a restart', async (t) => {
    const fake = new FakeSource();
    const clock = manualClock();
    const before = openProjection(fake.polled(1000), { clock });
    const start = await before.currentRevision();
    assert.equal(start, clock.nowMs() * 1000);
    assert.equal(await put(before, 'a'), start + 1);
    assert.equal(await put(before, 'b'), start + 2);
    await before.close();
    clock.advance(1);
    const after = opened(t, openProjection(fake.polled(1000), { clock }));
    assert.equal(await after.currentRevision(), start + 1000);
    assert.ok(((await after.get('a'))?.revision ?? 0) > start + 2);
    const stale = new FeedRecorder(after, (start + 2) as Revision);
    assert.ok((await stale.ended) instanceof Compacted);
  });

  test('do not grow with polls', async (t) => {
    const fake = new FakeSource();
    outside(fake, 'a');
    fake.put({ id: 'x', label: 'other', content: '' });
    const clock = manualClock();
    const storage = opened(t, openProjection(fake.polled(1000), { clock }));
    const start = await storage.currentRevision();
    for (let look = 1; look <= 3; look += 1) {
      fake.put({ id: 'x', label: 'other', content: String(look) });
      clock.advance(1000);
      await eventually(() => fake.calls.filter((call) => call === 'list').length > look);
    }
    assert.equal(await storage.currentRevision(), start);
  });

  test('a slow poll does not revert writes that were made meanwhile', async (t) => {
    const clock = new VirtualClock();
    const fake = new FakeSource(100, clock);
    outside(fake, 'a');
    outside(fake, 'b');
    const storage = opened(t, openProjection(fake.polled(1000), { clock }));
    const recorder = new FeedRecorder(storage, await storage.currentRevision());
    // This poll sees the present state and returns after the writes below.
    fake.delayMs = 40;
    await clock.advance(1000);
    await eventually(() => fake.calls.filter((call) => call === 'list').length === 2);
    fake.delayMs = 0;
    const written = await put(storage, 'a');
    await put(storage, 'new');
    await storage.commit({ require: [], writes: [{ kind: 'delete', key: 'b' }] });
    const reported = ['put a', 'put new', 'delete b'];
    await recorder.until(reported.length);
    await clock.advance(40);
    await turns();
    assert.deepEqual(recorder.reported, reported);
    assert.equal((await storage.get('a'))?.revision, written);
    await clock.advance(1000);
    await eventually(() => fake.calls.filter((call) => call === 'list').length === 3);
    await turns();
    assert.deepEqual(recorder.reported, reported, 'nor does the next one');
    await recorder.stop();
  });
});

test('the history of a projection is bounded by its number of changes and by their bytes', async (t) => {
  const bounds = [{ historyEventsMax: 3 }, { historyBytesMax: 600 }];
  for (const limits of bounds) {
    const fake = new FakeSource();
    const storage = opened(t, openProjection(fake.revisioned(), { limits }));
    const start = await storage.currentRevision();
    for (let at = 0; at < 10; at += 1) await put(storage, `key ${at}`);
    assert.ok((await new FeedRecorder(storage, start).ended) instanceof Compacted);
    const { compacted, revision } = await storage.stats();
    const retained = new FeedRecorder(storage, compacted);
    await retained.until(1);
    assert.equal(retained.events.length, revision - compacted);
    assert.ok(
      retained.events.length >= 3 && retained.events.length < 10,
      `${retained.events.length}`,
    );
    await retained.stop();
  }
});
