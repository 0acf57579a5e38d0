import type { ObjectMeta, OwnerReference } from '@tributary/apimachinery';

/** The fields of an object that the graph uses. Others are not stored. */
export interface ObservedObject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
  readonly isBeingDeleted: boolean;
  /** It is being deleted, and its dependents are orphaned first. */
  readonly isOrphaning: boolean;
  /** It is being deleted, and its dependents are deleted first. */
  readonly isForeground: boolean;
}

export const ORPHAN_FINALIZER = 'orphan';
export const FOREGROUND_FINALIZER = 'foregroundDeletion';

const NO_OWNERS: readonly OwnerReference[] = [];

export function observedObject(metadata: ObjectMeta): ObservedObject {
  const { namespace = '', name = '', uid = '', ownerReferences = [], finalizers = [] } = metadata;
  const isBeingDeleted = Boolean(metadata.deletionTimestamp);
  return {
    namespace,
    name,
    uid,
    owners: ownerReferences.length === 0 ? NO_OWNERS : ownerReferences,
    isBeingDeleted,
    isOrphaning: isBeingDeleted && finalizers.includes(ORPHAN_FINALIZER),
    isForeground: isBeingDeleted && finalizers.includes(FOREGROUND_FINALIZER),
  };
}
