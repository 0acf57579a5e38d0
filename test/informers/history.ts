/** Changes of objects, and the events of an informer. */

/** A version of an object: its resourceVersion as a number. */
export type Version = number;

/** An object from its creation to its end. */
export interface Life {
  readonly key: string;
  readonly uid: string;
  /** In order. The version of the end is not among them: the answer to a DELETE does not tell it. */
  readonly versions: readonly Version[];
  readonly ended: boolean;
}

/** One call of an informer's handler. */
export interface InformerEvent {
  readonly kind: 'add' | 'update' | 'delete';
  readonly key: string;
  readonly uid: string;
  readonly version: Version;
}

/** One object of an informer's store, or of a list. */
export interface Item {
  readonly key: string;
  readonly uid: string;
  readonly version: Version;
  /** Of the content, see `content-hash.ts`. */
  readonly hash: string;
}

/** Every change that was acknowledged. */
export class ChangeHistory {
  readonly #lives = new Map<string, { key: string; versions: Version[]; ended: boolean }>();
  readonly #listeners = new Set<() => void>();
  #changes = 0;
  #latest: Version = 0;

  get changes(): number {
    return this.#changes;
  }

  /** The highest version that was acknowledged. */
  get latest(): Version {
    return this.#latest;
  }

  get lives(): Life[] {
    return [...this.#lives].map(([uid, life]) => ({ uid, ...life }));
  }

  /** Calls the listener after every change; returns what ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  written(key: string, uid: string, version: Version): void {
    const life = this.#lives.get(uid) ?? { key, versions: [], ended: false };
    if (life.versions.at(-1) === version) return; // It changed nothing.
    this.#lives.set(uid, life);
    life.versions.push(version);
    this.#latest = Math.max(this.#latest, version);
    this.#changed();
  }

  ended(uid: string): void {
    const life = this.#lives.get(uid);
    if (life === undefined || life.ended) throw new Error(`${uid} cannot end`);
    life.ended = true;
    this.#changed();
  }

  #changed(): void {
    this.#changes += 1;
    for (const listener of this.#listeners) listener();
  }

  /** Restarts from the present state: later watches cannot get earlier events. */
  forgetThePast(): void {
    for (const [uid, life] of this.#lives) {
      if (life.ended) this.#lives.delete(uid);
      else life.versions.splice(0, life.versions.length - 1);
    }
    this.#changes = 0;
  }
}
