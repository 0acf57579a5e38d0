import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@tributary/client';
import type { Logger } from '@tributary/server';
import { DOCUMENT_BYTES_MAX, decodeDocument, encodeDocument } from './document-file.ts';
import type { DocumentStore, StoredDocument } from './document-store.ts';

export interface FileDocumentStoreOptions {
  readonly log: Logger;
  readonly clock: Clock;
  /** Of all registrations together. */
  readonly filesMax?: number;
  readonly bytesMax?: number;
}

const FILES_MAX = 4_096;
const BYTES_MAX = 512 * 1024 * 1024;
/** Limits log lines about failed writes; every write is attempted as usual. */
const REPORT_INTERVAL_MS = 60_000;
const PART = /^[a-z0-9.-]{1,64}$/;
const SUFFIX = '.document';
const UNFINISHED = '.unfinished';

/**
 * A file per document, in a directory per registration. Files are renamed into place and not synced, because the digest
 * detects damage of a power failure, and the document is fetched again.
 */
export function fileDocumentStore(
  directory: string,
  options: FileDocumentStoreOptions,
): DocumentStore {
  const { log, clock, filesMax = FILES_MAX, bytesMax = BYTES_MAX } = options;
  /** Pending changes by registration: removal first, then these parts. The last change of a part counts. */
  const waiting = new Map<string, { isRemoved: boolean; parts: Map<string, StoredDocument> }>();
  /** File sizes by path, the oldest document first: it is the first to be removed at a limit. */
  const sizes = new Map<string, number>();
  let working: Promise<void> | undefined;
  let reading: Promise<readonly StoredDocument[]> | undefined;
  let isRead = false;
  let closed = false;
  let reportedMs = Number.NEGATIVE_INFINITY;

  const reportProblem = (problem: unknown, message: string, file: string) => {
    if (clock.nowMs() - reportedMs < REPORT_INTERVAL_MS) return;
    reportedMs = clock.nowMs();
    log.error(problem, message, { file });
  };

  const changesOf = (registration: string) => {
    const known = waiting.get(registration);
    if (known !== undefined) return known;
    const made = { isRemoved: false, parts: new Map<string, StoredDocument>() };
    waiting.set(registration, made);
    return made;
  };

  const work = async () => {
    // The limits need all file sizes.
    if (reading !== undefined || !isRead) await store.read();
    for (let next = takeFirst(waiting); next !== undefined; next = takeFirst(waiting)) {
      const [registration, { isRemoved, parts }] = next;
      if (isRemoved) await removeAll(registration);
      for (const document of parts.values()) await writeOne(document);
    }
    working = undefined;
  };

  const begin = () => {
    working ??= work();
  };

  const removeAll = async (registration: string) => {
    const folder = join(directory, folderName(registration));
    try {
      await rm(folder, { recursive: true, force: true });
      for (const path of sizes.keys()) if (path.startsWith(folder)) sizes.delete(path);
    } catch (error) {
      reportProblem(error, 'Documents of a registration could not be removed', folder);
    }
  };

  const writeOne = async (document: StoredDocument) => {
    const folder = join(directory, folderName(document.registration));
    const path = join(folder, document.part + SUFFIX);
    const chunks = encodeDocument(document);
    const size = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (document.bytes.byteLength > DOCUMENT_BYTES_MAX || size > bytesMax) {
      return reportProblem(
        new Error(`it has ${size} bytes`),
        'A document is too large to be kept',
        path,
      );
    }
    try {
      sizes.delete(path);
      await makeRoom(size);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeWhole(path, chunks);
      sizes.set(path, size);
    } catch (error) {
      reportProblem(error, 'A document could not be kept', path);
    }
  };

  /** Current documents were written lately: the oldest belong to removed registrations. */
  const makeRoom = async (size: number) => {
    let total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, size);
    for (const [path, bytes] of sizes) {
      if (sizes.size < filesMax && total <= bytesMax) return;
      await rm(path, { force: true });
      sizes.delete(path);
      total -= bytes;
    }
  };

  const readAll = async () => {
    const found: { readonly path: string; readonly document: StoredDocument }[] = [];
    let total = 0;
    for (const path of await filesBelow(directory, log)) {
      const document =
        found.length < filesMax && total < bytesMax
          ? await readOne(path)
          : { problem: 'there are too many' };
      if ('problem' in document) {
        log.info('Ignoring damaged document file', { path, why: document.problem });
        continue;
      }
      total += document.bytes.byteLength;
      found.push({ path, document });
    }
    found.sort((a, b) => a.document.goodAtMs - b.document.goodAtMs);
    sizes.clear();
    for (const { path, document } of found) sizes.set(path, document.bytes.byteLength);
    isRead = true;
    return found.map(({ document }) => document);
  };

  const store: DocumentStore = {
    // Several parts read at the same start; they share one read.
    read: () => {
      reading ??= readAll().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    write(document) {
      if (closed) return;
      if (!PART.test(document.part)) throw new Error(`${document.part}: no name of a document`);
      changesOf(document.registration).parts.set(document.part, document);
      begin();
    },
    remove(registration) {
      if (closed) return;
      waiting.set(registration, { isRemoved: true, parts: new Map() });
      begin();
    },
    async flush() {
      while (working !== undefined) await working;
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await store.flush();
    },
  };
  return store;
}

function takeFirst<V>(map: Map<string, V>): [string, V] | undefined {
  for (const entry of map) {
    map.delete(entry[0]);
    return entry;
  }
  return undefined;
}

/** Hashes the name, which comes from a client, so that it is never part of a path. */
function folderName(registration: string): string {
  return createHash('sha256').update(registration).digest('hex').slice(0, 32);
}

async function writeWhole(path: string, chunks: readonly Uint8Array[]): Promise<void> {
  const unfinished = `${path}.${randomUUID()}${UNFINISHED}`;
  try {
    const file = await open(unfinished, 'wx', 0o600);
    try {
      for (const chunk of chunks) await file.writeFile(chunk);
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function readOne(path: string): Promise<StoredDocument | { readonly problem: string }> {
  try {
    const { size } = await stat(path);
    if (size > 2 * DOCUMENT_BYTES_MAX) return { problem: `it has ${size} bytes` };
    const document = decodeDocument(await readFile(path));
    if ('problem' in document) return document;
    const belongs = path.endsWith(join(folderName(document.registration), document.part + SUFFIX));
    return belongs ? document : { problem: 'it is in the place of another' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** In a fixed order. Removes unfinished files of an earlier process. */
async function filesBelow(directory: string, log: Logger): Promise<string[]> {
  const found: string[] = [];
  for (const folder of await listing(directory, log)) {
    for (const file of await listing(join(directory, folder), log)) {
      const path = join(directory, folder, file);
      if (file.endsWith(UNFINISHED)) await removeQuietly(path, log);
      else found.push(path);
    }
  }
  return found;
}

async function listing(directory: string, log: Logger): Promise<string[]> {
  try {
    return (await readdir(directory)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      log.error(error, 'Reading stored documents failed', { directory });
    }
    return [];
  }
}

async function removeQuietly(path: string, log: Logger): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (error) {
    log.error(error, 'Removing unfinished document file failed', { path });
  }
}
