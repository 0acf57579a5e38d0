import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, StorageUnavailable } from '@tributary/storage';

/** A disk with less room counts as full: a commit of one of the largest objects. */
const PROBE_BYTES = 1024 * 1024;
/** Health checks come every few seconds, from several sides. */
const FRESH_MS = 5_000;
const FILE = 'writable.probe';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
};

/**
 * Checks whether the disk of a data directory accepts writes. Commits do not report that in time: a server that is not
 * ready gets none, and small ones succeed in the room that the log has already.
 */
export class WritableCheck {
  readonly #directory: string;
  readonly #clock: Clock;
  #checkedMs = Number.NEGATIVE_INFINITY;
  #problem: StorageUnavailable | undefined;

  constructor(directory: string, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
  }

  /** Throws `StorageUnavailable` with the reason. */
  check(): void {
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#checkedMs >= FRESH_MS) {
      this.#problem = this.#probe();
      this.#checkedMs = nowMs;
    }
    if (this.#problem !== undefined) throw this.#problem;
  }

  #probe(): StorageUnavailable | undefined {
    const file = join(this.#directory, FILE);
    try {
      const fd = openSync(file, 'w', 0o600);
      try {
        const bytes = Buffer.alloc(PROBE_BYTES);
        for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      } finally {
        closeSync(fd);
      }
      return undefined;
    } catch (error) {
      return this.#problemOf(error as NodeJS.ErrnoException);
    } finally {
      this.#remove(file);
    }
  }

  #remove(file: string): void {
    try {
      rmSync(file, { force: true });
    } catch {
      // On a read-only disk, where it was not created either.
    }
  }

  #problemOf(error: NodeJS.ErrnoException): StorageUnavailable {
    const known = REASONS[error.code ?? ''];
    const text = known === undefined ? 'cannot be written to' : `is ${known}`;
    return new StorageUnavailable(`the disk of ${this.#directory} ${text}: ${error.message}`, {
      cause: error,
    });
  }
}
