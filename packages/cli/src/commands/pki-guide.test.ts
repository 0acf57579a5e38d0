/** Runs docs/guides/pki.md as a reader does. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { controlPlaneInventory } from '@tributary/core-server';
import { temporaryDirectory } from '../../../../test/harness/index.ts';
import { blocksOf, npxTributary } from '../../../../test/walkthrough.ts';

const root = join(import.meta.dirname, '../../../..');

test('the commands of the guide work, one after the other', async (t) => {
  const folder = await temporaryDirectory(t);
  const programs = await temporaryDirectory(t);
  await writeFile(join(programs, 'npx'), npxTributary(), { mode: 0o755 });
  const env = { ...process.env, PATH: `${programs}:${process.env.PATH}` };
  const commands = blocksOf(await guide()).flatMap((block) =>
    block.kind === 'commands' ? block.commands : [],
  );
  assert.ok(commands.length >= 10);
  for (const { line, output } of commands) {
    const ran = spawnSync('bash', ['-c', line], { cwd: folder, env, encoding: 'utf8' });
    assert.equal(ran.status, 0, `$ ${line}\n${ran.stdout}${ran.stderr}`);
    if (output !== undefined) assert.equal(withoutWidths(ran.stdout), withoutWidths(output), line);
  }
});

test('the guide draws every certificate', async () => {
  const text = await guide();
  const { authorities, leaves } = controlPlaneInventory({});
  for (const { file } of [...authorities, ...leaves]) {
    assert.match(text, new RegExp(`\\b${file}\\.crt\\b`), `${file}.crt`);
  }
});

function guide(): Promise<string> {
  return readFile(join(root, 'docs/guides/pki.md'), 'utf8');
}

function withoutWidths(text: string): string {
  return text.trim().replaceAll(/ +/g, ' ');
}
