import type { OwnerReference } from '@tributary/apimachinery';
import {
  addDependent,
  dependentsOf,
  type GraphNode,
  observedNode,
  removeDependent,
  virtualNode,
} from './graph-node.ts';
import { alternateIdentity, partitionDependents } from './identities.ts';
import {
  isSameReference,
  matchesCoordinates,
  type ObjectReference,
  referenceOf,
} from './object-reference.ts';
import type { ObservedObject } from './observed-object.ts';
import type { ReferenceCache } from './reference-cache.ts';
import { referenceChanges, unblockedOwners } from './reference-changes.ts';

/** The kind of a watched resource. */
export interface ObservedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Processes what the graph finds. */
interface GraphWork {
  /** Checks whether the object must be deleted, and whether it exists. */
  attemptToDelete(node: GraphNode): void;
  /** The same with backoff. */
  attemptToDeleteLater(node: GraphNode): void;
  attemptToOrphan(node: GraphNode): void;
  /** A dependent refers to an owner in another namespace. */
  reportInvalidNamespace(dependent: GraphNode, reference: OwnerReference): void;
  /** Owners known not to exist. */
  readonly absentOwners: ReferenceCache;
}

/**
 * Dependencies by uid, as far as watches have reported. Owners that no watch has reported are virtual nodes. The graph
 * only queues objects to check. The rules are those of upstream's graph builder.
 */
export class DependencyGraph {
  readonly #work: GraphWork;
  readonly #nodes = new Map<string, GraphNode>();
  /** Observed nodes by kind, to find deleted objects when a kind is listed again. */
  readonly #seen = new Map<string, Set<GraphNode>>();

  constructor(work: GraphWork) {
    this.#work = work;
  }

  get size(): number {
    return this.#nodes.size;
  }

  node(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** A watched object was added or modified. */
  observe(kind: ObservedKind, object: ObservedObject): void {
    // No owner reference can name it.
    if (object.uid === '') return;
    const identity = identityOf(kind, object);
    const existing = this.#nodes.get(object.uid);
    if (existing === undefined) {
      this.#insert(observedNode(identity, object), object);
      return;
    }
    if (existing.isVirtual) this.#resolveVirtual(existing, identity);
    // Servers choose uids: a repeated one must not affect another server's object.
    else if (!isOfKind(existing, kind)) return;
    this.#update(existing, object);
  }

  /** A watched object was deleted. */
  remove(kind: ObservedKind, object: ObservedObject): void {
    const existing = this.#nodes.get(object.uid);
    if (existing === undefined) return;
    const identity = identityOf(kind, object);
    if (existing.isVirtual) this.#resolveVirtual(existing, identity);
    else if (!isOfKind(existing, kind)) return;
    this.#drop(existing, identity);
  }

  /** The complete list of a kind: other observed objects were deleted. */
  retain(kind: ObservedKind, uids: ReadonlySet<string>): void {
    for (const node of this.#seen.get(kindKey(kind)) ?? []) {
      if (!uids.has(node.identity.uid)) this.#drop(node, node.identity);
    }
  }

  /** The kind is no longer watched: whether its objects exist is unknown. */
  forget(kind: ObservedKind): void {
    const key = kindKey(kind);
    const nodes = this.#seen.get(key) ?? [];
    this.#seen.delete(key);
    for (const node of nodes) {
      this.#leaveOwners(node);
      if (node.dependents === undefined) {
        this.#nodes.delete(node.identity.uid);
        continue;
      }
      Object.assign(node, { ...virtualNode(node.identity), dependents: node.dependents });
      this.#work.attemptToDelete(node);
    }
  }

  /** A server reported that the object does not exist. */
  foundAbsent(absent: ObjectReference): void {
    const existing = this.#nodes.get(absent.uid);
    if (existing === undefined) return;
    const { matching, nonmatching } = partitionDependents(existing, absent);
    const isSame = isSameReference(existing.identity, absent);
    const isGone = existing.isVirtual ? nonmatching.length === 0 : isSame;
    if (isGone) {
      this.#drop(existing, absent);
      return;
    }
    // The object exists or may exist elsewhere: only dependents that refer to this location have lost their owner.
    if (matching.length > 0) this.#work.absentOwners.add(absent);
    for (const dependent of matching) this.#work.attemptToDelete(dependent);
    if (!existing.isVirtual || !isSame) return;
    const alternate = alternateIdentity(nonmatching, absent);
    if (alternate === undefined) return;
    existing.identity = alternate;
    this.#work.attemptToDeleteLater(existing);
  }

  #insert(node: GraphNode, object: ObservedObject): void {
    this.#nodes.set(node.identity.uid, node);
    this.#index(node);
    this.#joinOwners(node, node.owners);
    this.#startDeletion(node, object);
  }

