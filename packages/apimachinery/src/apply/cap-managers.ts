import { compareText } from '../values/compare-text.ts';
import { FieldSet } from './field-set.ts';
import { type ManagerName, type Managers, managerIdentity } from './managers.ts';

/** Upstream's maximum number of Update entries. */
const UPDATE_MANAGERS_MAX = 10;
const ANCIENT = 'ancient-changes';

/** Upstream's `capManagers`: merges the oldest Update entries of each version until at most the maximum remain. */
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
    // As upstream, an entry of merged updates that is itself merged into an older one is lost.
    if (identity === key) buckets.delete(key);
    count -= 1;
  }
  for (const [key, { manager, time, sets }] of buckets) {
    capped.set(key, { ...manager, time, set: unionOf(sets) });
  }
  return capped;
}

/** Update entries to merge. */
interface Bucket {
  readonly manager: ManagerName;
  time: string | undefined;
  readonly sets: FieldSet[];
}

/** Unites pairs of similar size: the cost of a union is the size of both sets. */
function unionOf(sets: readonly FieldSet[]): FieldSet {
  let remaining = sets;
  while (remaining.length > 1) {
    const pairs: FieldSet[] = [];
    for (let index = 0; index < remaining.length; index += 2) {
      const one = remaining[index] ?? FieldSet.empty;
      const other = remaining[index + 1];
      pairs.push(other === undefined ? one : one.union(other));
    }
    remaining = pairs;
  }
  return remaining[0] ?? FieldSet.empty;
}
