import { type Clock, StorageUnavailable } from '@tributary/storage';
import { orAborted } from '../watch-cache/event-loop.ts';

/**
 * Whether a projection can be read. Short outages of its source are tolerated; before the first list there is nothing
 * to serve, so that a failure shows at once.
 */
export class Availability {
  readonly #clock: Clock;
  readonly #toleratedMs: number;
  readonly #onDown: () => void;
  #state: 'starting' | 'up' | 'failing' | 'down' = 'starting';
  #failure: unknown;
  #settled = Promise.withResolvers<void>();
  #cancel: (() => void) | undefined;

  constructor(options: { clock: Clock; toleratedMs: number; onDown: () => void }) {
    this.#clock = options.clock;
    this.#toleratedMs = options.toleratedMs;
    this.#onDown = options.onDown;
  }

  up(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#state = 'up';
    this.#settled.resolve();
  }

  failed(error: unknown): void {
    this.#failure = error;
    if (this.#state === 'starting') this.#down();
    if (this.#state !== 'up') return;
    this.#state = 'failing';
    this.#cancel = this.#clock.schedule(this.#toleratedMs, () => this.#down());
  }

  /** Waits only for the first start. */
  async ready(signal?: AbortSignal): Promise<void> {
    if (this.#state === 'starting') {
      const { promise } = this.#settled;
      await (signal === undefined ? promise : orAborted(promise, signal));
    }
    this.assertUp();
  }

  assertUp(): void {
    if (this.#state !== 'down') return;
    const { message } = this.#failure as Error;
    throw new StorageUnavailable(message, { cause: this.#failure });
  }

  /** Releases the callers that wait for the first list. */
  close(): void {
    this.#cancel?.();
    if (this.#state === 'starting') this.failed(new Error('the projection is closed'));
  }

  #down(): void {
    this.#state = 'down';
    this.#settled.resolve();
    this.#onDown();
  }
}
