import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Clock, manualClock, systemClock } from '@tributary/storage';
import { eventually } from '../../../../test/harness/index.ts';
import { reloadFiles } from './file-reloader.ts';

const MINUTE_MS = 60_000;

async function directoryOf(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'reloaded-'));
  t.after(() => rm(directory, { recursive: true }));
  return directory;
}

async function watched(t: TestContext, clock: Clock, paths: readonly string[]) {
  for (const path of paths) await writeFile(path, 'old');
  const applied: string[] = [];
  let next = Promise.withResolvers<void>();
  const record = (text: string) => {
    applied.push(text);
    next.resolve();
  };
  const reloading = await reloadFiles(
    {
      name: 'token file',
      paths,
      apply(contents) {
        if (contents.includes('bad')) throw new Error('is bad');
        record(contents.join('+'));
      },
    },
    {
      clock,
      log: { info: () => {}, error: (problem) => record(String(problem)) },
    },
  );
  t.after(() => reloading[Symbol.dispose]());
  const wait = async () => {
    await next.promise;
    next = Promise.withResolvers<void>();
  };
  return { applied, wait, reloading };
}

/** A clock that records its timers: less than a minute after a notified change, and a minute after each read. */
function recordingClock() {
  const clock = manualClock();
  const delaysMs: number[] = [];
  const schedule: Clock['schedule'] = (delayMs, run) => {
    delaysMs.push(delayMs);
    return clock.schedule(delayMs, run);
  };
  const reads = () => delaysMs.filter((delayMs) => delayMs === MINUTE_MS).length;
  return {
    ...clock,
    schedule,
    delaysMs,
    changeNotified: () =>
      eventually('a change notification', () => delaysMs.some((ms) => ms < MINUTE_MS)),
    /** Advances the clock until the files have been read once more. */
    read: async () => {
      const before = reads();
      await eventually('the next read', () => {
        clock.advance(MINUTE_MS);
        return reads() > before;
      });
    },
  };
}

test('files that change together are reloaded together, soon after a change notification', async (t) => {
  const directory = await directoryOf(t);
  const paths = ['tls.crt', 'tls.key'].map((name) => join(directory, name));
  const clock = recordingClock();
  const { applied, wait } = await watched(t, clock, paths);
  for (const path of paths) await writeFile(path, 'new');
  await clock.changeNotified();
  clock.advance(MINUTE_MS / 60);
  await wait();
  assert.deepEqual(applied, ['new+new']);
});

test('a replaced symbolic link is a change, as in mounted secrets', async (t) => {
  const directory = await directoryOf(t);
  const path = join(directory, 'ca.crt');
  const { applied, wait } = await watched(t, systemClock, [path]);
  await mkdir(join(directory, 'data'));
  await writeFile(join(directory, 'data', 'ca.crt'), 'linked');
  await symlink(join('data', 'ca.crt'), join(directory, 'link'));
  await rename(join(directory, 'link'), path);
  await wait();
  assert.deepEqual(applied, ['linked']);
});

test('invalid contents are reported once, until they change', async (t) => {
  const clock = recordingClock();
  const path = join(await directoryOf(t), 'tokens.csv');
  const { applied } = await watched(t, clock, [path]);
  await writeFile(path, 'bad');
  await clock.read();
  assert.deepEqual(applied, ['Error: is bad']);
  await clock.read();
  assert.deepEqual(applied, ['Error: is bad']);
  await rm(path);
  await clock.read();
  assert.match(applied[1] ?? '', /ENOENT/);
  await writeFile(path, 'good');
  await clock.read();
  assert.equal(applied.at(-1), 'good');
});

test('a disposed reloader reads nothing', async (t) => {
  const path = join(await directoryOf(t), 'a');
  const clock = recordingClock();
  const { applied, reloading } = await watched(t, clock, [path]);
  const other = { clock: recordingClock() };
  const open = await watched(t, other.clock, [path]);
  reloading[Symbol.dispose]();
  const before = clock.delaysMs.length;
  await writeFile(path, 'new');
  await other.clock.changeNotified();
  other.clock.advance(MINUTE_MS);
  await open.wait();
  assert.deepEqual(open.applied, ['new'], 'another reloader applies it');
  clock.advance(2 * MINUTE_MS);
  assert.equal(clock.delaysMs.length, before, 'no timer is set');
  assert.deepEqual(applied, []);
});
