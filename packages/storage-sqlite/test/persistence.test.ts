import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Compacted, manualClock, type Revision } from '@tributary/storage';
import { checkStore, openSqliteStorage } from '@tributary/storage-sqlite';
import { eventually } from '../../../test/harness/index.ts';
import { openEngine } from '../src/engine/engine.ts';
import { DEFAULT_HISTORY } from '../src/maintenance/compaction-policy.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { contents, describeEvents, put, remove } from './writes.ts';

test('values, revisions and history survive a restart', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await openSqliteStorage({ directory });
  const start = await first.currentRevision();
  const revisions: Revision[] = [start];
  for (let at = 0; at < 30; at += 1) {
    revisions.push(
      at % 7 === 6 ? await remove(first, 'b') : await put(first, 'ab'[at % 2] ?? '', `${at}`),
    );
    if (at % 7 === 6) revisions.push(await put(first, 'b', `again ${at}`));
  }
  const last = revisions.at(-1) as Revision;
  const before = await Promise.all(revisions.map((revision) => contents(first, revision)));
  const events = await describeEvents(first, start, last);
  await first.close();

  await using second = await openSqliteStorage({ directory });
  assert.equal(await second.currentRevision(), last);
  for (const [at, revision] of revisions.entries()) {
    assert.deepEqual(await contents(second, revision), before[at], `at ${revision}`);
    const after = events.filter((line) => Number.parseInt(line, 10) > revision);
    assert.deepEqual(await describeEvents(second, revision, last), after, `after ${revision}`);
  }
  assert.equal(await put(second, 'c'), last + 1);
});

test('the compacted revision survives a restart', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await openSqliteStorage({ directory });
  const old = await put(first, 'a', 'old');
  const compacted = await put(first, 'a', 'new');
  await first.compact(compacted);
  await first.close();
  await using second = await openSqliteStorage({ directory });
  assert.equal((await second.stats()).compacted, compacted);
  await assert.rejects(second.list('', { revision: old }), Compacted);
  await assert.rejects(describeEvents(second, old, compacted), Compacted);
});

test('keys expire after a restart, overdue ones at once', async (t) => {
  const directory = temporaryDirectory(t);
  // A clock in the past, so that one key has expired when the store is opened again.
  const clock = manualClock();
  const engine = openEngine({ directory, history: DEFAULT_HISTORY, clock, onCopied: () => {} });
  const writes = [
    { key: 'short', ttlSeconds: 60 },
    { key: 'long', ttlSeconds: 100 * 365 * 86_400 },
    { key: 'for ever' },
  ].map((one) => ({ kind: 'put' as const, value: Buffer.from('x'), ...one }));
  engine.commits.run(writes.map((write) => ({ require: [], writes: [write] })));
  const last = engine.state.current.revision;
  assert.deepEqual(engine.expiry.due(), []);
  await engine.close();
  await using second = await openSqliteStorage({ directory });
  const [event] = await describeEvents(second, last, (last + 1) as Revision);
  assert.match(event ?? '', /short deleted replacing/);
  assert.equal(await second.count(''), 2);
});

test('stores of many sizes are sound after they are closed', async (t) => {
  const directory = temporaryDirectory(t);
  for (const bytes of [0, 1, 900, 5000, 300_000]) {
    await using storage = await openSqliteStorage({ directory });
    await put(storage, `of ${bytes}`, Buffer.alloc(bytes, 7));
    await put(storage, 'shared', Buffer.alloc(bytes, 9));
    const stats = await storage.stats();
    assert.equal(stats.keys, await storage.count(''));
  }
  const report = await checkStore(directory);
  assert.deepEqual(report.findings, []);
  assert.equal(report.keys, 6);
});

test('only the owner can read the files', async (t) => {
  const directory = join(temporaryDirectory(t), 'data');
  await using storage = await openSqliteStorage({ directory });
  await put(storage, 'secret');
  await storage.backup(join(directory, 'backup.db'));
  for (const name of [
    '.',
    ...readdirSync(directory).filter((file) => !file.startsWith('lock.db')),
  ]) {
    assert.equal(statSync(join(directory, name)).mode & 0o077, 0, name);
  }
});

test('deleted values are not in the files after compaction', async (t) => {
  const directory = temporaryDirectory(t);
  const found = () => {
    const files = readdirSync(directory).map((name) =>
      readFileSync(join(directory, name), 'latin1'),
    );
    return files.some((text) => text.includes('SECRET'));
  };
  const storage = await openSqliteStorage({ directory });
  for (let at = 0; at < 60; at += 1) await put(storage, `${at}`, 'SECRET'.repeat(1 + at * at));
  for (let at = 0; at < 60; at += 2) await put(storage, `${at}`, 'replaced');
  for (let at = 1; at < 60; at += 2) await remove(storage, `${at}`);
  assert.equal(found(), true);
  await storage.compact(await storage.currentRevision());
  await eventually(
    'history is forgotten',
    async () => (await storage.maintenanceStats()).historyBytes === 0,
  );
  await storage.close();
  assert.equal(found(), false);
});
