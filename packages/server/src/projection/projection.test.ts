import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { KubeObject } from '@tributary/apimachinery';
import { ABSENT, type Revision, type Storage, StorageUnavailable } from '@tributary/storage';
import { VirtualClock } from '../../../../test/harness/index.ts';
import { FakeSource } from '../../test/projection/fake-source.ts';
import { eventually, FeedRecorder } from '../../test/projection/feed-recorder.ts';
import {
  type OpenOptions,
  OURS,
  objectBytes,
  openProjection,
} from '../../test/projection/fixture.ts';
import { ProjectionMistake, ProjectionUnsupported } from './errors.ts';

const kinds = ['revisioned', 'polled'] as const;
type Kind = (typeof kinds)[number];

interface Subject {
  readonly fake: FakeSource;
  readonly storage: Storage;
}

function open(t: TestContext, kind: Kind, options?: OpenOptions, fake = new FakeSource()): Subject {
  const source = kind === 'polled' ? fake.polled(5) : fake.revisioned();
  const storage = openProjection(source, options);
  t.after(() => storage.close());
  return { fake, storage };
}

/** Resolves when the current state of the source is in the mirror. */
async function caughtUp({ fake, storage }: Subject, kind: Kind): Promise<void> {
  const { revision } = fake;
  // A second poll that started after the first one ended has seen all that the first one found.
  const polls = () => fake.calls.filter((call) => call === 'list').length;
  const before = polls();
  if (kind === 'polled') await eventually(() => polls() >= before + 2);
  else await eventually(async () => (await storage.currentRevision()) >= revision);
}

function content(name: string, more: Partial<KubeObject> = {}): string {
  return JSON.stringify({ metadata: { name }, ...more });
}

/** Changes an item at the source, without the projection. */
function outside(fake: FakeSource, id: string, label = OURS, note = ''): void {
  fake.put({ id, label, content: content(id, { note }), foreign: 'theirs' });
}

async function put(
  storage: Storage,
  name: string,
  { note = '', revision }: { note?: string; revision?: Revision } = {},
) {
  return storage.commit({
    require: revision === undefined ? [] : [{ key: name, revision }],
    writes: [{ kind: 'put', key: name, value: objectBytes(name, { note }) }],
  });
}

async function names(storage: Storage): Promise<string[]> {
  return (await storage.list('')).items.map(({ key }) => key);
}

async function noteOf(storage: Storage, key: string): Promise<unknown> {
  const stored = await storage.get(key);
  return stored && JSON.parse(Buffer.from(stored.value).toString()).note;
}

