import type { OwnerReference } from '@tributary/apimachinery';
import type { ObjectReference } from './object-reference.ts';
import type { ObservedObject } from './observed-object.ts';

/** An object in the graph. Its identity is replaced, never modified, because a worker may hold the previous one. */
export interface GraphNode {
  identity: ObjectReference;
  owners: readonly OwnerReference[];
  /** Created with the first dependent, because most objects own nothing. */
  dependents: Set<GraphNode> | undefined;
  /** Known from an owner reference only. */
  isVirtual: boolean;
  isBeingDeleted: boolean;
  /** In foreground deletion. Never reset, because deletion is irreversible. */
  isDeletingDependents: boolean;
  /** The finalizers at the last observation, to detect when a wait begins. */
  wasOrphaning: boolean;
  wasForeground: boolean;
}

const NO_OWNERS: readonly OwnerReference[] = [];

export function virtualNode(identity: ObjectReference): GraphNode {
  return {
    identity,
    owners: NO_OWNERS,
    dependents: undefined,
    isVirtual: true,
    isBeingDeleted: false,
    isDeletingDependents: false,
    wasOrphaning: false,
    wasForeground: false,
  };
}

export function observedNode(identity: ObjectReference, object: ObservedObject): GraphNode {
  return {
    ...virtualNode(identity),
    owners: object.owners,
    isVirtual: false,
    isBeingDeleted: object.isBeingDeleted,
    isDeletingDependents: object.isForeground,
  };
}

export function dependentsOf({ dependents }: GraphNode): readonly GraphNode[] {
  return dependents === undefined ? [] : [...dependents];
}

export function addDependent(owner: GraphNode, dependent: GraphNode): void {
  owner.dependents ??= new Set();
  owner.dependents.add(dependent);
}

export function removeDependent(owner: GraphNode, dependent: GraphNode): void {
  owner.dependents?.delete(dependent);
  if (owner.dependents?.size === 0) owner.dependents = undefined;
}

export function isBlocking({ blockOwnerDeletion }: OwnerReference): boolean {
  return blockOwnerDeletion === true;
}

/** Dependents that block a foreground deletion. */
export function blockingDependents(owner: GraphNode): GraphNode[] {
  const { uid } = owner.identity;
  return dependentsOf(owner).filter(({ owners }) =>
    owners.some((reference) => reference.uid === uid && isBlocking(reference)),
  );
}
