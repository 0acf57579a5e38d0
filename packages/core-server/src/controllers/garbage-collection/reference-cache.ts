import { type ObjectReference, referenceKey } from './object-reference.ts';

/** A bounded set of references; the least recently used are evicted. */
export interface ReferenceCache {
  add(reference: ObjectReference): void;
  has(reference: ObjectReference): boolean;
}

export function referenceCache(entriesMax: number): ReferenceCache {
  // A Set keeps insertion order: the first key is the least recently used.
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
