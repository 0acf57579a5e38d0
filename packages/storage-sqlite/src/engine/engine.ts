import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@tributary/storage';
import { Expiry } from '../commits/expiry.ts';
import { GroupCommit } from '../commits/group-commit.ts';
import { createDirectory, openDatabase } from '../database/database.ts';
import { lockDirectory } from '../database/directory-lock.ts';
import { filesOf } from '../database/files.ts';
import { StateRow } from '../database/state.ts';
import { Checkpoint } from '../maintenance/checkpoint.ts';
import { Compaction } from '../maintenance/compaction.ts';
import { CompactionPolicy } from '../maintenance/compaction-policy.ts';
import type { HistoryBounds } from '../messages/messages.ts';
import { HistoryReader } from '../reads/history-reader.ts';
import { RangeReader } from '../reads/range-reader.ts';

export interface EngineOptions {
  readonly directory: string;
  readonly history: HistoryBounds;
  readonly clock: Clock;
  /** Called when work in another thread is done, and there may be more. */
  readonly onCopied: () => void;
}

/** An open data directory and the parts that work on it, all in one thread. */
export interface Engine {
  readonly directory: string;
  readonly db: DatabaseSync;
  readonly state: StateRow;
  readonly commits: GroupCommit;
  readonly ranges: RangeReader;
  readonly history: HistoryReader;
  readonly expiry: Expiry;
  readonly compaction: Compaction;
  readonly policy: CompactionPolicy;
  readonly checkpoint: Checkpoint;
  /** Frees the pages that SQLite caches for the next read; the system caches them too. */
  releaseCache(): void;
  close(): Promise<void>;
}

export function openEngine(options: EngineOptions): Engine {
  const { directory, history, clock, onCopied } = options;
  createDirectory(directory);
  const lock = lockDirectory(directory);
  try {
    const db = openDatabase(directory);
    try {
      const state = new StateRow(db, directory);
      const file = filesOf(directory).database;
      const checkpoint = new Checkpoint(db, { file, clock, onCopied });
      return {
        directory,
        db,
        state,
        commits: new GroupCommit({ db, clock, state }),
        ranges: new RangeReader(db, { state }),
        history: new HistoryReader(db, { directory, state }),
        expiry: new Expiry(db, clock),
        compaction: new Compaction(db, state),
        policy: new CompactionPolicy(history, clock, state.current),
        checkpoint,
        releaseCache: () => db.exec('PRAGMA shrink_memory'),
        async close() {
          await checkpoint.stop();
          // Closing the last connection copies the rest of the log into the database.
          db.close();
          lock.release();
        },
      };
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}
