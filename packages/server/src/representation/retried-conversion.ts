import { expired, StatusError } from '@tributary/apimachinery';
import type { Clock } from '@tributary/storage';
import { orAborted } from '../watch-cache/event-loop.ts';
import type { CacheEvent } from '../watch-cache/types.ts';
import { type ConversionOptions, convertedEvents, type ShownEvent } from './converted-events.ts';
import type { ServedResource } from './served-resource.ts';

/** Delay before a conversion is retried. */
const RETRY_MS = 1000;

/**
 * Retries of all watches in one version run together: the same objects are converted once, however many watches wait
 * for them.
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

/** As long as upstream's store remembers what its caches cannot decode; then caches and watches start again. */
const TRIES_MAX = 300;

/**
 * Converts the events of a watch and retries while the webhook fails. As in upstream, whose watch caches retry, a
 * running watch does not see the failure: it waits, and no event is lost. Events that pile up meanwhile are bounded as
 * for any slow watch. Converted events are not delayed by later ones that fail; an event that still fails after minutes
 * ends the watch with 410.
 */
export async function* convertWithRetries(
  served: Pick<ServedResource, 'converter'>,
  events: readonly CacheEvent[],
  options: ConversionOptions & { readonly pause: RetryPause },
): AsyncGenerator<readonly ShownEvent[]> {
  const { pause, ...conversion } = options;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const shown = await convertedUnlessRefused(served, events, conversion);
    if (shown !== undefined) {
      yield shown;
      return;
    }
    if (events.length > 1) {
      const middle = Math.ceil(events.length / 2);
      yield* convertWithRetries(served, events.slice(0, middle), options);
      yield* convertWithRetries(served, events.slice(middle), options);
      return;
    }
    await orAborted(pause.wait(), conversion.signal);
  }
  throw expired('too old resource version: what has changed since cannot be converted');
}

async function convertedUnlessRefused(
  served: Pick<ServedResource, 'converter'>,
  events: readonly CacheEvent[],
  options: ConversionOptions,
): Promise<readonly ShownEvent[] | undefined> {
  try {
    return await convertedEvents(served, events, options);
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof StatusError)) throw error;
    return undefined;
  }
}