for (const kind of kinds) {
  describe(`a projection of a ${kind} source`, { concurrency: 4 }, () => {
    test('contains the selected items and nothing else', async (t) => {
      const { fake, storage } = open(t, kind);
      outside(fake, 'b');
      outside(fake, 'theirs', 'other');
      outside(fake, 'a');
      assert.deepEqual(await names(storage), ['a', 'b']);
      assert.equal(await storage.get('theirs'), undefined);
      assert.equal(await storage.count(''), 2);
    });

    test('reports each change made at the source once, in order', async (t) => {
      const { fake, storage } = open(t, kind);
      const recorder = new FeedRecorder(storage, await storage.currentRevision());
      const steps: readonly [does: () => void, reported: readonly string[]][] = [
        [() => outside(fake, 'a'), ['put a']],
        [() => outside(fake, 'a', OURS, 'changed'), ['put a']],
        [() => outside(fake, 'x', 'other'), []],
        [() => outside(fake, 'x', 'other', 'changed'), []],
        [() => outside(fake, 'a', 'other'), ['delete a']],
        [() => outside(fake, 'x', OURS), ['put x']],
        [() => outside(fake, 'a', OURS), ['put a']],
        [() => fake.remove('x'), ['delete x']],
        [() => fake.put({ id: 'a', label: OURS, content: content('b') }), ['delete a', 'put b']],
        [() => fake.remove('a'), ['delete b']],
      ];
      const expected: string[] = [];
      for (const [does, reported] of steps) {
        does();
        expected.push(...reported);
        await recorder.until(expected.length);
        if (reported.length === 0) await caughtUp({ fake, storage }, kind);
        assert.deepEqual(recorder.reported, expected);
      }
      await recorder.stop();
    });

    test('preserves fields of an item that it does not know', async (t) => {
      const { fake, storage } = open(t, kind);
      outside(fake, 'a');
      const { revision } = (await storage.get('a')) ?? {};
      assert.ok(revision);
      assert.equal((await put(storage, 'a', { revision, note: 'mine' })).outcome, 'written');
      assert.equal(fake.item('a')?.foreign, 'theirs');
      assert.equal(await noteOf(storage, 'a'), 'mine');
    });

    test('a write overtaken by a change at the source is a conflict with the current object', async (t) => {
      const { fake, storage } = open(t, kind);
      outside(fake, 'a');
      const seen = (await storage.get('a'))?.revision as Revision;
      const result = await unnoticed(
        fake,
        () => outside(fake, 'a', OURS, 'theirs'),
        () => put(storage, 'a', { revision: seen, note: 'mine' }),
      );
      assert.ok(fake.calls.includes('update'), 'it is the source that refused');
      assert.ok(result.outcome === 'conflict');
      assert.equal(JSON.parse(Buffer.from(result.current?.value ?? []).toString()).note, 'theirs');
      assert.equal(await noteOf(storage, 'a'), 'theirs', 'a fresh read has it');
      const fresh = (await storage.get('a'))?.revision as Revision;
      assert.ok(fresh > seen);
      assert.equal((await put(storage, 'a', { revision: fresh, note: 'mine' })).outcome, 'written');
    });

    test('a write overtaken by a deletion at the source is a conflict without an object', async (t) => {
      const { fake, storage } = open(t, kind);
      outside(fake, 'a');
      const revision = (await storage.get('a'))?.revision as Revision;
      const change = {
        require: [{ key: 'a', revision }],
        writes: [{ kind: 'delete', key: 'a' }],
      } as const;
      const result = await unnoticed(
        fake,
        () => fake.remove('a'),
        () => storage.commit(change),
      );
      assert.ok(fake.calls.includes('delete'), 'it is the source that refused');
      assert.deepEqual(result, { outcome: 'conflict', key: 'a', current: undefined });
    });

    test('a name used by an item outside the projection is taken', async (t) => {
      const { fake, storage } = open(t, kind);
      outside(fake, 'a', 'other');
      const before = fake.item('a');
      const result = await put(storage, 'a', { revision: ABSENT });
      assert.deepEqual(result, { outcome: 'conflict', key: 'a', current: undefined });
      assert.equal(fake.item('a'), before);
    });

    test('a write without requirements changes the current item', async (t) => {
      const { fake, storage } = open(t, kind);
      outside(fake, 'a');
      await storage.get('a');
      const change = () => outside(fake, 'a', OURS, 'theirs');
      const over = await unnoticed(fake, change, () => put(storage, 'a', { note: 'mine' }));
      assert.equal(over.outcome, 'written');
      assert.equal(
        fake.calls.filter((call) => call === 'update').length,
        2,
        'the first was refused',
      );
      const remove = () => fake.remove('a');
      const again = await unnoticed(fake, remove, () => put(storage, 'a', { note: 'again' }));
      assert.equal(again.outcome, 'written');
      assert.equal(fake.calls.filter((call) => call === 'create').length, 1);
      assert.equal(await noteOf(storage, 'a'), 'again');
    });

    test('a short outage ends no watch, and no change is lost or repeated', async (t) => {
      const { fake, storage } = open(t, kind, { limits: { toleratedOutageMs: 3_600_000 } });
      outside(fake, 'a');
      const recorder = new FeedRecorder(storage, await storage.currentRevision());
      fake.unavailable = true;
      fake.wake();
      await assert.rejects(put(storage, 'b'), StorageUnavailable);
      outside(fake, 'a', OURS, 'changed');
      outside(fake, 'c');
      assert.deepEqual(await names(storage), ['a'], 'reads are as of before');
      fake.unavailable = false;
      assert.deepEqual((await recorder.until(2)).toSorted(), ['put a', 'put c']);
      fake.remove('c');
      assert.deepEqual((await recorder.until(3)).slice(2), ['delete c']);
      await recorder.stop();
    });

    test('feeds end and reads fail during a long outage', async (t) => {
      const { fake, storage } = open(t, kind, { limits: { toleratedOutageMs: 20 } });
      outside(fake, 'a');
      const recorder = new FeedRecorder(storage, await storage.currentRevision());
      fake.unavailable = true;
      fake.wake();
      const failure = await recorder.ended;
      assert.ok(failure instanceof StorageUnavailable, String(failure));
      assert.match(failure.message, /the source of a projection is unavailable/);
      await assert.rejects(storage.get('a'), StorageUnavailable);
      await assert.rejects(storage.currentRevision(), StorageUnavailable);
      await assert.rejects(put(storage, 'b'), StorageUnavailable);
      outside(fake, 'b');
      fake.unavailable = false;
      await eventually(async () => (await names(storage).catch(() => [])).length === 2);
    });

    test('a source that is unavailable at the start is retried in the background', async (t) => {
      const fake = new FakeSource();
      fake.unavailable = true;
      const { storage } = open(t, kind, {}, fake);
      await assert.rejects(storage.list(''), StorageUnavailable);
      outside(fake, 'a');
      fake.unavailable = false;
      await eventually(async () => (await names(storage).catch(() => [])).length === 1);
    });

    test('a source that does not respond is unavailable', async (t) => {
      const clock = new VirtualClock();
      const fake = new FakeSource(100, clock);
      fake.delayMs = 60_000;
      const { storage } = open(t, kind, { clock, limits: { callTimeoutMs: 20 } }, fake);
      const refused = assert.rejects(storage.list(''), /did not respond within 20 ms/);
      await clock.advance(fake.delayMs);
      await refused;
    });

    test('a write whose response is lost happens at most once, and is visible', async (t) => {
      const { fake, storage } = open(t, kind);
      const recorder = new FeedRecorder(storage, await storage.currentRevision());
      fake.losesResponses = true;
      await assert.rejects(put(storage, 'a', { revision: ABSENT }), StorageUnavailable);
      fake.losesResponses = false;
      assert.deepEqual(await recorder.until(1), ['put a']);
      assert.equal((await put(storage, 'a', { revision: ABSENT })).outcome, 'conflict');
      outside(fake, 'later');
      assert.deepEqual(await recorder.until(2), ['put a', 'put later']);
      await recorder.stop();
    });

    test('an item that cannot be projected is reported once, and hides no other', async (t) => {
      const problems: string[] = [];
      const report = ({ message, cause }: Error) => problems.push(`${message}: ${cause}`);
      const { fake, storage } = open(t, kind, { report });
      outside(fake, 'a');
      fake.put({ id: 'b', label: OURS, content: 'not JSON' });
      fake.put({ id: 'c', label: OURS, content: content('a') });
      fake.put({ id: 'd', label: OURS, content: '{"metadata":{}}' });
      outside(fake, 'e');
      assert.deepEqual(await names(storage), ['a', 'e']);
      await eventually(() => problems.length >= 3);
      if (kind === 'revisioned') await listedAgain(fake);
      outside(fake, 'f');
      await eventually(async () => (await names(storage)).includes('f'));
      await caughtUp({ fake, storage }, kind);
      assert.equal(problems.length, 3, problems.join('\n'));
      assert.match(problems[0] ?? '', /the item b cannot be projected: SyntaxError/);
      assert.match(problems[1] ?? '', /two items are a: a, which is shown, and c/);
      assert.match(problems[2] ?? '', /has no name/);
    });

    test('is unavailable with more objects than its bound', async (t) => {
      const { fake, storage } = open(t, kind, { limits: { objectsMax: 2, toleratedOutageMs: 10 } });
      outside(fake, 'a');
      outside(fake, 'b');
      assert.deepEqual(await names(storage), ['a', 'b']);
      outside(fake, 'c');
      await eventually(() => storage.list('').then(() => false, isTooLarge));
      fake.remove('c');
      fake.remove('a');
    });

    test('has the stats of its objects', async (t) => {
      const { fake, storage } = open(t, kind);
      outside(fake, 'a');
      outside(fake, 'b', 'other');
      const { keys, valueBytes } = await storage.stats();
      const { value } = (await storage.get('a')) as { value: Uint8Array };
      assert.deepEqual({ keys, valueBytes }, { keys: 1, valueBytes: value.byteLength });
    });

    test('metadata that would be lost is refused before the write', async (t) => {
      const { fake, storage } = open(t, kind, { loses: ['finalizers'] });
      const value = objectBytes('a', { metadata: { finalizers: ['example.com/hold'] } });
      const change = { require: [], writes: [{ kind: 'put', key: 'a', value }] } as const;
      await assert.rejects(storage.commit(change), (error) => {
        assert.ok(error instanceof ProjectionMistake);
        assert.match(error.message, /metadata.finalizers does not come back/);
        return true;
      });
      assert.equal(fake.item('a'), undefined);
      assert.equal(
        (await put(storage, 'a')).outcome,
        'written',
        'without them there is nothing to lose',
      );
    });

    test('metadata that the source cannot hold is dropped', async (t) => {
      const { storage } = open(t, kind, { loses: ['labels'], cannotHold: ['labels'] });
      const value = objectBytes('a', { metadata: { labels: { a: 'b' } } });
      await storage.commit({ require: [], writes: [{ kind: 'put', key: 'a', value }] });
      const stored = await storage.get('a');
      assert.deepEqual(Buffer.from(stored?.value ?? []), Buffer.from(objectBytes('a')));
    });

    const unsupported: readonly [
      what: string,
      change: Parameters<Storage['commit']>[0],
      why: RegExp,
    ][] = [
      [
        'two objects at once',
        {
          require: [],
          writes: [
            { kind: 'delete', key: 'p/a' },
            { kind: 'delete', key: 'p/b' },
          ],
        },
        /one object at a time/,
      ],
      [
        'what depends on another key',
        {
          require: [{ key: 'namespaces/a', revision: ABSENT }],
          writes: [{ kind: 'delete', key: 'p/a' }],
        },
        /cannot require namespaces\/a for p\/a/,
      ],
      [
        'a time to live',
        {
          require: [],
          writes: [{ kind: 'put', key: 'p/a', value: objectBytes('a'), ttlSeconds: 1 }],
        },
        /no time to live/,
      ],
      [
        'a key of others',
        { require: [], writes: [{ kind: 'delete', key: 'q/a' }] },
        /q\/a is not below p\//,
      ],
    ];
    for (const [what, change, why] of unsupported) {
      test(`refuses ${what}`, async (t) => {
        const { fake, storage } = open(t, kind, { prefix: 'p/' });
        await assert.rejects(storage.commit(change), (error) => {
          assert.ok(error instanceof ProjectionUnsupported);
          assert.match(error.message, why);
          return true;
        });
        assert.equal(fake.revision, 100);
      });
    }
  });
}

/** The source loses its history, and is listed once more. */
async function listedAgain(fake: FakeSource): Promise<void> {
  const before = fake.calls.length;
  fake.forgetHistory();
  fake.tick();
  fake.forgetHistory();
  fake.cutChanges();
  await eventually(() => fake.calls.slice(before).includes('list'));
}

const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'delete']);

/** Changes the source and lets a write conflict with that, before the projection sees the change. */
async function unnoticed<T>(
  fake: FakeSource,
  happens: () => void,
  write: () => Promise<T>,
): Promise<T> {
  fake.holdsChanges = true;
  happens();
  const writes = () => fake.calls.filter((call) => WRITES.has(call)).length;
  const before = writes();
  const writing = write();
  await eventually(() => writes() > before);
  fake.holdsChanges = false;
  fake.wake();
  return writing;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof StorageUnavailable && /holds at most 2 objects/.test(error.message);
}
