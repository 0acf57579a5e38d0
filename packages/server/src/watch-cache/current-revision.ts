import type { Revision, Storage } from '@tributary/storage';

/**
 * Reads the store's current revision once for all concurrent callers. A caller that arrives during a read waits for the
 * next one: the running read may return a revision older than the call.
 */
export class CurrentRevision {
  readonly #storage: Pick<Storage, 'currentRevision' | 'acknowledgedRevision'>;
  #running: Promise<unknown> | undefined;
  #next: Promise<Revision> | undefined;

  constructor(storage: Pick<Storage, 'currentRevision' | 'acknowledgedRevision'>) {
    this.#storage = storage;
  }

  /** The revision without a read, from an engine that knows it. */
  get known(): Revision | undefined {
    return this.#storage.acknowledgedRevision?.();
  }

  ask(): Promise<Revision> {
    if (this.#next !== undefined) return this.#next;
    if (this.#running === undefined) return this.#start();
    this.#next = this.#running.then(() => {
      this.#next = undefined;
      return this.#start();
    });
    return this.#next;
  }

  /** Has no caller's signal, because the result is for all of them. */
  #start(): Promise<Revision> {
    const read = this.#storage.currentRevision();
    const finish = () => {
      this.#running = undefined;
    };
    // The callers hold the promise itself and see its rejection.
    this.#running = read.then(finish, finish);
    return read;
  }
}
