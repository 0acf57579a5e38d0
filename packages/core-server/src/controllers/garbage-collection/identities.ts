/** Dependents may disagree on the location of an owner: only its uid is the same in their references. */
import { dependentsOf, type GraphNode } from './graph-node.ts';
import {
  compareReferences,
  matchesCoordinates,
  type ObjectReference,
  referenceKey,
  referenceOf,
} from './object-reference.ts';

interface DependentsByAgreement {
  readonly matching: readonly GraphNode[];
  readonly nonmatching: readonly GraphNode[];
}

/**
 * Dependents that refer to this identity, and those that refer to another with the same uid. With several references a
 * dependent may be in both.
 */
export function partitionDependents(
  owner: GraphNode,
  identity: ObjectReference,
): DependentsByAgreement {
  const matching: GraphNode[] = [];
  const nonmatching: GraphNode[] = [];
  for (const dependent of dependentsOf(owner)) {
    const isElsewhere =
      identity.namespace !== '' && identity.namespace !== dependent.identity.namespace;
    const own = dependent.owners.filter(({ uid }) => uid === identity.uid);
    const matches = own.filter((reference) => matchesCoordinates(reference, identity));
    if (!isElsewhere && matches.length > 0) matching.push(dependent);
    if (isElsewhere || matches.length < own.length) nonmatching.push(dependent);
  }
  return { matching, nonmatching };
}

/**
 * Another location of the owner after one was absent: the next in order, cyclically, so that all are tried. Undefined
 * when no dependent names another one.
 */
export function alternateIdentity(
  dependents: readonly GraphNode[],
  absent: ObjectReference,
): ObjectReference | undefined {
  const alternates = new Map<string, ObjectReference>();
  for (const { identity, owners } of dependents) {
    for (const reference of owners) {
      if (reference.uid !== absent.uid) continue;
      if (isExactly(reference, identity.namespace, absent)) continue;
      const alternate = referenceOf(reference, namespaceOf(reference, identity.namespace, absent));
      alternates.set(referenceKey(alternate), alternate);
    }
  }
  alternates.delete(referenceKey(absent));
  const ordered = [...alternates.values()].sort(compareReferences);
  return ordered.find((one) => compareReferences(absent, one) < 0) ?? ordered[0];
}

type Reference = Parameters<typeof matchesCoordinates>[0];

function isExactly(reference: Reference, namespace: string, absent: ObjectReference): boolean {
  if (!matchesCoordinates(reference, absent)) return false;
  return absent.namespace === '' || absent.namespace === namespace;
}

/** The kind was just found to be cluster-scoped. */
function namespaceOf(reference: Reference, namespace: string, absent: ObjectReference): string {
  const isClusterScoped =
    absent.namespace === '' &&
    reference.apiVersion === absent.apiVersion &&
    reference.kind === absent.kind;
  return isClusterScoped ? '' : namespace;
}
