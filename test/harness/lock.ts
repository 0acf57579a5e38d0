/** A lock among all processes of a machine. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isErrno } from './process-group.ts';

export interface LockOptions {
  /** A folder that all processes of the machine share. */
  folder: string;
  name: string;
  timeoutMs?: number;
}

const POLL_MS = 100;

/** Runs the work while holding the lock. The lock of a dead process is taken over. */
export async function withMachineLock<T>(
  { folder, name, timeoutMs = 10 * 60_000 }: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const path = join(folder, `${name}.lock`);
  await mkdir(folder, { recursive: true });
  const deadline = Date.now() + timeoutMs;
  while (!(await tryAcquire(path))) {
    if (Date.now() >= deadline) throw new Error(`${path} was held for ${timeoutMs} ms`);
    await removeIfAbandoned(path);
    await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function tryAcquire(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Rename first: when two processes find the same dead holder, one moves the file and the other fails. */
async function removeIfAbandoned(path: string): Promise<void> {
  try {
    const holder = Number(await readFile(path, 'utf8'));
    if (!Number.isInteger(holder) || holder === 0 || isAlive(holder)) return;
    const aside = `${path}.${process.pid}`;
    await rename(path, aside);
    await rm(aside, { force: true });
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, 'EPERM');
  }
}
