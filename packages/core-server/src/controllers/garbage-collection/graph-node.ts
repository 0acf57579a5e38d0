import type { OwnerReference } from '@tributary/apimachinery';
import type { ObjectReference } from './object-reference.ts';
import type { ObservedObject } from './observed-object.ts';

/** One object in the graph. Its identity is replaced, never changed: who works on it may hold the old one. */
export interface GraphNode {
  identity: ObjectReference;
  owners: readonly OwnerReference[];
  /** Absent as long as there were none: most objects own nothing. */
  dependents: Set<GraphNode> | undefined;
  /** Somebody refers to it, and nobody has seen it yet. */
  isVirtual: boolean;
  isBeingDeleted: boolean;
  /** It waits for its dependents to go. Once set it stays: from there on there is only one way. */
  isDeletingDependents: boolean;
  /** What was last seen of its finalizers, to know when a wait begins. */
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

/** Those that an owner which is deleted in the foreground waits for. */
export function blockingDependents(owner: GraphNode): GraphNode[] {
  const { uid } = owner.identity;
  return dependentsOf(owner).filter(({ owners }) =>
    owners.some((reference) => reference.uid === uid && isBlocking(reference)),
  );
}
