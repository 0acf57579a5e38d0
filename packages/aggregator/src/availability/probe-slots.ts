/** How many probes run at once; further ones wait for their turn, in order. Each registration has one at most. */
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
      // The seat goes from one to the next.
      if (next === undefined) taken -= 1;
      else next();
    },
  };
}
