/** The program as an installation has it: what a package brings and nothing of the checkout. */
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestScope, temporaryDirectory, withNode } from '../test/harness/index.ts';

const packages = join(import.meta.dirname, '..', 'packages');

export interface InstalledProgram {
  readonly command: string;
  /** So that it runs in the Node that runs this. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** `tributary` out of the last build. The bundle holds all other packages; only the launcher is a file of its own. */
export async function installProgram(scope: TestScope): Promise<InstalledProgram> {
  const modules = join(await temporaryDirectory(scope, 'bench-installed-'), 'node_modules');
  copyFiles(join(packages, 'cli'), join(modules, '@tributary', 'cli'), ['bin', 'bundle']);
  copyFiles(join(packages, 'server'), join(modules, '@tributary', 'server'), ['launcher.js']);
  return {
    command: join(modules, '@tributary', 'cli', 'bin', 'tributary'),
    env: withNode(process.execPath),
  };
}

function copyFiles(from: string, to: string, names: readonly string[]): void {
  const { files } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  mkdirSync(to, { recursive: true });
  for (const name of ['package.json', ...names]) {
    if (name !== 'package.json' && !files.includes(name)) throw new Error(`${name} is not shipped`);
    cpSync(join(from, name), join(to, name), { recursive: true });
  }
}
