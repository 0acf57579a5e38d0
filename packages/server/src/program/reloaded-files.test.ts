import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Clock, manualClock, systemClock } from '@tributary/storage';
import { eventually } from '../../../../test/harness/index.ts';
import { reloadFiles } from './reloaded-files.ts';

const MINUTE_MS = 60_000;

async function directoryOf(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'reloaded-'));
  t.after(() => rm(directory, { recursive: true }));
  return directory;
}

async function watched(t: TestContext, clock: Clock, paths: readonly string[]) {
  for (const path of paths) await writeFile(path, 'old');
  const told: string[] = [];
  let next = Promise.withResolvers<void>();
  const tell = (text: string) => {
    told.push(text);
    next.resolve();
  };
  const reloading = await reloadFiles(
    {
      what: 'it',
      paths,
      apply(contents) {
        if (contents.includes('bad')) throw new Error('is bad');
        tell(contents.join('+'));
      },
    },
    {
      clock,
      onReloaded: () => {},
      onFailed: (_what, error) => tell(String(error)),
    },
  );
  t.after(() => reloading.close());
  const wait = async () => {
    await next.promise;
    next = Promise.withResolvers<void>();
  };
  return { told, wait, reloading };
}

/** A clock that shows what is waited for: less than a minute after a change was told, and a minute after each look. */
function shownClock() {
  const clock = manualClock();
  const delaysMs: number[] = [];
  const schedule: Clock['schedule'] = (delayMs, run) => {
    delaysMs.push(delayMs);
    return clock.schedule(delayMs, run);
  };
  const looks = () => delaysMs.filter((delayMs) => delayMs === MINUTE_MS).length;
  return {
    ...clock,
    schedule,
    delaysMs,
    changeTold: () =>
      eventually('the system tells of a change', () => delaysMs.some((ms) => ms < MINUTE_MS)),
    /** Lets time pass until the files have been looked at once more. */
    look: async () => {
      const before = looks();
      await eventually('a look is over', () => {
        clock.advance(MINUTE_MS);
        return looks() > before;
      });
    },
  };
}

test('what changes together is read together, at once where the system tells', async (t) => {
  const directory = await directoryOf(t);
  const paths = ['tls.crt', 'tls.key'].map((name) => join(directory, name));
  const clock = shownClock();
  const { told, wait } = await watched(t, clock, paths);
  for (const path of paths) await writeFile(path, 'new');
  await clock.changeTold();
  clock.advance(MINUTE_MS / 60);
  await wait();
  assert.deepEqual(told, ['new+new']);
});

test('a link that is put in place of another is a change, as mounted secrets have them', async (t) => {
  const directory = await directoryOf(t);
  const path = join(directory, 'ca.crt');
  const { told, wait } = await watched(t, systemClock, [path]);
  await mkdir(join(directory, 'data'));
  await writeFile(join(directory, 'data', 'ca.crt'), 'linked');
  await symlink(join('data', 'ca.crt'), join(directory, 'link'));
  await rename(join(directory, 'link'), path);
  await wait();
  assert.deepEqual(told, ['linked']);
});

test('what is bad is told once and tried no more, until it changes', async (t) => {
  const clock = shownClock();
  const path = join(await directoryOf(t), 'tokens.csv');
  const { told } = await watched(t, clock, [path]);
  await writeFile(path, 'bad');
  await clock.look();
  assert.deepEqual(told, ['Error: is bad']);
  await clock.look();
  assert.deepEqual(told, ['Error: is bad']);
  await rm(path);
  await clock.look();
  assert.match(told[1] ?? '', /ENOENT/);
  await writeFile(path, 'good');
  await clock.look();
  assert.equal(told.at(-1), 'good');
});

test('nothing is read any more after it was closed', async (t) => {
  const path = join(await directoryOf(t), 'a');
  const clock = shownClock();
  const { told, reloading } = await watched(t, clock, [path]);
  const other = { clock: shownClock() };
  const open = await watched(t, other.clock, [path]);
  reloading.close();
  const before = clock.delaysMs.length;
  await writeFile(path, 'new');
  await other.clock.changeTold();
  other.clock.advance(MINUTE_MS);
  await open.wait();
  assert.deepEqual(open.told, ['new'], 'another one hears of it');
  clock.advance(2 * MINUTE_MS);
  assert.equal(clock.delaysMs.length, before, 'nothing is planned');
  assert.deepEqual(told, []);
});
