import { readFileSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StorageInUse } from '../messages/errors.ts';
import { filesOf, writeDurably } from './files.ts';

const SQLITE_BUSY = 5;

/**
 * Only one process may have a data directory. Node has no file locks, but SQLite has: an exclusive transaction on a
 * file of its own, never written, which the kernel ends with the process. Nothing else may open that file in this
 * process: closing any descriptor of a file drops the process's locks on it (fcntl), which is why the owner's pid is in
 * another.
 */
export function lockDirectory(directory: string): { release: () => void } {
  const { lock, owner } = filesOf(directory);
  const db = new DatabaseSync(lock, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (isBusy(error)) throw inUse(directory, owner);
    throw error;
  }
  writeOwner(owner);
  return {
    release() {
      rmSync(owner, { force: true });
      db.close();
    },
  };
}

/** For the error message of another process. On a full disk it is omitted, and the store can still be read. */
function writeOwner(owner: string): void {
  try {
    writeDurably(owner, `${JSON.stringify({ pid: process.pid })}\n`);
  } catch {
    rmSync(`${owner}.new`, { force: true });
  }
}

function inUse(directory: string, owner: string): StorageInUse {
  const pid = ownerPid(owner);
  const holder = pid === undefined ? 'another process' : `process ${pid}`;
  return new StorageInUse(
    `the data directory ${directory} is in use by ${holder}: stop it, or choose another directory`,
  );
}

function ownerPid(owner: string): number | undefined {
  try {
    const { pid } = JSON.parse(readFileSync(owner, 'utf8'));
    return typeof pid === 'number' ? pid : undefined;
  } catch {
    // The file is written after the lock is taken and removed before it is released, so it may be missing.
    return undefined;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
