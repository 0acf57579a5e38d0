import type { Worker } from 'node:worker_threads';
import { StorageUnavailable } from '@tributary/storage';
import type { FirstMessage, WorkerData } from '../messages/messages.ts';
import { deserializeError } from '../messages/serialized-error.ts';
import { type StoreThread, startThread } from './store-thread.ts';

/** Waits for the first message of a thread; throws the error in it. */
export async function whenStarted({
  worker,
  first,
}: StoreThread): Promise<{ worker: Worker; first: FirstMessage }> {
  const said = await first;
  if (said.kind !== 'refused') return { worker, first: said };
  await worker.terminate();
  throw deserializeError(said.failure);
}

/** Runs a task with a single result. */
export async function runTask<Kind extends FirstMessage['kind']>(
  workerData: WorkerData,
  kind: Kind,
): Promise<FirstMessage & { kind: Kind }> {
  const { worker, first } = await whenStarted(startThread(workerData));
  await worker.terminate();
  if (first.kind === kind) return first as FirstMessage & { kind: Kind };
  throw new StorageUnavailable(`the store thread responded ${first.kind}, not ${kind}`);
}