  /** Replaces a virtual node by the observed object. */
  #resolveVirtual(node: GraphNode, identity: ObjectReference): void {
    node.isVirtual = false;
    if (!isSameReference(node.identity, identity)) {
      const { nonmatching } = partitionDependents(node, identity);
      for (const dependent of nonmatching) {
        if (identity.namespace !== '' && dependent.identity.namespace !== identity.namespace) {
          this.#reportNamespace(dependent, identity.uid);
        }
        this.#work.attemptToDelete(dependent);
      }
      node.identity = identity;
    }
    this.#index(node);
  }

  #update(node: GraphNode, object: ObservedObject): void {
    const changes = referenceChanges(node.owners, object.owners);
    if (changes.added.length + changes.removed.length + changes.changed.length > 0) {
      for (const uid of unblockedOwners(changes)) {
        const owner = this.#nodes.get(uid);
        if (owner !== undefined) this.#work.attemptToDelete(owner);
      }
      node.owners = object.owners;
      this.#joinOwners(node, changes.added);
      this.#leave(node, changes.removed);
    }
    if (object.isBeingDeleted) node.isBeingDeleted = true;
    this.#startDeletion(node, object);
  }

  /** Queues the work of an object when it is first observed as deleted with one of the collector's finalizers. */
  #startDeletion(node: GraphNode, { isOrphaning, isForeground }: ObservedObject): void {
    const startsOrphaning = isOrphaning && !node.wasOrphaning;
    const startsForeground = isForeground && !node.wasForeground;
    node.wasOrphaning = isOrphaning;
    node.wasForeground = isForeground;
    if (startsOrphaning) {
      this.#work.attemptToOrphan(node);
    } else if (startsForeground) {
      node.isDeletingDependents = true;
      for (const dependent of dependentsOf(node)) this.#work.attemptToDelete(dependent);
      this.#work.attemptToDelete(node);
    }
  }

  #joinOwners(node: GraphNode, owners: readonly OwnerReference[]): void {
    let mayBeInvalid = false;
    for (const reference of owners) {
      const known = this.#nodes.get(reference.uid);
      if (known === undefined) {
        const owner = virtualNode(referenceOf(reference, node.identity.namespace));
        this.#nodes.set(reference.uid, owner);
        addDependent(owner, node);
        this.#work.attemptToDelete(owner);
        continue;
      }
      addDependent(known, node);
      if (!mayBeInvalid) mayBeInvalid = this.#mayBeInvalid(node, reference, known);
    }
    // The server decides whether it has an owner.
    if (mayBeInvalid) this.#work.attemptToDelete(node);
  }

  #mayBeInvalid(node: GraphNode, reference: OwnerReference, owner: GraphNode): boolean {
    const { namespace } = owner.identity;
    const isElsewhere = namespace !== node.identity.namespace;
    if (namespace !== '' && isElsewhere) {
      if (!owner.isVirtual) this.#reportNamespace(node, reference.uid);
      return true;
    }
    if (!matchesCoordinates(reference, owner.identity)) return true;
    // A cluster-scoped object was the first to name the owner, which may be namespaced.
    return isElsewhere && owner.isVirtual;
  }

  #reportNamespace(dependent: GraphNode, ownerUid: string): void {
    const reference = dependent.owners.find(({ uid }) => uid === ownerUid);
    if (reference !== undefined) this.#work.reportInvalidNamespace(dependent, reference);
  }

  #drop(node: GraphNode, identity: ObjectReference): void {
    this.#nodes.delete(node.identity.uid);
    this.#seen.get(kindKey(node.identity))?.delete(node);
    this.#leave(node, node.owners);
    if (node.dependents !== undefined) this.#work.absentOwners.add(identity);
    for (const dependent of dependentsOf(node)) this.#work.attemptToDelete(dependent);
    this.#enqueueWaitingOwners(node);
  }

  #leaveOwners(node: GraphNode): void {
    this.#leave(node, node.owners);
    this.#enqueueWaitingOwners(node);
  }

  /** Owners in foreground deletion may have waited for this object. */
  #enqueueWaitingOwners({ owners }: GraphNode): void {
    for (const { uid } of owners) {
      const owner = this.#nodes.get(uid);
      if (owner?.isDeletingDependents) this.#work.attemptToDelete(owner);
    }
  }

  #leave(node: GraphNode, owners: readonly OwnerReference[]): void {
    for (const { uid } of owners) {
      const owner = this.#nodes.get(uid);
      if (owner === undefined) continue;
      removeDependent(owner, node);
      // Virtual nodes without dependents are not needed.
      if (owner.isVirtual && owner.dependents === undefined) this.#nodes.delete(uid);
    }
  }

  #index(node: GraphNode): void {
    const key = kindKey(node.identity);
    const nodes = this.#seen.get(key);
    if (nodes === undefined) this.#seen.set(key, new Set([node]));
    else nodes.add(node);
  }
}

function identityOf(
  { apiVersion, kind }: ObservedKind,
  { namespace, name, uid }: ObservedObject,
): ObjectReference {
  return { apiVersion, kind, namespace, name, uid };
}

function isOfKind({ identity }: GraphNode, { apiVersion, kind }: ObservedKind): boolean {
  return identity.apiVersion === apiVersion && identity.kind === kind;
}

function kindKey({ apiVersion, kind }: ObservedKind): string {
  return `${apiVersion} ${kind}`;
}
