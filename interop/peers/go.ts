import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export interface Go {
  path: string;
  /** As in `1.26.8`. */
  version: string;
  /** As in `linux/amd64`. */
  platform: string;
}

/** The Go toolchain on the path. Never a downloaded one: what is measured and cached names its compiler. */
export function findGo(path: string = process.env.PATH ?? ''): Go | undefined {
  const file = findExecutable('go', path);
  if (file === undefined) return undefined;
  // Outside every module, where no go.mod can ask for another toolchain.
  const { stdout } = spawnSync(file, ['version'], {
    cwd: tmpdir(),
    env: { ...process.env, GOTOOLCHAIN: 'local' },
    encoding: 'utf8',
  });
  const parsed = parseGoVersion(stdout ?? '');
  return parsed && { path: file, ...parsed };
}

/** Reads the answer of `go version`. */
export function parseGoVersion(line: string): { version: string; platform: string } | undefined {
  const match = /^go version (?:devel )?go(\d+(?:\.\d+)+).* (\w+\/\w+)\s*$/.exec(line);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { version: match[1], platform: match[2] };
}

/** Compares dotted numbers part by part: 1.9 is older than 1.26. */
export function isAtLeast(version: string, minimum: string): boolean {
  const have = version.split('.').map(Number);
  for (const [index, want] of minimum.split('.').map(Number).entries()) {
    const difference = (have[index] ?? 0) - want;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function findExecutable(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // Absent and unreadable are the same answer to "can I run it?".
  }
}
