import type { DatabaseSync } from 'node:sqlite';
import type { Change, Clock, KeyRevision } from '@tributary/storage';
import { prepare, type Statement } from '../database/statement.ts';

/** The maximum number of keys that expire in one transaction, so that commits do not wait long for them. */
const KEYS_MAX = 200;

/** Finds expired keys; their deletion is an ordinary change. */
export class Expiry {
  readonly #clock: Clock;
  readonly #due: Statement<KeyRevision>;
  readonly #next: Statement<{ readonly expires: number | null }>;
  #nextMs = Number.POSITIVE_INFINITY;

  constructor(db: DatabaseSync, clock: Clock) {
    this.#clock = clock;
    this.#due = prepare(
      db,
      `SELECT key, revision FROM latest WHERE expires IS NOT NULL AND expires <= ?
       ORDER BY expires LIMIT ${KEYS_MAX}`,
    );
    this.#next = prepare(
      db,
      'SELECT min(expires) AS expires FROM latest WHERE expires IS NOT NULL',
    );
    this.refresh();
  }

  /** The time until a key expires. */
  get waitMs(): number {
    return this.#nextMs - this.#clock.nowMs();
  }

  /** Deletes that require the revisions found: a commit of the same group may extend a key's time. */
  due(): Change[] {
    if (this.waitMs > 0) return [];
    return Array.from(this.#due.iterate(this.#clock.nowMs()), ({ key, revision }) => ({
      require: [{ key, revision }],
      writes: [{ kind: 'delete', key }],
    }));
  }

  /** Runs after a transaction: its keys may expire before those known. */
  refresh(): void {
    this.#nextMs = this.#next.get()?.expires ?? Number.POSITIVE_INFINITY;
  }

  /** Runs after expired keys could not be deleted; the disk may be full. */
  postpone(byMs: number): void {
    this.#nextMs = this.#clock.nowMs() + byMs;
  }
}
