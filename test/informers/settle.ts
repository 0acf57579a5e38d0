/** Waiting until an informer is like the server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Flunder, itemOf } from './flunders.ts';
import type { Follower } from './follower.ts';

const POLL_MS = 100;

/** In the beginning. Throws with the name of the informer when it is not in time. */
export async function inTime(follower: Follower, signal: AbortSignal): Promise<void> {
  const late = Promise.withResolvers<never>();
  const reject = (): void => late.reject(new Error(`${follower.name} did not sync in time`));
  signal.addEventListener('abort', reject, { once: true });
  try {
    await Promise.race([follower.whenSynced(signal), late.promise]);
  } finally {
    signal.removeEventListener('abort', reject);
  }
}

/** In the end: it has what the server has, and has told it. Gives the time that took. */
export async function settle(
  follower: Follower,
  { items, settleMs }: { items: readonly Flunder[]; settleMs: number },
): Promise<number | undefined> {
  const startedMs = performance.now();
  const wanted = fingerprint(items.map((item) => itemOf(item)));
  while (performance.now() - startedMs < settleMs) {
    if (fingerprint(await follower.store()) === wanted && fingerprint(told(follower)) === wanted) {
      return performance.now() - startedMs;
    }
    await sleep(POLL_MS);
  }
  return undefined;
}

function told({ events }: Follower): Iterable<{ key: string; version: number }> {
  const view = new Map<string, { key: string; version: number }>();
  for (const event of events) {
    if (event.kind === 'delete') view.delete(event.key);
    else view.set(event.key, event);
  }
  return view.values();
}

function fingerprint(objects: Iterable<{ key: string; version: number }>): string {
  return [...objects]
    .map(({ key, version }) => `${key}@${version}`)
    .sort()
    .join();
}
