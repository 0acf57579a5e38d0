/** Runs the commands of docs/guides/bootstrap.md that need no cluster; interop/bootstrap has a cluster. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../../test/harness/index.ts';
import { blocksOf, npxTributary } from '../../../../test/walkthrough.ts';
import { bootstrapCommand } from './bootstrap.ts';

const root = join(import.meta.dirname, '../../../..');
const page = await readFile(join(root, 'docs/guides/bootstrap.md'), 'utf8');

test('the commands of the guide work, one after the other', async (t) => {
  const folder = await temporaryDirectory(t);
  const programs = await temporaryDirectory(t);
  await writeFile(join(programs, 'npx'), npxTributary(), { mode: 0o755 });
  await mkdir(join(folder, 'node_modules'));
  const ours = join('node_modules', '@tributary');
  await symlink(join(root, ours), join(folder, ours));
  const env = { ...process.env, PATH: `${programs}:${process.env.PATH}` };
  let ran = 0;
  for (const block of blocksOf(page)) {
    if (block.kind === 'file') await writeFile(join(folder, block.name), block.text);
    const commands = block.kind === 'commands' ? block.commands : [];
    for (const { line } of commands.filter((one) => one.line.startsWith('npx tributary '))) {
      const { status, stderr } = spawnSync('bash', ['-c', line], {
        cwd: folder,
        env,
        encoding: 'utf8',
      });
      assert.equal(status, 0, `$ ${line}\n${stderr}`);
      const [, file = ''] = /> (\S+)$/.exec(line) ?? [];
      assert.match(await readFile(join(folder, file), 'utf8'), /^kind: List$/m, line);
      ran += 1;
    }
  }
  assert.equal(ran, 5);
});

test('every flag that the guide names exists', () => {
  const known = new Set(bootstrapCommand().options.map(({ long }) => long));
  // Of kubectl, of podman, and of `tributary up`.
  const others = ['--kubeconfig', '--raw', '--build-arg', '--sample'];
  const named = new Set([...page.matchAll(/(?<= |`)--[a-z][a-z-]+/g)].map(([flag]) => flag));
  assert.ok(named.size >= 12);
  assert.deepEqual(
    [...named].filter((flag) => !known.has(flag) && !others.includes(flag)),
    [],
  );
});
