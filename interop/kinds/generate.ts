import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { KindFacts } from './facts.ts';
import { buildStructure } from './structure.ts';
import { writeFiles } from './write-files.ts';

const root = join(import.meta.dirname, '../..');

export const generatedFolder = join(root, 'packages/api/src/generated');

/** The text of every generated file by its name, formatted. */
export async function generateFiles(facts: KindFacts): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const [name, source] of writeFiles(buildStructure(facts), facts)) {
    files.set(name, await formatted(join(generatedFolder, name), source));
  }
  return files;
}

/** Imports are sorted and lines broken as everywhere. */
async function formatted(path: string, source: string): Promise<string> {
  const biome = join(root, 'node_modules/.bin/biome');
  const sorted = ['check', '--write', '--linter-enabled=false', `--stdin-file-path=${path}`];
  const child = spawn(biome, sorted, { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject).once('close', resolve);
  child.stdin.end(source);
  const [code, output, problems] = await Promise.all([
    promise,
    text(child.stdout),
    text(child.stderr),
  ]);
  if (code !== 0) throw new Error(`biome could not format ${path}: ${problems}`);
  return output;
}
