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

export interface CollectorContext {
  readonly graph: DependencyGraph;
  readonly live: LiveObjects;
  readonly absentOwners: ReferenceCache;
  /** Owners that were deleted while some of their dependents could not be orphaned. */
  readonly orphanedOwners: ReadonlySet<string>;
  attemptToDelete(node: GraphNode): void;
}

/** `unseen`: the object exists, but no watch has reported it yet, so the caller must retry. */
type AttemptOutcome = 'done' | 'unseen';

/**
 * Deletes an object without existing owners. Every decision is based on requests to the servers, not on the graph
 * alone.
 */
export async function attemptToDelete(
  node: GraphNode,
  context: CollectorContext,
): Promise<AttemptOutcome> {
  const { graph } = context;
  // The object was removed from the graph while it was queued.
  if (graph.node(node.identity.uid) !== node) return 'done';
  // Its deletion continues without the collector; dependents are queued when it is gone.
  if (node.isBeingDeleted && !node.isDeletingDependents) return 'done';
  // The graph may replace the identity during requests.
  const { identity } = node;
  const current = await context.live.get(identity);
  if (current === 'absent' || current.uid !== identity.uid) {
    graph.foundAbsent(identity);
    return 'done';
  }
  // The identity of a virtual owner has the namespace of a dependent, where its own owners need not be.
  const item = { ...identity, namespace: current.namespace ?? '' };
  if (node.isDeletingDependents) await finishForeground(node, item, context);
  else await collect(node, { identity, item, current }, context);
  return node.isVirtual ? 'unseen' : 'done';
}

/** Removes the finalizer of an owner when no blocking dependents remain. */
async function finishForeground(
  node: GraphNode,
  item: ObjectReference,
  { live, attemptToDelete: lookAt }: CollectorContext,
): Promise<void> {
  const blocking = blockingDependents(node);
  if (blocking.length === 0) {
    await removeFinalizer(live, item, FOREGROUND_FINALIZER);
    return;
  }
  for (const dependent of blocking) if (!dependent.isDeletingDependents) lookAt(dependent);
}

interface CurrentItem {
  /** The identity in the graph. */
  readonly identity: ObjectReference;
  readonly item: ObjectReference;
  readonly current: ObjectMeta;
}

async function collect(
  node: GraphNode,
  looked: CurrentItem,
  context: CollectorContext,
): Promise<void> {
  const { item, current } = looked;
  const { live, orphanedOwners } = context;
  const references = current.ownerReferences ?? [];
  if (references.length === 0) return;
  const orphaned = references.filter(({ uid }) => orphanedOwners.has(uid));
  if (orphaned.length > 0) {
    await removeReferences(live, item, uidsOf(orphaned));
    return;
  }
  const classified = await classifyReferences(item, references, context);
  const { solid, dangling, waiting } = classified;
  if (solid.length === 0) {
    await deleteItem(node, { ...looked, classified }, context);
  } else if (dangling.length + waiting.length > 0) {
    // Owners in foreground deletion would wait for this object forever.
    await removeReferences(live, item, uidsOf([...dangling, ...waiting]));
  }
}

async function deleteItem(
  node: GraphNode,
  {
    identity,
    item,
    current,
    classified,
  }: CurrentItem & { readonly classified: ClassifiedReferences },
  { live, graph }: CollectorContext,
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

/** An owner and a dependent both wait, possibly in a cycle; unblocking this object's owners breaks it. */
async function unblock(
  live: LiveObjects,
  { owners }: GraphNode,
  item: ObjectReference,
  current: ObjectMeta,
): Promise<ObjectMeta | 'absent'> {
  await unblockReferences(live, item, owners);
  const now = await live.get(item);
  if (now === 'absent' || now.uid !== item.uid) return 'absent';
  // With other owners the old resourceVersion causes a conflict, because the decision was about the former owners.
  return sameOwners(now, current) ? now : current;
}

function sameOwners(a: ObjectMeta, b: ObjectMeta): boolean {
  const uids = ({ ownerReferences = [] }: ObjectMeta) => uidsOf(ownerReferences).join(' ');
  return uids(a) === uids(b);
}

/** Honors the finalizers that the object already has. */
function policyOf({ finalizers = [] }: ObjectMeta): 'Orphan' | 'Foreground' | 'Background' {
  if (finalizers.includes(ORPHAN_FINALIZER)) return 'Orphan';
  if (finalizers.includes(FOREGROUND_FINALIZER)) return 'Foreground';
  return 'Background';
}

function uidsOf(references: readonly OwnerReference[]): string[] {
  return references.map(({ uid }) => uid);
}
