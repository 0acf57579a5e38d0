import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Clock, manualClock, systemClock } from '@tributary/storage';
import { reloadFiles } from './reloaded-files.ts';

async function watched(t: TestContext, clock: Clock, names: readonly string[]) {
  const directory = await mkdtemp(join(tmpdir(), 'reloaded-'));
  t.after(() => rm(directory, { recursive: true }));
  const paths = names.map((name) => join(directory, name));
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
  return { directory, paths, told, wait, reloading };
}

test('what changes together is read together, at once where the system tells', async (t) => {
  const { paths, told, wait } = await watched(t, systemClock, ['tls.crt', 'tls.key']);
  for (const path of paths) await writeFile(path, 'new');
  await wait();
  assert.deepEqual(told, ['new+new']);
});

test('a link that is put in place of another is a change, as mounted secrets have them', async (t) => {
  const { directory, paths, told, wait } = await watched(t, systemClock, ['ca.crt']);
  const [path = ''] = paths;
  await mkdir(join(directory, 'data'));
  await writeFile(join(directory, 'data', 'ca.crt'), 'linked');
  await symlink(join('data', 'ca.crt'), join(directory, 'link'));
  await rename(join(directory, 'link'), path);
  await wait();
  assert.deepEqual(told, ['linked']);
});

test('what is bad is told once and tried no more, until it changes', async (t) => {
  const clock = manualClock();
  const { paths, told, wait } = await watched(t, clock, ['tokens.csv']);
  const [path = ''] = paths;
  const minute = async () => {
    clock.advance(60_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
  };
  await writeFile(path, 'bad');
  await minute();
  await wait();
  await minute();
  assert.deepEqual(told, ['Error: is bad']);
  await rm(path);
  await minute();
  await wait();
  assert.match(told[1] ?? '', /ENOENT/);
  await writeFile(path, 'good');
  await minute();
  await wait();
  assert.equal(told.at(-1), 'good');
});

test('nothing is read any more after it was closed', async (t) => {
  const clock = manualClock();
  const { paths, told, reloading } = await watched(t, clock, ['a']);
  reloading.close();
  await writeFile(paths[0] ?? '', 'new');
  clock.advance(120_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(told, []);
});
