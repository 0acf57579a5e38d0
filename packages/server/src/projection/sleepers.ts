import type { Clock } from '@tributary/storage';

/** Tasks that wait for a change, and check their condition after each one. */
export class Sleepers {
  readonly #waiting = new Set<() => void>();

  wake(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Resolves when something changes or the signal fires. */
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

  /** Waits until a condition is true, checked after each change; returns false at the timeout. */
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
