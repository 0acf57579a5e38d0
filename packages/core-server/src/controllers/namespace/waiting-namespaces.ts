import type { UnreachableGroup } from '@tributary/client/controller';
import type { RemoteFindings } from './empty-remote-groups.ts';

/** Remembers since when namespaces wait for unavailable servers. It is empty after a restart. */
export interface WaitingNamespaces {
  /** The time of a server restarts when it was available meanwhile. */
  update(
    name: string,
    unreachable: RemoteFindings['unreachable'],
    nowMs: number,
  ): readonly UnreachableGroup[];
  /** The namespace is deleted or waits no longer. */
  forget(name: string): void;
  names(): readonly string[];
  /** The pause before the next attempt; a change of availability ends it. */
  pauseMs(name: string, nowMs: number): number;
}

const PAUSE_MS_MIN = 1_000;
const PAUSE_MS_MAX = 15_000;

export function waitingNamespaces(): WaitingNamespaces {
  const waiting = new Map<string, ReadonlyMap<string, number>>();
  return {
    update(name, unreachable, nowMs) {
      const before = waiting.get(name);
      const groups = [...unreachable].map(([groupVersion, { why, resources }]) => {
        const sinceMs = before?.get(groupVersion) ?? nowMs;
        return { groupVersion, why, resources, sinceMs };
      });
      if (groups.length === 0) waiting.delete(name);
      else waiting.set(name, new Map(groups.map((one) => [one.groupVersion, one.sinceMs])));
      return groups;
    },
    forget: (name) => void waiting.delete(name),
    names: () => [...waiting.keys()],
    pauseMs(name, nowMs) {
      const times = [...(waiting.get(name)?.values() ?? [])];
      const longestMs = times.reduce((longest, time) => Math.max(longest, nowMs - time), 0);
      // A tenth of the time waited so far, so that long waits cause few attempts.
      return Math.min(Math.max(longestMs / 10, PAUSE_MS_MIN), PAUSE_MS_MAX);
    },
  };
}
