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

/** Everything that is at the source now has been taken in. */
async function caughtUp({ fake, storage }: Subject, kind: Kind): Promise<void> {
  const { revision } = fake;
  // A poll that begins after another one began now comes after all that the other one has found.
  const polls = () => fake.calls.filter((call) => call === 'list').length;
  const before = polls();
  if (kind === 'polled') await eventually(() => polls() >= before + 2);
  else await eventually(async () => (await storage.currentRevision()) >= revision);
}

function content(name: string, more: Partial<KubeObject> = {}): string {
  return JSON.stringify({ metadata: { name }, ...more });
}

/** As somebody at the source does it. */
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
    test('shows what is ours and nothing else', async (t) => {
      const { fake, storage } = open(t, kind);
      outside(fake, 'b');
      outside(fake, 'theirs', 'other');
      outside(fake, 'a');
      assert.deepEqual(await names(storage), ['a', 'b']);
      assert.equal(await storage.get('theirs'), undefined);
      assert.equal(await storage.count(''), 2);
    });

    test('tells each change made at the source once, in order', async (t) => {
      const { fake, storage } = open(t, kind);
      const recorder = new FeedRecorder(storage, await storage.currentRevision());
      const steps: readonly [does: () => void, told: readonly string[]][] = [
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
      for (const [does, told] of steps) {
        does();
        expected.push(...told);
        await recorder.until(expected.length);
        if (told.length === 0) await caughtUp({ fake, storage }, kind);
        assert.deepEqual(recorder.told, expected);
      }
      await recorder.stop();
    });

    test('keeps of an item what it does not know', async (t) => {
      const { fake, storage } = open(t, kind);
      outside(fake, 'a');
      const { revision } = (await storage.get('a')) ?? {};
      assert.ok(revision);
      assert.equal((await put(storage, 'a', { revision, note: 'mine' })).outcome, 'written');
      assert.equal(fake.item('a')?.foreign, 'theirs');
      assert.equal(await noteOf(storage, 'a'), 'mine');
    });

    test('a write that a change at the source overtakes is a conflict with what is there', async (t) => {
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

    test('a write that meets a delete at the source is a conflict with nothing', async (t) => {
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

    test('a name that an item of others has is taken', async (t) => {
      const { fake, storage } = open(t, kind);
      outside(fake, 'a', 'other');
      const before = fake.item('a');
      const result = await put(storage, 'a', { revision: ABSENT });
      assert.deepEqual(result, { outcome: 'conflict', key: 'a', current: undefined });
      assert.equal(fake.item('a'), before);
    });

    test('a write without requirements is done on what is there now', async (t) => {
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

    test('a short outage is not noticed, and nothing of it is missed or told twice', async (t) => {
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

    test('a long outage ends feeds and reads, until it is over', async (t) => {
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

    test('a source that is not there at the start is waited for in the background', async (t) => {
      const fake = new FakeSource();
      fake.unavailable = true;
      const { storage } = open(t, kind, {}, fake);
      await assert.rejects(storage.list(''), StorageUnavailable);
      outside(fake, 'a');
      fake.unavailable = false;
      await eventually(async () => (await names(storage).catch(() => [])).length === 1);
    });

    test('a source that does not answer is unavailable', async (t) => {
      const clock = new VirtualClock();
      const fake = new FakeSource(100, clock);
      fake.delayMs = 60_000;
      const { storage } = open(t, kind, { clock, limits: { callTimeoutMs: 20 } }, fake);
      const refused = assert.rejects(storage.list(''), /did not answer within 20 ms/);
      await clock.advance(fake.delayMs);
      await refused;
    });

    test('a write whose answer is lost happens at most once, and is seen', async (t) => {
      const { fake, storage } = open(t, kind);
      const recorder = new FeedRecorder(storage, await storage.currentRevision());
      fake.losesAnswers = true;
      await assert.rejects(put(storage, 'a', { revision: ABSENT }), StorageUnavailable);
      fake.losesAnswers = false;
      assert.deepEqual(await recorder.until(1), ['put a']);
      assert.equal((await put(storage, 'a', { revision: ABSENT })).outcome, 'conflict');
      outside(fake, 'later');
      assert.deepEqual(await recorder.until(2), ['put a', 'put later']);
      await recorder.stop();
    });

    test('an item that cannot be shown is reported once, and hides no other', async (t) => {
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

    test('more objects than it may hold make it unavailable', async (t) => {
      const { fake, storage } = open(t, kind, { limits: { objectsMax: 2, toleratedOutageMs: 10 } });
      outside(fake, 'a');
      outside(fake, 'b');
      assert.deepEqual(await names(storage), ['a', 'b']);
      outside(fake, 'c');
      await eventually(() => storage.list('').then(() => false, isTooLarge));
      fake.remove('c');
      fake.remove('a');
    });

    test('stats are those of the objects', async (t) => {
      const { fake, storage } = open(t, kind);
      outside(fake, 'a');
      outside(fake, 'b', 'other');
      const { keys, valueBytes } = await storage.stats();
      const { value } = (await storage.get('a')) as { value: Uint8Array };
      assert.deepEqual({ keys, valueBytes }, { keys: 1, valueBytes: value.byteLength });
    });

    test('metadata that would not come back is refused before anything is written', async (t) => {
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

    test('metadata that the source cannot hold is left out', async (t) => {
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

/** The source no longer knows its changes, and is listed once more. */
async function listedAgain(fake: FakeSource): Promise<void> {
  const before = fake.calls.length;
  fake.forgetHistory();
  fake.tick();
  fake.forgetHistory();
  fake.cutChanges();
  await eventually(() => fake.calls.slice(before).includes('list'));
}

const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'delete']);

/** Lets something happen at the source and a write meet it there, before the projection is told. */
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
