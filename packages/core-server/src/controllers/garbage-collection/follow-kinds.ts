import type { Client, Clock } from '@tributary/client';
import { type DiscoveredKinds, kindDiscovery } from './discover-kinds.ts';

/** What is served, looked at now and then, and soon after it may have changed. */
interface FollowedKinds {
  readonly current: DiscoveredKinds;
  /** What is served may have changed, or will soon. */
  lookSoon(): void;
  readonly done: Promise<void>;
}

interface FollowKindsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onChange: (kinds: DiscoveredKinds) => void;
  readonly onError: (error: unknown) => void;
}

/** As upstream. */
const PERIOD_MS = 30_000;
/** Documents of other servers follow their registration by and by. */
const LOOKS_MS = [300, 700, 1_000, 2_000, 4_000];

const NOTHING: DiscoveredKinds = { watched: [], resourceOf: () => undefined };

export function followKinds(options: FollowKindsOptions): FollowedKinds {
  const { client, clock, signal, onChange, onError } = options;
  const discovery = kindDiscovery(client);
  let current = NOTHING;
  /** How many of the looks after a change were taken. */
  let looks = LOOKS_MS.length;
  let wake = () => {};
  const pause = async (): Promise<void> => {
    const delayMs = LOOKS_MS[looks] ?? PERIOD_MS;
    looks += 1;
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = () => resolve();
    const cancel = clock.schedule(delayMs, wake);
    signal.addEventListener('abort', wake, { once: true });
    if (!signal.aborted) await promise;
    cancel();
    signal.removeEventListener('abort', wake);
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        const kinds = await discovery.look(signal);
        if (kinds !== undefined) {
          current = kinds;
          onChange(kinds);
        }
      } catch (error) {
        if (!signal.aborted) onError(error);
      }
      await pause();
    }
  };
  return {
    get current() {
      return current;
    },
    lookSoon() {
      // The first look comes a moment later, and many changes at once are one.
      if (looks > 1) {
        looks = 0;
        wake();
      } else looks = 0;
    },
    done: run(),
  };
}
