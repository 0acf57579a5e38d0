import { isDeepStrictEqual } from 'node:util';
import type { OwnerReference } from '@tributary/apimachinery';
import { isBlocking } from './graph-node.ts';

interface ReferenceChanges {
  readonly added: readonly OwnerReference[];
  readonly removed: readonly OwnerReference[];
  readonly changed: readonly { readonly before: OwnerReference; readonly after: OwnerReference }[];
}

/** Changes by uid: of several references with one uid the last one counts, as upstream. */
export function referenceChanges(
  before: readonly OwnerReference[],
  after: readonly OwnerReference[],
): ReferenceChanges {
  const known = new Map(before.map((reference) => [reference.uid, reference]));
  const gone = new Map(known);
  const added: OwnerReference[] = [];
  const changed: { before: OwnerReference; after: OwnerReference }[] = [];
  for (const reference of after) {
    const old = gone.get(reference.uid);
    gone.delete(reference.uid);
    if (old === undefined) added.push(reference);
    else if (!isDeepStrictEqual(old, reference)) changed.push({ before: old, after: reference });
  }
  return { added, removed: [...gone.values()], changed };
}

/** The uids of owners that are no longer blocked by this dependent. */
export function unblockedOwners({ removed, changed }: ReferenceChanges): string[] {
  const freed = changed
    .filter(({ before, after }) => isBlocking(before) && !isBlocking(after))
    .map(({ after }) => after.uid);
  return [...removed.filter(isBlocking).map(({ uid }) => uid), ...freed];
}
