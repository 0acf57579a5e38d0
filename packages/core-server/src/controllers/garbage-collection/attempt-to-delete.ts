import type { ObjectMeta, OwnerReference } from '@tributary/apimachinery';
import { type ClassifiedReferences, classifyReferences } from './classify-references.ts';
import { deleteObject } from './delete-object.ts';
import type { DependencyGraph } from './graph.ts';
import { blockingDependents, dependentsOf, type GraphNode } from './graph-node.ts';
import type { LiveObjects } from './live-objects.ts';
import type { ObjectReference } from './object-reference.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from './observed-object.ts';
import type { ReferenceCache } from './reference-cache.ts';
import { removeReferences, unblockReferences } from './reference-patches.ts';
import { removeFinalizer } from './remove-finalizer.ts';

export interface Collecting {
  readonly graph: DependencyGraph;
  readonly live: LiveObjects;
  readonly absentOwners: ReferenceCache;
  /** Owners that let go of their dependents while some of those could not be told. */
  readonly orphanedOwners: ReadonlySet<string>;
  attemptToDelete(node: GraphNode): void;
}

/** `unseen`: the object is there, and no watch has told of it yet; somebody must look again. */
type Outcome = 'done' | 'unseen';

/** Deletes an object whose owners are all gone; nothing is deleted on what the graph says alone. */
export async function attemptToDelete(node: GraphNode, collecting: Collecting): Promise<Outcome> {
  const { graph } = collecting;
  // It went while it waited for its turn.
  if (graph.node(node.identity.uid) !== node) return 'done';
  // There is only one way from here; what depends on it is looked at when it is gone.
  if (node.isBeingDeleted && !node.isDeletingDependents) return 'done';
  // It may change while its servers are asked.
  const { identity } = node;
  const current = await collecting.live.get(identity);
  if (current === 'absent' || current.uid !== identity.uid) {
    graph.foundAbsent(identity);
    return 'done';
  }
  // Of an owner that nobody has seen, only the namespace of a dependent is known. In that one its own owners need not be.
  const item = { ...identity, namespace: current.namespace ?? '' };
  if (node.isDeletingDependents) await finishForeground(node, item, collecting);
  else await collect(node, { identity, item, current }, collecting);
  return node.isVirtual ? 'unseen' : 'done';
}

/** The owner goes when nobody is left whom it waits for. */
async function finishForeground(
  node: GraphNode,
  item: ObjectReference,
  { live, attemptToDelete: lookAt }: Collecting,
): Promise<void> {
  const blocking = blockingDependents(node);
  if (blocking.length === 0) {
    await removeFinalizer(live, item, FOREGROUND_FINALIZER);
    return;
  }
  for (const dependent of blocking) if (!dependent.isDeletingDependents) lookAt(dependent);
}

interface Looked {
  /** As the graph had it. */
  readonly identity: ObjectReference;
  readonly item: ObjectReference;
  readonly current: ObjectMeta;
}

async function collect(node: GraphNode, looked: Looked, collecting: Collecting): Promise<void> {
  const { item, current } = looked;
  const { live, orphanedOwners } = collecting;
  const references = current.ownerReferences ?? [];
  if (references.length === 0) return;
  const orphaned = references.filter(({ uid }) => orphanedOwners.has(uid));
  if (orphaned.length > 0) {
    await removeReferences(live, item, uidsOf(orphaned));
    return;
  }
  const classified = await classifyReferences(item, references, collecting);
  const { solid, dangling, waiting } = classified;
  if (solid.length === 0) {
    await deleteItem(node, { ...looked, classified }, collecting);
  } else if (dangling.length + waiting.length > 0) {
    // An owner that waits for this one would wait for ever: it stays, for somebody else.
    await removeReferences(live, item, uidsOf([...dangling, ...waiting]));
  }
}

async function deleteItem(
  node: GraphNode,
  { identity, item, current, classified }: Looked & { readonly classified: ClassifiedReferences },
  { live, graph }: Collecting,
): Promise<void> {
  const dependents = dependentsOf(node);
  const isForeground = classified.waiting.length > 0 && dependents.length > 0;
  const mayBeCircle = dependents.some(({ isDeletingDependents }) => isDeletingDependents);
  const propagationPolicy = isForeground ? 'Foreground' : policyOf(current);
  const looked = isForeground && mayBeCircle ? await unblock(live, node, item, current) : current;
  const outcome =
    looked === 'absent' ? looked : await deleteObject(live, item, { looked, propagationPolicy });
  if (outcome === 'absent') graph.foundAbsent(identity);
}

/** Its owner and its dependent both wait: maybe in a circle, in which each would wait for the next one. */
async function unblock(
  live: LiveObjects,
  { owners }: GraphNode,
  item: ObjectReference,
  current: ObjectMeta,
): Promise<ObjectMeta | 'absent'> {
  await unblockReferences(live, item, owners);
  const now = await live.get(item);
  if (now === 'absent' || now.uid !== item.uid) return 'absent';
  // What was decided was decided for these owners: with others the old version makes it a conflict.
  return sameOwners(now, current) ? now : current;
}

function sameOwners(a: ObjectMeta, b: ObjectMeta): boolean {
  const uids = ({ ownerReferences = [] }: ObjectMeta) => uidsOf(ownerReferences).join(' ');
  return uids(a) === uids(b);
}

/** What the object already says of its dependents is honoured. */
function policyOf({ finalizers = [] }: ObjectMeta): 'Orphan' | 'Foreground' | 'Background' {
  if (finalizers.includes(ORPHAN_FINALIZER)) return 'Orphan';
  if (finalizers.includes(FOREGROUND_FINALIZER)) return 'Foreground';
  return 'Background';
}

function uidsOf(references: readonly OwnerReference[]): string[] {
  return references.map(({ uid }) => uid);
}
