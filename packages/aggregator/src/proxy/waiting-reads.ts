import type { ApiRequest } from '@tributary/server';
import type { Availability, AvailabilityState } from '../availability/availability.ts';

export interface WaitingReads {
  /** Adds a read until the returned function is called; `fail` is called when its backend becomes unavailable. */
  wait(name: string, fail: (state: AvailabilityState) => void): () => void;
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** A client may retry an aborted read; a write may have been processed. */
export function isRead({ method }: Pick<ApiRequest, 'method'>): boolean {
  return READS.has(method);
}

/**
 * Reads that wait for backends, by registration. A frozen backend is known to be unavailable after a few probes, long
 * before the timeouts of its requests.
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
