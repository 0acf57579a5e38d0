/** Copies the write-ahead log into the database for each message. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

const db = new DatabaseSync(workerData);
// FULL: the database is flushed before the log may restart.
db.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0');
const copy = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
parentPort?.on('message', () => parentPort?.postMessage(copy.get()));
