/** The program as installed: the files of its package, without the checkout. */
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestScope, temporaryDirectory, withNode } from '../test/harness/index.ts';

const packages = join(import.meta.dirname, '..', 'packages');

export interface InstalledProgram {
  readonly command: string;
  /** Selects the Node that runs this process. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Copies `tributary` from the last build. The bundle contains all other packages; only the launcher is a separate
 * file.
 */
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
