/** A place for a data directory that can be full, and have room again. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defer, type SkippableScope, skipOrFail, temporaryDirectory } from '../harness/index.ts';

export interface SmallDisk {
  readonly directory: string;
  /** From soon on, the process whose data is there cannot write any more. */
  fill(pid: number): Promise<void>;
  /** Without a process: the next one has room. */
  free(pid: number | undefined): Promise<void>;
}

export type SmallDiskKind = 'tmpfs' | 'limit';

const SIZE = '48m';
/** Some more fits, so that the disk is full in the middle of something. */
const REST_BYTES = 300 * 1024;
const LIMIT_BYTES = 300 * 1024;

/** A file system of its own where we may mount one, and otherwise, or as well, a limit on files. */
export function smallDiskKinds(): readonly SmallDiskKind[] {
  return canMount() ? ['tmpfs', 'limit'] : ['limit'];
}

/** Undefined, and the test skipped, where there is none to be had. */
export async function smallDisk(
  t: SkippableScope,
  kind: SmallDiskKind,
): Promise<SmallDisk | undefined> {
  const directory = await temporaryDirectory(t);
  return kind === 'tmpfs' ? mountedDisk(t, directory) : limitedFiles(t, directory);
}

function canMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'tributary-mount-'));
  const isMounted = mount(place);
  if (isMounted) unmount(place);
  rmdirSync(place);
  return isMounted;
}

function mount(directory: string): boolean {
  const args = ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', directory];
  return spawnSync('mount', args).status === 0;
}

/** Lazily, when a process still has open files: the mount point is free at once. */
function unmount(directory: string): void {
  if (spawnSync('umount', [directory]).status !== 0) spawnSync('umount', ['-l', directory]);
}

function mountedDisk(t: SkippableScope, directory: string): SmallDisk {
  if (!mount(directory)) throw new Error(`${directory} could not be mounted`);
  defer(t, () => unmount(directory));
  const ballast = join(directory, 'ballast');
  return {
    directory,
    fill: async () => {
      const { bavail, bsize } = await statfs(directory);
      const bytes = Math.max(0, bavail * bsize - REST_BYTES);
      await writeFile(ballast, Buffer.alloc(bytes)).catch(assertFull);
    },
    free: () => rm(ballast),
  };
}

/** Others wrote meanwhile: then it is full already. */
function assertFull(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOSPC') throw error;
}

/** Files with a size limit, which needs no privilege. Node ignores the signal. */
function limitedFiles(t: SkippableScope, directory: string): SmallDisk | undefined {
  if (spawnSync('prlimit', ['--version']).status !== 0) {
    skipOrFail(t, 'prlimit is missing; install it with: apt-get install util-linux');
    return undefined;
  }
  const limit = async (pid: number, bytes: number | 'unlimited'): Promise<void> => {
    // The soft limit alone: the hard one could not be raised again.
    const { status, stderr } = spawnSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:`]);
    if (status !== 0) throw new Error(`prlimit: ${stderr}`);
  };
  return {
    directory,
    fill: (pid) => limit(pid, LIMIT_BYTES),
    free: async (pid) => {
      if (pid !== undefined) await limit(pid, 'unlimited');
    },
  };
}
