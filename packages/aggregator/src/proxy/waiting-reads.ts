import type { ApiRequest } from '@tributary/server';
import type { Availability, AvailabilityState } from '../availability/availability.ts';

export interface WaitingReads {
  /** The request waits for a response until it is told to leave; `fail` when its server is known to be unavailable. */
  wait(name: string, fail: (state: AvailabilityState) => void): () => void;
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** A read that is given up may be sent again by its client; a write may have been done. */
export function isRead({ method }: Pick<ApiRequest, 'method'>): boolean {
  return READS.has(method);
}

/**
 * Reads that wait for servers, by registration. A server that freezes is known to be unavailable after a few probes,
 * long before the requests that were sent to it run out of time.
 */
export function waitingReads({
  refusal,
  onChange: follow,
}: Pick<Availability, 'refusal' | 'onChange'>): WaitingReads {
  const waiting = new Map<string, Set<(state: AvailabilityState) => void>>();
  follow((name) => {
    const reads = waiting.get(name);
    const state = reads && refusal(name);
    if (reads === undefined || state === undefined) return;
    waiting.delete(name);
    for (const fail of reads) fail(state);
  });
  return {
    wait(name, fail) {
      let reads = waiting.get(name);
      if (reads === undefined) {
        reads = new Set();
        waiting.set(name, reads);
      }
      reads.add(fail);
      const own = reads;
      return () => {
        own.delete(fail);
        if (own.size === 0 && waiting.get(name) === own) waiting.delete(name);
      };
    },
  };
}
