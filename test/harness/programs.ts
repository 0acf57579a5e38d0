/** Finds programs, on the path and in Debian's directories beside it. */
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export function findProgram(name: string, path?: string): string | undefined {
  return findPrograms(name, path)[0];
}

/** Every program of that name, in the order in which a shell searches for them. */
export function findPrograms(name: string, path: string = process.env.PATH ?? ''): string[] {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return findIn(name, [...folders, '/usr/sbin', '/usr/local/sbin']);
}

/** PostgreSQL's servers of all installed versions, newest first; Debian installs them outside of the path. */
export function findPostgresql(): string | undefined {
  const onPath = findProgram('postgres');
  if (onPath !== undefined) return onPath;
  const base = '/usr/lib/postgresql';
  const versions = listFolder(base).sort((a, b) => Number(b) - Number(a));
  const folders = versions.map((version) => join(base, version, 'bin'));
  return findIn('postgres', folders)[0];
}

function findIn(name: string, folders: readonly string[]): string[] {
  return folders.map((folder) => join(folder, name)).filter(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // An absent and an unreadable file are both not executable.
  }
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return []; // No folder, no versions.
  }
}
