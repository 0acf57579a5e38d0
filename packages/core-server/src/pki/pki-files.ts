import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The text of each file by its name; absent files have no entry. */
export type PkiFiles = ReadonlyMap<string, string>;

export interface PkiWrite {
  readonly name: string;
  readonly text: string;
}

/** A write takes milliseconds: older temporary files are from a killed process. */
const LEFT_OVER_MS = 60_000;

export async function readPkiFiles(directory: string, names: readonly string[]): Promise<PkiFiles> {
  const texts = await Promise.all(names.map((name) => readIfExists(join(directory, name))));
  return new Map(
    names.flatMap((name, index) => {
      const text = texts[index];
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
}

/** Writes files in order. Each file is complete or absent, even after a power loss, and only readable by its owner. */
export async function writePkiFiles(directory: string, writes: readonly PkiWrite[]): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await removeLeftOvers(directory, writes);
  const suffix = `${randomBytes(6).toString('hex')}.new`;
  const temporary = ({ name }: PkiWrite): string => join(directory, `${name}.${suffix}`);
  try {
    await Promise.all(writes.map((write) => writeDurably(temporary(write), write.text)));
    for (const write of writes) await rename(temporary(write), join(directory, write.name));
  } finally {
    await Promise.all(writes.map((write) => rm(temporary(write), { force: true })));
  }
  await syncDirectory(directory);
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Temporary files may contain keys. Only those of the same files are deleted, because the directory may contain others.
 */
async function removeLeftOvers(directory: string, writes: readonly PkiWrite[]): Promise<void> {
  const written = new Set(writes.map(({ name }) => name));
  for (const file of await readdir(directory)) {
    const [, name = ''] = /^(.+)\.[0-9a-f]{12}\.new$/.exec(file) ?? [];
    if (!written.has(name)) continue;
    const path = join(directory, file);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > LEFT_OVER_MS) await rm(path, { force: true });
  }
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
