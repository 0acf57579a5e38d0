/** Finds programs, on the path and where Debian keeps those that are not. */
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export function findProgram(
  name: string,
  path: string = process.env.PATH ?? '',
): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return findIn(name, [...folders, '/usr/sbin', '/usr/local/sbin']);
}

/** PostgreSQL's servers of all installed versions, newest first; Debian keeps them off the path. */
export function findPostgresql(): string | undefined {
  const onPath = findProgram('postgres');
  if (onPath !== undefined) return onPath;
  const base = '/usr/lib/postgresql';
  const versions = listFolder(base).sort((a, b) => Number(b) - Number(a));
  return findIn(
    'postgres',
    versions.map((version) => join(base, version, 'bin')),
  );
}

function findIn(name: string, folders: readonly string[]): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // Absent and unreadable are the same answer to "can I run it?".
  }
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return []; // No folder, no versions.
  }
}
