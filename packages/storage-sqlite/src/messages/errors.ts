import {
  Compacted,
  FutureRevision,
  type Revision,
  StorageUnavailable,
  StorageUnreadable,
  type Stored,
  unreadableStored,
} from '@tributary/storage';

/** Another process, or another store of this one, has the data directory open. */
export class StorageInUse extends Error {
  override readonly name = 'StorageInUse';
}

/** A newer program wrote the data directory, or it is in the middle of a restore. */
export class UnsupportedFormat extends Error {
  override readonly name = 'UnsupportedFormat';
}

/** The files do not contain what was written. The message says what to do. */
export class StorageDamaged extends StorageUnavailable {
  override readonly name = 'StorageDamaged';
}

export function damaged(directory: string, finding: string): StorageDamaged {
  return new StorageDamaged(
    `the store in ${directory} is damaged: ${finding}. Keep a copy of the directory, ` +
      'then restore a backup into it (tributary storage restore)',
  );
}

/** A single damaged value; all others are served. */
export function damagedValue(at: { readonly key: string; readonly revision: Revision }): Stored {
  const problem = 'it has a wrong checksum';
  return unreadableStored(at, new StorageUnreadable({ ...at, keyName: undefined, problem }));
}

/** Primary result codes of SQLite, see https://sqlite.org/rescode.html. */
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
/** Extended: the file ends before a page that should be in it. */
const SQLITE_IOERR_SHORT_READ = 522;

const KNOWN = [StorageUnavailable, StorageInUse, UnsupportedFormat, Compacted, FutureRevision];

/** Translates an error of SQLite, or any other, to the classes that callers know. */
export function translateError(error: unknown, directory: string): Error {
  if (KNOWN.some((known) => error instanceof known)) return error as Error;
  const message = error instanceof Error ? error.message : String(error);
  if (isDamage(error)) return damaged(directory, message);
  return new StorageUnavailable(`the store in ${directory} failed: ${message}`, { cause: error });
}

function isDamage(error: unknown): boolean {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) {
    return false;
  }
  const primary = error.errcode & 0xff;
  return (
    primary === SQLITE_CORRUPT ||
    primary === SQLITE_NOTADB ||
    error.errcode === SQLITE_IOERR_SHORT_READ
  );
}
