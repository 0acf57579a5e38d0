import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createScope, defer } from './scope.ts';
import { temporaryDirectory, temporaryFile } from './temporary.ts';

test('a directory exists as long as its scope', async () => {
  const scope = createScope('directory');
  const path = await temporaryDirectory(scope);
  await writeFile(join(path, 'file'), 'content');
  assert.ok(existsSync(path));
  await scope.close();
  assert.ok(!existsSync(path));
});

test('a file gets its own directory', async (t) => {
  const [one, two] = [await temporaryFile(t, 'a.db'), await temporaryFile(t, 'a.db')];
  assert.notEqual(one, two);
  await writeFile(one, '');
});

test('cleanups run in reverse order, and a failure does not stop the rest', async () => {
  const scope = createScope('order');
  const order: string[] = [];
  defer(scope, () => void order.push('first'));
  defer(scope, () => {
    throw new Error('broken cleanup');
  });
  defer(scope, () => void order.push('last'));
  await assert.rejects(scope.close(), /broken cleanup/);
  assert.deepEqual(order, ['last', 'first']);
});

for (const { keep, want } of [
  { keep: '1', want: true },
  { keep: '', want: false },
]) {
  test(`a failed test ${want ? 'keeps' : 'removes'} its directory with KEEP_TMP=${keep}`, async (t) => {
    const file = join(await temporaryDirectory(t), 'fixture.mjs');
    const harness = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'temporary.ts')).href);
    await writeFile(
      file,
      `import { test } from 'node:test';
       import { temporaryDirectory } from ${harness};
       test('fails', async (t) => {
         process.stderr.write('made ' + (await temporaryDirectory(t)) + '\\n');
         throw new Error('on purpose');
       });`,
    );
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { stderr } = spawnSync(process.execPath, [...process.execArgv, file], {
      env: { ...env, KEEP_TMP: keep },
      encoding: 'utf8',
    });
    const made = /made (.*)/.exec(stderr)?.[1] ?? '';
    t.after(() => rm(made, { recursive: true, force: true }));
    assert.equal(existsSync(made), want);
    assert.equal(stderr.includes(`fails: kept ${made}`), want);
  });
}
