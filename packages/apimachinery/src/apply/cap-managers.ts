import { type Manager, type Managers, managerIdentity } from './managers.ts';
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
  for (const [identity, manager] of updates) {
    if (count <= UPDATE_MANAGERS_MAX) break;
    const { apiVersion } = manager;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, identity);
      continue;
    }
    const ancient = { name: ANCIENT, operation: 'Update', apiVersion, subresource: '' } as const;
    const bucket = managerIdentity(ancient);
    const before = capped.get(bucket) ?? (capped.get(first) as Manager);
    if (!capped.has(bucket)) capped.delete(first);
    capped.set(bucket, { ...ancient, time: manager.time, set: manager.set.union(before.set) });
    // As in the original, old changes that are themselves put together with older ones are forgotten.
    capped.delete(identity);
    count -= 1;
  }
  return capped;
}
