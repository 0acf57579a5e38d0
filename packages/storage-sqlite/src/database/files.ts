import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The files of a data directory, which may contain others. */
export function filesOf(directory: string) {
  return {
    database: join(directory, 'store.db'),
    version: join(directory, 'VERSION'),
    lock: join(directory, 'lock.db'),
    owner: join(directory, 'owner.json'),
  };
}

/** Suffixes of the files that SQLite creates beside a database. */
export const COMPANIONS = ['-wal', '-shm', '-journal'] as const;

/** Replaces a small file; after a power failure it has the old text or the new. */
export function writeDurably(file: string, text: string): void {
  const temporary = `${file}.new`;
  const fd = openSync(temporary, 'w', 0o600);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameDurably(temporary, file);
}

export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  syncFile(dirname(to));
}

/** Values may be secrets: only the owner may read the file and the files that SQLite creates beside it. */
export function createPrivately(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
}

/** Flushes a file, or the entries of a directory. */
export function syncFile(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
