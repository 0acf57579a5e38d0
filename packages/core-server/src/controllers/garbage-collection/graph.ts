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

/** What a watched resource says its objects are. */
export interface ObservedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Who works on what the graph finds. */
interface GraphWork {
  /** Looks whether the object is to be deleted, and whether it is there at all. */
  attemptToDelete(node: GraphNode): void;
  /** The same, after a pause that grows. */
  attemptToDeleteLater(node: GraphNode): void;
  attemptToOrphan(node: GraphNode): void;
  /** A dependent refers to an owner that was seen in another namespace. */
  reportInvalidNamespace(dependent: GraphNode, reference: OwnerReference): void;
  /** Owners that are known not to exist. */
  readonly absentOwners: ReferenceCache;
}

/**
 * Who depends on whom, by uid, as far as watches have told. Owners that were not seen are there as virtual nodes. The
 * graph decides nothing: it says at whom somebody should look. Rules as in upstream's graph builder.
 */
export class DependencyGraph {
  readonly #work: GraphWork;
  readonly #nodes = new Map<string, GraphNode>();
  /** Those that were seen, by their kind, to know which are gone when all of a kind are listed again. */
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

  /** A watched object is there, new or changed. */
  observe(kind: ObservedKind, object: ObservedObject): void {
    // Nobody can refer to it.
    if (object.uid === '') return;
    const identity = identityOf(kind, object);
    const existing = this.#nodes.get(object.uid);
    if (existing === undefined) {
      this.#insert(observedNode(identity, object), object);
      return;
    }
    if (existing.isVirtual) this.#meet(existing, identity);
    // Uids are chosen by servers: one that repeats another's must not speak for its object.
    else if (!isOfKind(existing, kind)) return;
    this.#update(existing, object);
  }

  /** A watched object is gone. */
  remove(kind: ObservedKind, object: ObservedObject): void {
    const existing = this.#nodes.get(object.uid);
    if (existing === undefined) return;
    const identity = identityOf(kind, object);
    if (existing.isVirtual) this.#meet(existing, identity);
    else if (!isOfKind(existing, kind)) return;
    this.#drop(existing, identity);
  }

  /** These are all objects of the kind: others that were seen are gone. */
  retain(kind: ObservedKind, uids: ReadonlySet<string>): void {
    for (const node of this.#seen.get(kindKey(kind)) ?? []) {
      if (!uids.has(node.identity.uid)) this.#drop(node, node.identity);
    }
  }

  /** The kind is watched no longer. Whether its objects are there is not known from now on. */
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

  /** A server was asked, and has no object of this identity. */
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
    // Others have seen it elsewhere, or believe it to be: only who means this place has lost its owner.
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
    this.#see(node);
    this.#joinOwners(node, node.owners);
    this.#begin(node, object);
  }

  /** What somebody referred to is there. */
  #meet(node: GraphNode, identity: ObjectReference): void {
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
    this.#see(node);
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
    this.#begin(node, object);
  }

  /** What begins when an object is first seen to be deleted with one of the collector's finalizers. */
  #begin(node: GraphNode, { isOrphaning, isForeground }: ObservedObject): void {
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
    let isDoubtful = false;
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
      if (!isDoubtful) isDoubtful = this.#isDoubtful(node, reference, known);
    }
    // Whether it has an owner at all is for the server to say.
    if (isDoubtful) this.#work.attemptToDelete(node);
  }

  #isDoubtful(node: GraphNode, reference: OwnerReference, owner: GraphNode): boolean {
    const { namespace } = owner.identity;
    const isElsewhere = namespace !== node.identity.namespace;
    if (namespace !== '' && isElsewhere) {
      if (!owner.isVirtual) this.#reportNamespace(node, reference.uid);
      return true;
    }
    if (!matchesCoordinates(reference, owner.identity)) return true;
    // An object without a namespace has named the owner first, which may have one after all.
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
    this.#tellWaitingOwners(node);
  }

  #leaveOwners(node: GraphNode): void {
    this.#leave(node, node.owners);
    this.#tellWaitingOwners(node);
  }

  /** An owner that waits for its dependents may have waited for this one. */
  #tellWaitingOwners({ owners }: GraphNode): void {
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
      // Nobody refers to it any more, and nobody has seen it: whether it is there is nobody's question.
      if (owner.isVirtual && owner.dependents === undefined) this.#nodes.delete(uid);
    }
  }

  #see(node: GraphNode): void {
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
