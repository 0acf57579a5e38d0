import { expired, StatusError } from '@tributary/apimachinery';
import type { Clock } from '@tributary/storage';
import { orAborted } from '../watch-cache/event-loop.ts';
import type { CacheEvent } from '../watch-cache/types.ts';
import { type LiftOptions, liftedEvents, type ShownEvent } from './lifted-events.ts';
import type { ServedResource } from './served-resource.ts';

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

/** As long as upstream's store remembers what its caches cannot read: then they begin anew, and so do those who watch. */
const TRIES_MAX = 300;

/**
 * Events as they are shown. As upstream, whose watch caches try again and again, a watch that has begun is not told that
 * nobody can convert at the moment: it waits, and nothing is lost. What piles up meanwhile is bounded as for any slow
 * watch. What can be converted is not kept back for what comes after it and cannot; what still cannot be after minutes,
 * because it is gone perhaps, ends the watch with 410.
 */
export async function* liftPatiently(
  served: Pick<ServedResource, 'lens'>,
  events: readonly CacheEvent[],
  options: LiftOptions & { readonly pause: RetryPause },
): AsyncGenerator<readonly ShownEvent[]> {
  const { pause, ...lifting } = options;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const shown = await liftedUnlessRefused(served, events, lifting);
    if (shown !== undefined) {
      yield shown;
      return;
    }
    if (events.length > 1) {
      const middle = Math.ceil(events.length / 2);
      yield* liftPatiently(served, events.slice(0, middle), options);
      yield* liftPatiently(served, events.slice(middle), options);
      return;
    }
    await orAborted(pause.wait(), lifting.signal);
  }
  throw expired('too old resource version: what has changed since cannot be converted');
}

async function liftedUnlessRefused(
  served: Pick<ServedResource, 'lens'>,
  events: readonly CacheEvent[],
  options: LiftOptions,
): Promise<readonly ShownEvent[] | undefined> {
  try {
    return await liftedEvents(served, events, options);
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof StatusError)) throw error;
    return undefined;
  }
}
