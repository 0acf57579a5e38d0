/** How many probes run at once; further ones wait for their turn, in order. Each registration has one at most. */
export interface ProbeSeats {
  take(run: () => void): void;
  free(): void;
}

export function probeSeats(seats: number): ProbeSeats {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    take(run) {
      if (taken >= seats) {
        waiting.push(run);
        return;
      }
      taken += 1;
      run();
    },
    free() {
      const next = waiting.shift();
      // The seat goes from one to the next.
      if (next === undefined) taken -= 1;
      else next();
    },
  };
}
