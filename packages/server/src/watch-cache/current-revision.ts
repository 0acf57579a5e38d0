import type { Revision, Storage } from '@tributary/storage';

/**
 * Asks for the store's revision once for all who want to know it at the same time. Who comes while
 * a question is under way waits for the next one: the answer under way may be older than the call.
 */
export class CurrentRevision {
  readonly #storage: Pick<Storage, 'currentRevision' | 'acknowledgedRevision'>;
  #underWay: Promise<unknown> | undefined;
  #next: Promise<Revision> | undefined;

  constructor(storage: Pick<Storage, 'currentRevision' | 'acknowledgedRevision'>) {
    this.#storage = storage;
  }

  /** Without asking, from an engine that knows. */
  get known(): Revision | undefined {
    return this.#storage.acknowledgedRevision?.();
  }

  ask(): Promise<Revision> {
    if (this.#next !== undefined) return this.#next;
    if (this.#underWay === undefined) return this.#start();
    this.#next = this.#underWay.then(() => {
      this.#next = undefined;
      return this.#start();
    });
    return this.#next;
  }

  /** Without the signal of any one caller: the answer is for all of them. */
  #start(): Promise<Revision> {
    const answer = this.#storage.currentRevision();
    const finish = () => {
      this.#underWay = undefined;
    };
    // The callers have the answer itself and see its failure there.
    this.#underWay = answer.then(finish, finish);
    return answer;
  }
}
