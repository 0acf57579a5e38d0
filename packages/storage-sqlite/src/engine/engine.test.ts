import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { type Change, manualClock, type Revision, type Write } from '@tributary/storage';
import fc from 'fast-check';
import type { LogPages } from '../maintenance/checkpoint-thread.ts';
import { DEFAULT_HISTORY } from '../maintenance/compaction-policy.ts';
import { RangeReader, type StoredRow } from '../reads/range-reader.ts';
import { type Engine, openEngine } from './engine.ts';
import { Maintenance } from './maintenance.ts';

/** The engine without its thread, so that tests control what happens between two steps. */
function openTestEngine(t: TestContext, clock = manualClock(), onCopied = () => {}): Engine {
  const directory = mkdtempSync(join(tmpdir(), 'tributary-engine-'));
  const engine = openEngine({ directory, history: DEFAULT_HISTORY, clock, onCopied });
  t.after(async () => {
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return engine;
}

function putOf(key: string, value: string, ttlSeconds?: number): Write {
  const write = { kind: 'put' as const, key, value: Buffer.from(value) };
  return ttlSeconds === undefined ? write : { ...write, ttlSeconds };
}

function run(engine: Engine, ...changes: readonly (readonly Write[])[]): (Revision | string)[] {
  const outcomes = engine.commits.run(changes.map((writes): Change => ({ require: [], writes })));
  return outcomes.map((result) => (result.outcome === 'written' ? result.revision : 'conflict'));
}

function plain(rows: Iterable<StoredRow>): string[] {
  return Array.from(rows, ({ key, revision, value }) => `${key}@${revision}=${Buffer.from(value)}`);
}

function readAll(reader: RangeReader, revision: Revision, prefix = ''): string[] {
  return [...reader.read({ prefix, revision })].flatMap(plain);
}

function count(steps: Generator<undefined, number>, between: () => void = () => {}): number {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    between();
  }
}

const keys = fc.constantFrom(
  ...'abcdefghijklmnop'.split('').map((letter) => `k/${letter}`),
  'k',
  'l/1',
);
const someWrites = fc.uniqueArray(
  fc.record({ key: keys, kind: fc.constantFrom('put' as const, 'delete' as const) }),
  { selector: ({ key }) => key, minLength: 1, maxLength: 4 },
);

/** Deletes only existing keys, so that every commit succeeds. */
function toWrites(
  engine: Engine,
  wanted: readonly { key: string; kind: 'put' | 'delete' }[],
): Write[] {
  return wanted.map(({ key, kind }) => {
    if (kind === 'delete' && engine.commits.get(key)) return { kind, key };
    return putOf(key, `${engine.state.current.revision}`);
  });
}

test('a list in steps has the values of its revision despite commits and compactions between them', (t) => {
  const engine = openTestEngine(t);
  const property = fc.property(
    fc.array(someWrites, { minLength: 1, maxLength: 12 }),
    fc.array(someWrites, { minLength: 8, maxLength: 20 }),
    fc.record({ rows: fc.integer({ min: 1, max: 4 }), counted: fc.integer({ min: 1, max: 4 }) }),
    (before, during, sizes) => {
      const step = { ...sizes, bytes: 1_000_000 };
      const { state, db } = engine;
      const reader = new RangeReader(db, { state, step });
      for (const wanted of before) run(engine, toWrites(engine, wanted));
      const { revision } = state.current;
      const expected = readAll(engine.ranges, revision, 'k/');
      const unpin = engine.compaction.pin(revision);
      const later = [...during];
      const disturb = () => {
        const wanted = later.shift();
        if (wanted !== undefined) run(engine, toWrites(engine, wanted));
        engine.compaction.compact(state.current.revision);
        while (engine.compaction.hasWork) engine.compaction.step();
      };
      const steps = reader.count({ prefix: 'k/', revision });
      assert.equal(count(steps, disturb), expected.length);
      const items: StoredRow[] = [];
      for (const rows of reader.read({ prefix: 'k/', revision })) {
        items.push(...rows);
        disturb();
      }
      assert.deepEqual(plain(items), expected);
      unpin();
      disturb();
      assert.equal(state.current.historyBytes, 0, 'all history is forgotten');
    },
  );
  fc.assert(property, { numRuns: 40 });
});

test('commits of one group see each other, in order', (t) => {
  const engine = openTestEngine(t);
  const key = 'a';
  const create: Change = { require: [{ key, revision: 0 as Revision }], writes: [putOf(key, '1')] };
  const update: Change = { require: [{ key, revision: 2 as Revision }], writes: [putOf(key, '2')] };
  const remove: Change = { require: [], writes: [{ kind: 'delete', key }] };
  const outcomes = engine.commits.run([create, create, update, update, remove, remove, create]);
  assert.deepEqual(
    outcomes.map((result) => (result.outcome === 'written' ? result.revision : 'conflict')),
    [2, 'conflict', 3, 'conflict', 4, 'conflict', 5],
  );
  assert.equal(engine.state.current.keys, 1);
});

test('a group that fails writes nothing and uses no revision', (t) => {
  const engine = openTestEngine(t);
  run(engine, [putOf('a', 'one')]);
  const before = engine.state.current;
  const pages = engine.db.prepare('PRAGMA page_count').get() as { page_count: number };
  engine.db.exec(`PRAGMA max_page_count = ${pages.page_count}`);
  const large = 'x'.repeat(50_000);
  assert.throws(() => run(engine, [putOf('a', 'two')], [putOf('b', large)]), /full/);
  assert.deepEqual(engine.state.current, before);
  assert.equal(Buffer.from(engine.commits.get('a')?.value ?? []).toString(), 'one');
  engine.db.exec('PRAGMA max_page_count = 1000000');
  assert.deepEqual(run(engine, [putOf('a', 'two')], [putOf('b', large)]), [
    before.revision + 1,
    before.revision + 2,
  ]);
});

test('a group in which nothing is written does not touch the disk', (t) => {
  const engine = openTestEngine(t);
  run(engine, [putOf('a', 'one')]);
  const log = () => engine.db.prepare('PRAGMA wal_checkpoint(NOOP)').get();
  const before = log();
  assert.deepEqual(run(engine, [{ kind: 'delete', key: 'b' }]), ['conflict']);
  assert.deepEqual(log(), before);
});

test('a key whose ttl the same group extends does not expire', (t) => {
  const clock = manualClock();
  const engine = openTestEngine(t, clock);
  run(engine, [putOf('a', 'one', 10), putOf('b', 'one', 10)]);
  engine.expiry.refresh();
  clock.advance(9999);
  assert.deepEqual(engine.expiry.due(), []);
  clock.advance(1);
  const due = engine.expiry.due();
  assert.equal(due.length, 2);
  const renewed: Change = { require: [], writes: [putOf('a', 'two', 10)] };
  const outcomes = engine.commits.run([renewed, ...due]);
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['written', 'conflict', 'written'],
  );
  assert.ok(engine.commits.get('a'));
});

