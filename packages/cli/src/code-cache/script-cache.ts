/**
 * Scripts with the code that an earlier run has compiled. Node's own compile cache is written before a module runs,
 * without the functions that it calls later: a server compiles thousands of them again in every start. This cache is
 * written when they have run.
 */
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire, getCompileCacheDir } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { constants, Script } from 'node:vm';
import { crc32 } from 'node:zlib';

export interface CachedScript {
  readonly exports: unknown;
  /** Leaves the code that is compiled by now for the next run, unless this one had some. Never throws. */
  keep(): void;
}

/** A function of what a module in CommonJS has around it; the bundler writes it as a file of this form. */
type Wrapped = (
  exports: unknown,
  require: NodeJS.Require,
  module: { exports: unknown },
  filename: string,
  dirname: string,
) => void;

/**
 * Runs a script whose text is one function expression, in ASCII. The hash is that of the text: code is kept for this
 * text alone, and in Node's own folder of compiled code, whose name has Node's version, its flags and the user in it.
 */
export function loadCached(script: URL, hash: string): CachedScript {
  const filename = fileURLToPath(script);
  const folder = getCompileCacheDir();
  const name = basename(filename).replace(/\.\w+$/, '');
  const file = folder && join(folder, `${name}-${hash}.code`);
  const cachedData = file === undefined ? undefined : readCached(file);
  const tag = cachedDataVersionTag();
  const compiled = new Script(readFileSync(filename, 'latin1'), {
    filename,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData && { cachedData }),
  });
  const wrapped = compiled.runInThisContext() as Wrapped;
  const module = { exports: {} as unknown };
  wrapped(module.exports, createRequire(script), module, filename, dirname(filename));
  let isRetained = cachedData !== undefined && !compiled.cachedDataRejected;
  const keep = () => {
    // Code that is compiled under other flags would be refused by the next run.
    if (isRetained || file === undefined || cachedDataVersionTag() !== tag) return;
    isRetained = true;
    try {
      writeCached(file, compiled.createCachedData());
      removeOthers(dirname(file), name);
    } catch {
      // A disk that is full or read-only makes the next start slower, and nothing else.
    }
  };
  return { exports: module.exports, keep };
}

const CHECKSUM_BYTES = 4;

/** Undefined when there is none, or not one that this user has written whole. */
function readCached(file: string): Buffer | undefined {
  let content: Buffer;
  try {
    const descriptor = openSync(file, 'r');
    try {
      if (fstatSync(descriptor).uid !== process.getuid?.()) return undefined;
      content = readFileSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined; // none yet
  }
  if (content.length <= CHECKSUM_BYTES) return undefined;
  const data = content.subarray(CHECKSUM_BYTES);
  return crc32(data) === content.readUInt32LE(0) ? data : undefined;
}

/** Whole or not at all: others may read, or write, at the same time. */
function writeCached(file: string, data: Buffer): void {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(data));
  const made = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(made, Buffer.concat([checksum, data]), { mode: 0o600 });
    renameSync(made, file);
  } finally {
    rmSync(made, { force: true });
  }
}

/** Some releases are used side by side; those before them are not. */
const RELEASES_MAX = 4;

function removeOthers(folder: string, name: string): void {
  const files = readdirSync(folder)
    .filter((entry) => entry.startsWith(`${name}-`) && entry.endsWith('.code'))
    .map((entry) => join(folder, entry))
    .map((path) => ({ path, atMs: statSync(path).mtimeMs }))
    .sort((one, other) => other.atMs - one.atMs);
  for (const { path } of files.slice(RELEASES_MAX)) rmSync(path, { force: true });
}
