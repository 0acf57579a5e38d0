import { compareKeys } from '../contract/keys.ts';
import type { ChangeEvent, Stored } from '../contract/storage.ts';
import type { KeyRange } from './sorted-map.ts';

/** A key's value at some earlier revision, if it existed. */
export type PastValue = readonly [key: string, stored: Stored | undefined];

/**
 * The values of a range of keys before some events, in the order of the keys: a key's first event contains the value
 * that it replaced. Keys without events are unchanged.
 */
export function pastValues(
  events: Iterable<ChangeEvent>,
  { prefix, after = '' }: KeyRange,
): PastValue[] {
  const held = new Map<string, Stored | undefined>();
  for (const { key, previous } of events) {
    if (!key.startsWith(prefix) || compareKeys(key, after) <= 0 || held.has(key)) continue;
    held.set(key, previous);
  }
  return [...held].sort(([a], [b]) => compareKeys(a, b));
}

/** Current values, with the keys that have changed since replaced by their earlier values. */
export function* valuesAt(
  present: Iterable<readonly [string, Stored]>,
  held: readonly PastValue[],
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
