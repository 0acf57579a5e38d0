import type { Clock } from '@tributary/storage';

/** Those who wait for something to change, and look again each time it does. */
export class Sleepers {
  readonly #waiting = new Set<() => void>();

  wake(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Until something changes or the signal fires. */
  async sleep(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    this.#waiting.add(wake);
    signal.addEventListener('abort', wake);
    if (signal.aborted) wake();
    try {
      await promise;
    } finally {
      this.#waiting.delete(wake);
      signal.removeEventListener('abort', wake);
    }
  }

  /** Until something is true, looked at after each change; false when that takes too long. */
  async until(isTrue: () => boolean, options: { clock: Clock; waitMs: number }): Promise<boolean> {
    const late = new AbortController();
    const cancel = options.clock.schedule(options.waitMs, () => late.abort());
    try {
      while (!isTrue()) {
        if (late.signal.aborted) return false;
        await this.sleep(late.signal);
      }
      return true;
    } finally {
      cancel();
    }
  }
}
