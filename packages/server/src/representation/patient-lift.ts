import { StatusError } from '@tributary/apimachinery';
import type { Clock } from '@tributary/storage';
import type { ServedResource } from '../served-resource.ts';
import { orAborted } from '../watch-cache/event-loop.ts';
import type { CacheEvent } from '../watch-cache/types.ts';
import { type LiftOptions, liftedEvents, type ShownEvent } from './lifted-events.ts';

/** How long a watch waits before it asks again. */
const RETRY_MS = 1000;

/**
 * The pauses of all watches in one version end together, so that they ask together: the same objects are then asked for
 * once, however many wait for them.
 */
export class RetryPause {
  readonly #clock: Clock;
  #next: Promise<void> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  wait(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#clock.schedule(RETRY_MS, () => {
      this.#next = undefined;
      resolve();
    });
    this.#next = promise;
    return promise;
  }
}

/**
 * Events as they are shown. As upstream, whose watch caches try again and again, a watch that has begun is not told that
 * nobody can convert at the moment: it waits, and nothing is lost. What piles up meanwhile is bounded as for any slow
 * watch.
 */
export async function liftPatiently(
  served: Pick<ServedResource, 'lens'>,
  events: readonly CacheEvent[],
  { pause, ...options }: LiftOptions & { readonly pause: RetryPause },
): Promise<readonly ShownEvent[]> {
  for (;;) {
    try {
      return await liftedEvents(served, events, options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof StatusError)) throw error;
    }
    await orAborted(pause.wait(), options.signal);
  }
}
