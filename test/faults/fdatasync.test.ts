/** Every acknowledged commit was flushed to the disk before: observed below the engine, call by call. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { runSource, skipOrFail, startProcess, temporaryDirectory } from '../harness/index.ts';
import {
  logStarts,
  parseSyncLog,
  type SyncCall,
  unsafeAcknowledgements,
  unsafeRestarts,
} from './sync-log.ts';

const PROGRAM = join(import.meta.dirname, 'acknowledge.ts');
const WEAKENED = join(import.meta.dirname, 'weaken-sqlite.ts');
const SHIM = join(import.meta.dirname, 'fdatasync.c');
const COMMITS = 240;

test('every acknowledgement comes after the flush of what it acknowledges', async (t) => {
  const calls = await record(t, {});
  if (calls === undefined) return;
  const count = (kind: string) => calls.filter((call) => call.kind === kind).length;
  const restarts = logStarts(calls).length - 1;
  t.diagnostic(`${count('ack')} acknowledged, ${count('sync')} flushes, ${restarts} new logs`);
  assert.equal(count('ack'), COMMITS);
  assert.ok(restarts > 0, 'the log began anew while it was watched');
  assert.deepEqual(unsafeAcknowledgements(calls), []);
  assert.deepEqual(unsafeRestarts(calls), []);
});

describe('an engine that is careless is found out', () => {
  const cases = [
    { name: 'it acknowledges before it commits', options: { mode: 'early' } },
    { name: 'it does not flush', options: { synchronous: 'OFF' } },
    { name: 'it flushes when the log begins anew', options: { synchronous: 'NORMAL' } },
    { name: 'it forgets to flush after a compaction', options: { synchronous: 'FORGOTTEN' } },
  ];
  for (const { name, options } of cases) {
    test(name, async (t) => {
      const calls = await record(t, options);
      if (calls === undefined) return;
      const unsafe = unsafeAcknowledgements(calls);
      t.diagnostic(`${unsafe.length} of ${COMMITS}`);
      assert.ok(unsafe.length > 0);
    });
  }
});

describe('the judge knows what is safe', () => {
  const page = '4096 0';
  const cases = [
    {
      name: 'written, flushed, acknowledged',
      log: `1 2 write store.db-wal 32 24 1\n3 4 write store.db-wal 56 ${page} 7\n5 6 sync store.db-wal\n7 8 ack 7`,
      unsafe: 0,
    },
    {
      name: 'the flush began before the last page was written',
      log: `1 2 write store.db-wal 32 24 1\n4 5 write store.db-wal 56 ${page} 7\n3 6 sync store.db-wal\n7 8 ack 7`,
      unsafe: 1,
    },
    {
      name: 'the flush was not over',
      log: `1 2 write store.db-wal 32 24 1\n3 4 write store.db-wal 56 ${page} 7\n5 9 sync store.db-wal\n7 8 ack 7`,
      unsafe: 1,
    },
    {
      name: 'another file was flushed',
      log: `1 2 write store.db-wal 32 24 1\n3 4 write store.db-wal 56 ${page} 7\n5 6 sync store.db\n7 8 ack 7`,
      unsafe: 1,
    },
    {
      name: 'the transaction went on after the flush',
      log: [
        '1 2 write store.db-wal 32 24 0',
        `3 4 write store.db-wal 56 ${page} 7`,
        '5 6 sync store.db-wal',
        '7 8 write store.db-wal 4152 24 1',
        `9 10 write store.db-wal 4176 ${page}`,
        '11 12 ack 7',
      ].join('\n'),
      unsafe: 1,
    },
    { name: 'nothing was written', log: '1 2 sync store.db-wal\n3 4 ack 7', unsafe: 1 },
  ];
  for (const { name, log, unsafe } of cases) {
    test(name, () => assert.equal(unsafeAcknowledgements(parseSyncLog(log)).length, unsafe));
  }
  test('the log begins anew before the database is flushed', () => {
    const start = 'write store.db-wal 0 32 0';
    const unsafe = parseSyncLog(`1 2 ${start}\n3 4 write store.db 0 ${page}\n5 6 ${start}`);
    assert.equal(unsafeRestarts(unsafe).length, 1);
    const safe = parseSyncLog(
      `1 2 ${start}\n3 4 write store.db 0 ${page}\n5 6 sync store.db\n7 8 ${start}`,
    );
    assert.equal(unsafeRestarts(safe).length, 0);
  });
});

/** The system calls of a store during commits; undefined where the shim cannot be built. */
async function record(
  t: TestContext,
  { mode = '', synchronous = '' }: { mode?: string; synchronous?: string },
): Promise<SyncCall[] | undefined> {
  const folder = await temporaryDirectory(t);
  const shim = buildShim(t, folder);
  if (shim === undefined) return undefined;
  const log = join(folder, 'calls');
  const { command, args } = runSource(PROGRAM, [folder, mode]);
  const program = await startProcess(t, {
    command,
    args: synchronous === '' ? args : [`--import=${WEAKENED}`, ...args],
    env: { LD_PRELOAD: shim, SYNC_LOG: log, SYNCHRONOUS: synchronous },
  });
  const { code } = await program.exited;
  assert.equal(code, 0, program.log());
  return parseSyncLog(await readFile(log, 'utf8'));
}

function buildShim(t: TestContext, folder: string): string | undefined {
  if (process.platform !== 'linux') {
    skipOrFail(t, 'calls can only be watched on Linux');
    return undefined;
  }
  const shim = join(folder, 'fdatasync.so');
  const args = ['-Wall', '-Wextra', '-O1', '-shared', '-fPIC', '-o', shim, SHIM, '-ldl'];
  const { error, status, stderr } = spawnSync('gcc', args, { encoding: 'utf8' });
  if (error !== undefined) {
    skipOrFail(t, 'gcc is missing; install it with: apt-get install gcc libc6-dev');
    return undefined;
  }
  assert.equal(status, 0, stderr);
  return shim;
}
