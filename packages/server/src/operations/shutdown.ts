import type { Clock } from '@tributary/storage';
import type { Cancellation } from '../request/cancellation.ts';

/** As upstream: at least this many watches are ended per second, because their clients all reconnect at once. */
const ENDED_PER_SECOND_MIN = 200;

export class ServerStopping extends Error {
  override readonly name = 'ServerStopping';

  constructor() {
    super('the server is stopping');
  }
}

/** The progress of a shutdown. */
export class Shutdown {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #longRunning = new Set<Cancellation>();
  #hasBegun = false;
  #isDraining = false;

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Not ready, so that load balancers stop sending requests. Requests are still served. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** New requests are rejected. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  begin(): void {
    this.#hasBegun = true;
  }

  drain(): void {
    this.#hasBegun = true;
    this.#isDraining = true;
  }

  /** Returns the function to call when the request has ended. */
  addLongRunning(cancellation: Cancellation): () => void {
    this.#longRunning.add(cancellation);
    return () => this.#longRunning.delete(cancellation);
  }

  /** The time over which the open watches are ended, which grows with their number up to a limit. */
  spreadMs(graceMsMax: number): number {
    return Math.min((this.#longRunning.size / ENDED_PER_SECOND_MIN) * 1000, graceMsMax);
  }

  /** Ends the watches, spread at random over that time. */
  async endWatches(graceMsMax: number): Promise<void> {
    const spreadMs = this.spreadMs(graceMsMax);
    await Promise.all(
      [...this.#longRunning].map(
        (cancellation) =>
          new Promise<void>((resolve) => {
            this.#clock.schedule(this.#random() * spreadMs, () => {
              cancellation.abort(new ServerStopping());
              resolve();
            });
          }),
      ),
    );
  }
}
