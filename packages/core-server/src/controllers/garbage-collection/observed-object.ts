import type { ObjectMeta, OwnerReference } from '@tributary/apimachinery';

/** What of an object matters for what depends on what. Nothing else of it is kept. */
export interface ObservedObject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
  readonly isBeingDeleted: boolean;
  /** It is being deleted, and its dependents are to lose their reference first. */
  readonly isOrphaning: boolean;
  /** It is being deleted, and its dependents are to go first. */
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
