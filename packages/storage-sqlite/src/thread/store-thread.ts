import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FirstMessage, WorkerData } from '../messages/messages.ts';

/** Beside this file, as source or as built. */
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js',
  import.meta.url,
);

/** A thread with a database of its own. */
export interface StoreThread {
  readonly worker: Worker;
  /** The first message; rejected when the thread cannot start. */
  readonly first: Promise<FirstMessage>;
}

export function startThread(workerData: WorkerData): StoreThread {
  const worker = new Worker(ENTRY, { workerData, name: 'tributary-sqlite' });
  const ended = once(worker, 'exit').then(([code]): never => {
    throw new Error(`the thread of the store failed: it ended with ${code}`);
  });
  const began = once(worker, 'message').then(([message]) => message as FirstMessage);
  const first = Promise.race([began, ended]);
  first.catch(() => {}); // openSqliteStorage reports it
  return { worker, first };
}

/**
 * Begins to open a data directory while the program still loads its modules: a thread takes as long to start as a
 * server to load. This module imports nothing else that would have to be loaded before.
 */
export function startStoreThread(directory: string): StoreThread {
  return startThread({ task: 'serve', options: { directory } });
}
