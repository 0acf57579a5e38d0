import { FieldSet } from './field-set.ts';
import { type ManagerName, type Managers, managerIdentity } from './managers.ts';
import { compareText } from './path-element.ts';

/** More entries of updates than this are not kept apart. */
const UPDATE_MANAGERS_MAX = 10;
const ANCIENT = 'ancient-changes';

/** Puts the oldest updates together, version by version, until there are few enough. */
export function capUpdateManagers(managers: Managers): Managers {
  let count = 0;
  for (const { operation } of managers.values()) if (operation === 'Update') count += 1;
  if (count <= UPDATE_MANAGERS_MAX) return managers;
  const updates = [...managers].filter(([, { operation }]) => operation === 'Update');
  updates.sort(
    ([a, one], [b, other]) => compareText(one.time ?? '', other.time ?? '') || compareText(a, b),
  );
  const capped = new Map(managers);
  const firstOfVersion = new Map<string, string>();
  const buckets = new Map<string, Bucket>();
  for (const [identity, manager] of updates) {
    if (count <= UPDATE_MANAGERS_MAX) break;
    const { apiVersion, time } = manager;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, identity);
      continue;
    }
    const ancient = { name: ANCIENT, operation: 'Update', apiVersion, subresource: '' } as const;
    const key = managerIdentity(ancient);
    let bucket = buckets.get(key);
    if (bucket === undefined) {
      const oldest = capped.has(key) ? key : first;
      const before = capped.get(oldest);
      capped.delete(oldest);
      bucket = { manager: ancient, time, sets: before === undefined ? [] : [before.set] };
      buckets.set(key, bucket);
    }
    bucket.time = time;
    bucket.sets.push(manager.set);
    capped.delete(identity);
    // As in the original, old changes that are themselves put together with older ones are forgotten.
    if (identity === key) buckets.delete(key);
    count -= 1;
  }
  for (const [key, { manager, time, sets }] of buckets) {
    capped.set(key, { ...manager, time, set: unionOf(sets) });
  }
  return capped;
}

/** Updates that are put together. */
interface Bucket {
  readonly manager: ManagerName;
  time: string | undefined;
  readonly sets: FieldSet[];
}

/** Pair by pair: a union costs as much as both sets have, and one of them must not be all that came before. */
function unionOf(sets: readonly FieldSet[]): FieldSet {
  let left = sets;
  while (left.length > 1) {
    const pairs: FieldSet[] = [];
    for (let at = 0; at < left.length; at += 2) {
      const one = left[at] ?? FieldSet.empty;
      const other = left[at + 1];
      pairs.push(other === undefined ? one : one.union(other));
    }
    left = pairs;
  }
  return left[0] ?? FieldSet.empty;
}
