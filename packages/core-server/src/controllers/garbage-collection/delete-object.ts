import { isDeepStrictEqual } from 'node:util';
import type { ObjectMeta } from '@tributary/apimachinery';
import type { DeleteOptions } from '@tributary/client';
import { isWriteConflict } from '@tributary/client/controller';
import type { LiveObjects } from './live-objects.ts';
import type { ObjectReference } from './object-reference.ts';

type Policy = NonNullable<DeleteOptions['propagationPolicy']>;

/** Deletes an object with the uid and the owners that the decision was based on. */
export async function deleteObject(
  live: Pick<LiveObjects, 'get' | 'delete'>,
  item: ObjectReference,
  {
    looked,
    propagationPolicy,
  }: { readonly looked: ObjectMeta; readonly propagationPolicy: Policy },
): Promise<'done' | 'absent'> {
  const { uid } = item;
  const { resourceVersion } = looked;
  try {
    const preconditions = { uid, ...(resourceVersion !== undefined && { resourceVersion }) };
    return await live.delete(item, { propagationPolicy, preconditions });
  } catch (error) {
    if (!isWriteConflict(error)) throw error;
    const current = await live.get(item);
    if (current === 'absent' || current.uid !== uid) return 'absent';
    if (!hasSameOwners(current, looked)) throw error;
  }
  // Frequent writes that keep the owners must not prevent the deletion.
  return live.delete(item, { propagationPolicy, preconditions: { uid } });
}

function hasSameOwners(a: ObjectMeta, b: ObjectMeta): boolean {
  return isDeepStrictEqual(a.ownerReferences ?? [], b.ownerReferences ?? []);
}
