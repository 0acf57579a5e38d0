/** Waiting until an informer is like the server. */
import { AssertionError } from 'node:assert/strict';
import { eventually } from '../harness/index.ts';
import { type Flunder, itemOf } from './flunders.ts';
import type { Follower } from './follower.ts';

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

/** In the end: it has what the server has, and has told it. Gives the time that took; undefined when it does not happen. */
export async function waitUntilQuiet(
  follower: Follower,
  { items, quietMs }: { items: readonly Flunder[]; quietMs: number },
): Promise<number | undefined> {
  const startedMs = performance.now();
  const wanted = fingerprint(items.map((item) => itemOf(item)));
  const isSettled = async () =>
    fingerprint(await follower.store()) === wanted && fingerprint(reported(follower)) === wanted;
  try {
    await eventually(`${follower.name} settles`, isSettled, { withinMs: quietMs, everyMs: 50 });
    return performance.now() - startedMs;
  } catch (error) {
    if (error instanceof AssertionError) return undefined;
    throw error;
  }
}

function reported({ events }: Follower): Iterable<{ key: string; version: number }> {
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