test('revisions far beyond 2^46 keep their order and their values', (t) => {
  const engine = openTestEngine(t);
  const far = (2 ** 52) as Revision;
  run(engine, [putOf('a', 'zero')]);
  const state = { ...engine.state.current, revision: far, compacted: far };
  engine.state.write(state);
  engine.state.committed(state);
  assert.deepEqual(run(engine, [putOf('a', 'one'), putOf('b', 'one')], [putOf('a', 'two')]), [
    far + 1,
    far + 2,
  ]);
  const { events, progress } = engine.history.after(far);
  assert.deepEqual(
    events.map(({ key, revision }) => `${key}@${revision}`),
    [`a@${far + 1}`, `b@${far + 1}`, `a@${far + 2}`],
  );
  assert.equal(progress, far + 2);
  assert.deepEqual(readAll(engine.ranges, (far + 1) as Revision), [
    `a@${far + 1}=one`,
    `b@${far + 1}=one`,
  ]);
});

test('history is compacted when it is old enough, and not before', (t) => {
  const clock = manualClock();
  const engine = openTestEngine(t, clock);
  const upkeep = new Maintenance(engine, clock);
  run(engine, [putOf('a', 'one')], [putOf('a', 'two')]);
  const { revision, historyBytes } = engine.state.current;
  engine.policy.added(historyBytes);
  const passMs = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 1000) {
      clock.advance(Math.min(1000, ms - passed));
      upkeep.step();
    }
  };
  passMs(DEFAULT_HISTORY.retainMs - 1);
  assert.ok(engine.state.current.compacted < revision, 'too young to forget');
  passMs(DEFAULT_HISTORY.retainMs + 1);
  assert.ok(engine.state.current.compacted >= revision, 'too old to keep');
});

test('maintenance that fails is retried later and fails no request', (t) => {
  const clock = manualClock();
  const engine = openTestEngine(t, clock);
  for (let at = 0; at < 50; at += 1) run(engine, [putOf('a', `${at}`)]);
  const upkeep = new Maintenance(engine, clock);
  engine.compaction.compact(engine.state.current.revision);
  engine.db.exec('PRAGMA query_only = ON');
  upkeep.step();
  assert.ok(upkeep.waitMs > 0, 'it waits before it tries again');
  engine.db.exec('PRAGMA query_only = OFF');
  clock.advance(upkeep.waitMs);
  while (engine.compaction.hasWork) upkeep.step();
  assert.equal(engine.state.current.historyBytes, 0);
  assert.equal(Buffer.from(engine.commits.get('a')?.value ?? []).toString(), '49');
});

test('the log is copied by another thread during commits, and then restarts', async (t) => {
  const clock = manualClock();
  let copied = Promise.withResolvers<void>();
  const engine = openTestEngine(t, clock, () => copied.resolve());
  const { checkpoint } = engine;
  const log = () => engine.db.prepare('PRAGMA wal_checkpoint(NOOP)').get() as unknown as LogPages;
  // However late the other thread begins, it copies no page after the snapshot of a reader.
  const reader = new DatabaseSync(engine.db.location() ?? '');
  t.after(() => reader.close());
  let written = 0;
  const write = () => {
    run(engine, [putOf(`${written++ % 1000}`, 'x'.repeat(3000))]);
    checkpoint.written();
  };
  const turn = async () => {
    checkpoint.step();
    reader.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    for (let at = 0; at < 10; at += 1) write();
    if (checkpoint.waitMs === Number.POSITIVE_INFINITY) await copied.promise;
    reader.exec('COMMIT');
    copied = Promise.withResolvers();
    clock.advance(10);
  };
  while (checkpoint.copies < 3) await turn();
  assert.equal(checkpoint.times.count, 0, 'no commit has waited');
  assert.ok(log().checkpointed > 500 && log().checkpointed < log().log, 'the log goes on');
  for (let before = 0; before <= log().log; await turn()) {
    before = log().log;
    assert.ok(before < 8000, 'the log never begins anew');
  }
  assert.ok(checkpoint.times.count > 0);
  t.diagnostic(
    `the log began anew after ${written} commits; the last step took ${checkpoint.times.longestMs.toFixed(1)} ms`,
  );
});
