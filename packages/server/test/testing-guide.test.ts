/** The guide to testing says nothing that is not so: its blocks are files of a project, and its tests are run. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../../../test/harness/index.ts';

const ROOT = join(import.meta.dirname, '../../..');

test('the tests of the guide pass as they stand', async (t) => {
  const guide = await readFile(join(ROOT, 'docs/guides/testing-your-server.md'), 'utf8');
  const files = [...guide.matchAll(/```ts (\S+)\n([\s\S]*?)```/g)];
  assert.ok(files.length >= 5);
  const project = await temporaryDirectory(t);
  await symlink(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  for (const [, name = '', text = ''] of files) await writeFile(join(project, name), text);
  const tests = files.map(([, name = '']) => name).filter((name) => name.endsWith('.test.ts'));
  for (const name of tests) {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=tributary-source', '--test-reporter=tap', join(project, name)],
      // A test that runs inside a test run would otherwise report to the outer one.
      { cwd: project, env: { ...process.env, NODE_TEST_CONTEXT: '' }, timeout: 120_000 },
    );
    assert.match(stdout, /^# fail 0$/m, `${name}\n${stdout}`);
    assert.match(stdout, /^# pass [1-9]/m, `${name}\n${stdout}`);
  }
});
