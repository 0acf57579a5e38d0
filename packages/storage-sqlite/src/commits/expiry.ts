import type { DatabaseSync } from 'node:sqlite';
import type { Change, Clock, KeyRevision } from '@tributary/storage';
import { prepare, type Statement } from '../database/statement.ts';

/** At most this many keys end in one transaction, so that commits do not wait long for them. */
const KEYS_MAX = 200;

/** Finds the keys whose time is over; deleting them is an ordinary change. */
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

  /** How long until a key ends. */
  get waitMs(): number {
    return this.#nextMs - this.#clock.nowMs();
  }

  /** Deletes that require what was found: a commit of the same group may give a key more time. */
  due(): Change[] {
    if (this.waitMs > 0) return [];
    return Array.from(this.#due.iterate(this.#clock.nowMs()), ({ key, revision }) => ({
      require: [{ key, revision }],
      writes: [{ kind: 'delete', key }],
    }));
  }

  /** After a transaction: its keys may end before those known. */
  refresh(): void {
    this.#nextMs = this.#next.get()?.expires ?? Number.POSITIVE_INFINITY;
  }

  /** The keys that are due could not be deleted; the disk may be full. */
  postpone(byMs: number): void {
    this.#nextMs = this.#clock.nowMs() + byMs;
  }
}
