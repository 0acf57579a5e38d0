import type { Client, Clock } from '@tributary/client';
import { type DiscoveredKinds, kindDiscovery } from './discover-kinds.ts';

/** Polls discovery periodically, and soon after served resources may have changed. */
interface DiscoveryPoll {
  readonly current: DiscoveredKinds;
  /** Polls soon, because served resources changed or will change. */
  pollSoon(): void;
  readonly done: Promise<void>;
}

interface PollOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onChange: (kinds: DiscoveredKinds) => void;
  readonly onError: (error: unknown) => void;
}

/** As upstream. */
const PERIOD_MS = 30_000;
/** Discovery of a new APIService or CustomResourceDefinition appears with a delay. */
const POLLS_AFTER_CHANGE_MS = [300, 700, 1_000, 2_000, 4_000];

const NOTHING: DiscoveredKinds = { watched: [], resourceOf: () => undefined };

export function pollDiscovery(options: PollOptions): DiscoveryPoll {
  const { client, clock, signal, onChange, onError } = options;
  const discovery = kindDiscovery(client);
  let current = NOTHING;
  /** The number of polls since the last change. */
  let looks = POLLS_AFTER_CHANGE_MS.length;
  let wake = () => {};
  const pause = async (): Promise<void> => {
    const delayMs = POLLS_AFTER_CHANGE_MS[looks] ?? PERIOD_MS;
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
        const kinds = await discovery.discover(signal);
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
    pollSoon() {
      // The first poll follows after a pause, so that several changes cause one.
      if (looks > 1) {
        looks = 0;
        wake();
      } else looks = 0;
    },
    done: run(),
  };
}
