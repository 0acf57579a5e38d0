import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { StorageUnavailable } from '@tributary/storage';
import { fromFailure } from './failure.ts';
import type { FirstMessage, WorkerData } from './protocol.ts';

/** Beside this file, as source or as built. */
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js',
  import.meta.url,
);

/** Starts a worker and waits for its first message; throws what it was refused with. */
export async function startWorker(
  workerData: WorkerData,
): Promise<{ worker: Worker; first: FirstMessage }> {
  const worker = new Worker(ENTRY, {
    workerData,
    name: 'tributary-sqlite',
  });
  const [first] = (await once(worker, 'message')) as [FirstMessage];
  if (first.kind !== 'refused') return { worker, first };
  await worker.terminate();
  throw fromFailure(first.failure);
}

/** For work that is one answer long. */
export async function runWorker<Kind extends FirstMessage['kind']>(
  workerData: WorkerData,
  kind: Kind,
): Promise<FirstMessage & { kind: Kind }> {
  const { worker, first } = await startWorker(workerData);
  await worker.terminate();
  if (first.kind === kind) return first as FirstMessage & { kind: Kind };
  throw new StorageUnavailable(`the worker answered ${first.kind}, not ${kind}`);
}
