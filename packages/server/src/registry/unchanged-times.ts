import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, ManagedFieldsEntry } from '@tributary/apimachinery';

/** A write that would change only the times of managedFields keeps the stored ones, so that nothing is written. */
export function withUnchangedTimes(next: KubeObject, live: KubeObject): KubeObject {
  const mine = next.metadata.managedFields ?? [];
  const before = live.metadata.managedFields ?? [];
  if (mine.length === 0 || mine.length !== before.length) return next;
  if (mine.every((entry, index) => entry.time === before[index]?.time)) return next;
  const unchanged = { ...next, metadata: { ...next.metadata, managedFields: before } };
  // Nearly every write changes something else, which this comparison finds sooner.
  if (!isDeepStrictEqual(unchanged, live)) return next;
  return mine.every((entry, index) => sameButTime(entry, before[index])) ? unchanged : next;
}

function sameButTime(a: ManagedFieldsEntry, b: ManagedFieldsEntry = {}): boolean {
  if (a === b) return true;
  const { time: _a, ...restA } = a;
  const { time: _b, ...restB } = b;
  return isDeepStrictEqual(restA, restB);
}
