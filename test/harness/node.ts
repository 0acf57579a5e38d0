/** Runs the workspace's programs in a test. */
import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { sourceFlags } from '../../packages/server/launcher.js';
import { findPrograms } from './programs.ts';

/** The command and arguments that run a TypeScript file of the workspace from its sources, on this Node. */
export function runSource(
  file: string,
  args: readonly string[] = [],
): { command: string; args: string[] } {
  return { command: process.execPath, args: [...sourceFlags(), file, ...args] };
}

/** The machine's Node when it is too old for us. npm puts the pinned Node before it on the path. */
export function findOldNode(): { path: string; version: string } | undefined {
  return findPrograms('node')
    .map((path) => ({
      path,
      version: spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout.trim(),
    }))
    .find(({ version }) => Number(/^v(\d+)/.exec(version)?.[1]) < 24);
}

/** An environment in which scripts that start `node` use this one. */
export function withNode(path: string): Record<string, string | undefined> {
  return { ...process.env, PATH: [dirname(path), process.env.PATH].join(delimiter) };
}
