import type { ChangeEvent, Revision, Stored } from './contract.ts';
import { compareKeys } from './keys.ts';
import type { KeyRange } from './sorted-map.ts';

/** Dropped events are cut off in runs of this many, so that dropping one is not a copy of the log. */
const TRIM_EVENTS = 4096;

/** The changes after the compacted revision, in order. */
export class History {
  #log: ChangeEvent[] = [];
  /** Events before this index are forgotten. */
  #start = 0;

  append(event: ChangeEvent): void {
    this.#log.push(event);
  }

  /** The changes after a revision, about `max` of them; those of one commit stay together. */
  after(revision: Revision, max: number): readonly ChangeEvent[] {
    const first = this.#firstAfter(revision);
    let end = Math.min(first + max, this.#log.length);
    while (end < this.#log.length && this.#log[end]?.revision === this.#log[end - 1]?.revision) {
      end += 1;
    }
    return this.#log.slice(first, end);
  }

  /**
   * What the keys of a range that have changed since a revision held then, in order of the keys:
   * each key's first change after the revision replaced it.
   */
  heldAt(revision: Revision, { prefix, after = '' }: KeyRange): [string, Stored | undefined][] {
    const held = new Map<string, Stored | undefined>();
    for (let at = this.#firstAfter(revision); at < this.#log.length; at += 1) {
      const { key, previous } = this.#log[at] as ChangeEvent;
      if (!key.startsWith(prefix) || compareKeys(key, after) <= 0 || held.has(key)) continue;
      held.set(key, previous);
    }
    return [...held].sort(([a], [b]) => compareKeys(a, b));
  }

  forgetUpTo(revision: Revision): void {
    const start = this.#firstAfter(revision);
    this.#log.fill(undefined as never, this.#start, start);
    this.#start = start;
    if (this.#start < TRIM_EVENTS || this.#start * 2 < this.#log.length) return;
    this.#log = this.#log.slice(this.#start);
    this.#start = 0;
  }

  #firstAfter(revision: Revision): number {
    let low = this.#start;
    let high = this.#log.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#log[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Present values, with the keys that have changed since replaced by what they held. */
export function* asOf(
  present: Iterable<readonly [string, Stored]>,
  held: readonly (readonly [string, Stored | undefined])[],
): Generator<Stored> {
  let next = 0;
  for (const [key, stored] of present) {
    let isHeld = false;
    for (let entry = held[next]; entry && compareKeys(entry[0], key) <= 0; entry = held[next]) {
      if (entry[1] !== undefined) yield entry[1];
      isHeld ||= entry[0] === key;
      next += 1;
    }
    if (!isHeld) yield stored;
  }
  for (; next < held.length; next += 1) {
    const stored = held[next]?.[1];
    if (stored !== undefined) yield stored;
  }
}
