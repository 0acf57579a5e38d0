import type { Clock } from '@tributary/storage';
import type { Cancellation } from '../request/cancellation.ts';

/** Watches that are ended within a second at the least, as upstream: their clients all come again at once. */
const ENDED_PER_SECOND_MIN = 200;

export class ServerStopping extends Error {
  override readonly name = 'ServerStopping';

  constructor() {
    super('the server is stopping');
  }
}

/** How far a server is on its way to stop. */
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

  /** Not ready any more: load balancers are to look elsewhere. Everything is served as before. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** New requests are turned away. */
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

  /** Answers how to tell that it has ended. */
  addLongRunning(cancellation: Cancellation): () => void {
    this.#longRunning.add(cancellation);
    return () => this.#longRunning.delete(cancellation);
  }

  /** How long ending the watches that are open will take: longer with their number, up to a bound. */
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
