import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, ManagedFieldsEntry } from '@tributary/apimachinery';

/** A write that would change nothing but the times of ownership keeps those too, and so is none. */
export function settleTimes(next: KubeObject, live: KubeObject): KubeObject {
  const mine = next.metadata.managedFields ?? [];
  const before = live.metadata.managedFields ?? [];
  if (mine.length === 0 || mine.length !== before.length) return next;
  if (mine.every((entry, index) => entry.time === before[index]?.time)) return next;
  const settled = { ...next, metadata: { ...next.metadata, managedFields: before } };
  // Nearly every write changes something else, which is seen sooner than that all entries are the same.
  if (!isDeepStrictEqual(settled, live)) return next;
  return mine.every((entry, index) => sameButTime(entry, before[index])) ? settled : next;
}

function sameButTime(a: ManagedFieldsEntry, b: ManagedFieldsEntry = {}): boolean {
  if (a === b) return true;
  const { time: _a, ...restA } = a;
  const { time: _b, ...restB } = b;
  return isDeepStrictEqual(restA, restB);
}
