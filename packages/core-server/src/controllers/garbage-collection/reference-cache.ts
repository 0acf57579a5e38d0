import { type ObjectReference, referenceKey } from './object-reference.ts';

/** References that are remembered, the last used ones when there are too many. */
export interface ReferenceCache {
  add(reference: ObjectReference): void;
  has(reference: ObjectReference): boolean;
}

export function referenceCache(entriesMax: number): ReferenceCache {
  // A Set keeps the order in which keys came: the first is the one that was not used for longest.
  const keys = new Set<string>();
  const touch = (key: string) => {
    keys.delete(key);
    keys.add(key);
  };
  return {
    add(reference) {
      touch(referenceKey(reference));
      if (keys.size <= entriesMax) return;
      const [oldest] = keys;
      if (oldest !== undefined) keys.delete(oldest);
    },
    has(reference) {
      const key = referenceKey(reference);
      if (!keys.has(key)) return false;
      touch(key);
      return true;
    },
  };
}
