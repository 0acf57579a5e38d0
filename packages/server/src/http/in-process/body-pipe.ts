import { ClientDisconnected } from '../../request/connection-errors.ts';

/** The body of a response on its way to a reader in this process; a slow reader slows the server. */
export class BodyPipe implements AsyncIterable<Uint8Array> {
  readonly #chunks: Uint8Array[] = [];
  #end: { readonly error?: Error } | undefined;
  #left = false;
  #wakeReader: (() => void) | undefined;
  #waiting: { resolve(): void; reject(error: Error): void } | undefined;

  /** Resolves when the reader has taken the bytes, which are copied; rejects when it has left. */
  write(chunk: Uint8Array): Promise<void> {
    if (this.#left) return Promise.reject(new ClientDisconnected());
    this.#chunks.push(Buffer.from(chunk));
    this.#wakeReader?.();
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  /** Ends the body, with an error when it is incomplete. */
  end(error?: Error): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#wakeReader?.();
  }

  /** The reader has left. */
  leave(): void {
    this.#left = true;
    this.#waiting?.reject(new ClientDisconnected());
    this.#waiting = undefined;
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) {
        this.#waiting?.resolve();
        this.#waiting = undefined;
        yield chunk;
        continue;
      }
      if (this.#end?.error !== undefined) throw this.#end.error;
      if (this.#end !== undefined) return;
      await new Promise<void>((wake) => {
        this.#wakeReader = wake;
      });
    }
  }
}
