/** Limits concurrent probes; further ones wait in order. Each registration has at most one. */
export interface ProbeSlots {
  acquire(run: () => void): void;
  release(): void;
}

export function probeSlots(seats: number): ProbeSlots {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    acquire(run) {
      if (taken >= seats) {
        waiting.push(run);
        return;
      }
      taken += 1;
      run();
    },
    release() {
      const next = waiting.shift();
      // The slot goes directly to the next probe.
      if (next === undefined) taken -= 1;
      else next();
    },
  };
}
