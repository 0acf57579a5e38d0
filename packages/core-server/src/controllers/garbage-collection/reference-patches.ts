import { type ObjectMeta, type OwnerReference, StatusError } from '@tributary/apimachinery';
import type { Patch } from '@tributary/client';
import { isBlocking } from './graph-node.ts';
import type { LiveObjects } from './live-objects.ts';
import type { ObjectReference } from './object-reference.ts';

/** Removes owner references independent of other changes. Absent ones are ignored. */
export function removeReferences(
  live: Pick<LiveObjects, 'get' | 'patch'>,
  item: ObjectReference,
  ownerUids: readonly string[],
): Promise<'done' | 'absent'> {
  const removals = ownerUids.map((uid) => ({ $patch: 'delete', uid }));
  return patchReferences(live, item, {
    strategic: { metadata: { uid: item.uid, ownerReferences: removals } },
    merged: (owners) => owners.filter(({ uid }) => !ownerUids.includes(uid)),
  });
}

/** Sets `blockOwnerDeletion` to false in all references. */
export function unblockReferences(
  live: Pick<LiveObjects, 'get' | 'patch'>,
  item: ObjectReference,
  owners: readonly OwnerReference[],
): Promise<'done' | 'absent'> {
  const freed = owners.filter(isBlocking).map(unblocked);
  return patchReferences(live, item, {
    strategic: { metadata: { uid: item.uid, ownerReferences: freed } },
    merged: (current) => current.map((owner) => (isBlocking(owner) ? unblocked(owner) : owner)),
  });
}

function unblocked(owner: OwnerReference): OwnerReference {
  return { ...owner, blockOwnerDeletion: false };
}

/** The uid causes a conflict for an object that was created again. */
async function patchReferences(
  live: Pick<LiveObjects, 'get' | 'patch'>,
  item: ObjectReference,
  {
    strategic,
    merged,
  }: {
    readonly strategic: object;
    readonly merged: (owners: readonly OwnerReference[]) => readonly OwnerReference[];
  },
): Promise<'done' | 'absent'> {
  try {
    return await live.patch(item, { kind: 'strategic', body: strategic });
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  }
  const current = await live.get(item);
  if (current === 'absent' || current.uid !== item.uid) return 'absent';
  return live.patch(item, mergePatch(current, merged(current.ownerReferences ?? [])));
}

/** Custom resources and most extension API servers do not support strategic merge patch: the whole list is sent. */
function mergePatch(
  { uid, resourceVersion }: ObjectMeta,
  owners: readonly OwnerReference[],
): Patch {
  const ownerReferences = owners.length === 0 ? null : owners;
  return { kind: 'merge', body: { metadata: { uid, resourceVersion, ownerReferences } } };
}

function isUnsupported(error: unknown): boolean {
  return error instanceof StatusError && error.code === 415;
}
