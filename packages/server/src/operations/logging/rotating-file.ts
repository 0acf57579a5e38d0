import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Destination } from './line-writer.ts';

export interface RotatingFileOptions {
  readonly path: string;
  /** The file is rotated before it grows beyond this; 0 means never. */
  readonly bytesMax: number;
  /** The number of rotated files to retain; 0 means all. */
  readonly backupsMax: number;
  /** How long rotated files are retained; 0 means forever. */
  readonly ageMsMax: number;
  readonly nowMs: () => number;
}

/** A log file that is rotated by size; rotated files are named for the time. */
export function rotatingFile(options: RotatingFileOptions): Destination {
  const { path, bytesMax } = options;
  let current: { handle: FileHandle; bytes: number } | undefined;

  async function openFile(): Promise<{ handle: FileHandle; bytes: number }> {
    await mkdir(dirname(path), { recursive: true });
    const handle = await open(path, 'a', 0o600);
    return { handle, bytes: (await handle.stat()).size };
  }

  async function rotate(handle: FileHandle): Promise<void> {
    current = undefined;
    await handle.close();
    await rename(path, await freeName(options));
    await prune(options);
  }

  async function writeBytes(bytes: Uint8Array): Promise<void> {
    current ??= await openFile();
    if (bytesMax > 0 && current.bytes > 0 && current.bytes + bytes.length > bytesMax) {
      await rotate(current.handle);
      current = await openFile();
    }
    await current.handle.appendFile(bytes);
    current.bytes += bytes.length;
  }

  return {
    write: (text) => writeBytes(Buffer.from(text)),
    writeBytes,
    async close() {
      await current?.handle.close();
      current = undefined;
    },
  };
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.\d{3}$/;

function parts(path: string): { directory: string; prefix: string; extension: string } {
  const extension = extname(path);
  return { directory: dirname(path), prefix: `${basename(path, extension)}-`, extension };
}

/** Two files rotated within a millisecond get different names. */
async function freeName({ path, nowMs }: RotatingFileOptions): Promise<string> {
  const { directory, prefix, extension } = parts(path);
  const taken = new Set(await readdir(directory));
  for (let ms = nowMs(); ; ms += 1) {
    const time = new Date(ms).toISOString().replaceAll(':', '-').replace('Z', '');
    const name = `${prefix}${time}${extension}`;
    if (!taken.has(name)) return join(directory, name);
  }
}

async function prune({ path, backupsMax, ageMsMax, nowMs }: RotatingFileOptions): Promise<void> {
  const { directory, prefix, extension } = parts(path);
  const backups = (await readdir(directory))
    .filter((name) => name.startsWith(prefix) && name.endsWith(extension))
    .map((name) => ({ name, time: name.slice(prefix.length, name.length - extension.length) }))
    .filter(({ time }) => TIME.test(time))
    .sort((a, b) => (a.time < b.time ? 1 : -1));
  for (const [index, { name, time }] of backups.entries()) {
    const isOld = ageMsMax > 0 && nowMs() - timeMs(time) > ageMsMax;
    if (isOld || (backupsMax > 0 && index >= backupsMax)) await rm(join(directory, name));
  }
}

function timeMs(time: string): number {
  return Date.parse(`${time.replace(/T(\d{2})-(\d{2})-(\d{2})/, 'T$1:$2:$3')}Z`);
}
