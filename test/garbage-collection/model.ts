/** The final result of garbage collection, as a function: no queues, no watches, no order of events. */

export interface ModelReference {
  /** The name of the owner in the model. */
  readonly owner: string;
  readonly blocks: boolean;
}

export interface ModelObject {
  readonly name: string;
  readonly kind: string;
  /** Empty for kinds without namespaces. */
  readonly namespace: string;
  readonly owners: readonly ModelReference[];
}

export type ModelGraph = ReadonlyMap<string, ModelObject>;
export type Policy = 'Background' | 'Foreground' | 'Orphan';

export interface Deletion {
  readonly name: string;
  readonly policy: Policy;
}

/** Everything that stays, with the owners that it keeps. */
export function finalGraph(graph: ModelGraph, deletions: readonly Deletion[]): ModelGraph {
  let current = waitUntilQuiet(graph);
  for (const { name, policy } of deletions) {
    const left = new Map(current);
    left.delete(name);
    current = waitUntilQuiet(policy === 'Orphan' ? withoutReferencesTo(left, name) : left);
  }
  return current;
}

/** Until nothing is garbage. In which order makes no difference: what has an owner keeps it. */
function waitUntilQuiet(graph: ModelGraph): ModelGraph {
  const next = new Map<string, ModelObject>();
  for (const [name, object] of graph) {
    if (object.owners.length === 0 || isFrozen(object, graph)) {
      next.set(name, object);
      continue;
    }
    const owners = object.owners.filter(({ owner }) => isOwnedBy(object, graph.get(owner)));
    if (owners.length > 0) next.set(name, { ...object, owners });
  }
  const isSettled =
    next.size === graph.size &&
    [...next].every(([name, { owners }]) => owners.length === graph.get(name)?.owners.length);
  return isSettled ? graph : waitUntilQuiet(next);
}

/** An owner is in the same namespace, or has none. Elsewhere it is as good as absent. */
function isOwnedBy({ namespace }: ModelObject, owner: ModelObject | undefined): boolean {
  return owner !== undefined && (owner.namespace === '' || owner.namespace === namespace);
}

/** A dependent without a namespace cannot name its owner's: such a reference is never decided. */
function isFrozen({ namespace, owners }: ModelObject, graph: ModelGraph): boolean {
  if (namespace !== '') return false;
  return owners.some(({ owner }) => owner.startsWith(NAMESPACED) || isNamespaced(graph.get(owner)));
}

function isNamespaced(object: ModelObject | undefined): boolean {
  return object !== undefined && object.namespace !== '';
}

/** How the names of objects with a namespace begin, so that it is known of those that are gone. */
export const NAMESPACED = 'n-';

function withoutReferencesTo(graph: ModelGraph, name: string): ModelGraph {
  const next = new Map<string, ModelObject>();
  for (const [key, object] of graph) {
    const owners = object.owners.filter(({ owner }) => owner !== name);
    next.set(key, owners.length === object.owners.length ? object : { ...object, owners });
  }
  return next;
}

/** It, and everything that has it as an owner, directly or not. */
export function descendants(graph: ModelGraph, name: string): ReadonlySet<string> {
  const found = new Set([name]);
  let size = 0;
  while (found.size > size) {
    size = found.size;
    for (const [key, { owners }] of graph) {
      if (owners.some(({ owner }) => found.has(owner))) found.add(key);
    }
  }
  return found;
}
