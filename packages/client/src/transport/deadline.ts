import { TransportError } from '../http/transport-error.ts';

/** Ends a request that takes too long, with an error that names the missing event. */
export class Deadline {
  readonly #controller: AbortController;
  readonly #subject: string;
  #timer: NodeJS.Timeout | undefined;

  constructor(controller: AbortController, subject: string) {
    this.#controller = controller;
    this.#subject = subject;
  }

  start(timeoutMs: number, problem: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#controller.abort(
        new TransportError(`${this.#subject}: ${problem}`, {
          code: 'ETIMEDOUT',
          maybeProcessed: true,
          reusedConnection: false,
        }),
      );
    }, timeoutMs);
  }

  /** Restarts the timeout. */
  refresh(): void {
    this.#timer?.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** A controller that also fires when one of the signals does, until it is released. */
export function abortScope(signals: readonly (AbortSignal | undefined)[]): {
  controller: AbortController;
  release(): void;
} {
  for (const signal of signals) signal?.throwIfAborted();
  const controller = new AbortController();
  const removals: (() => void)[] = [];
  for (const signal of signals) {
    if (signal === undefined) continue;
    const abort = (): void => controller.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    removals.push(() => signal.removeEventListener('abort', abort));
  }
  const release = (): void => {
    for (const remove of removals) remove();
  };
  return { controller, release };
}
