import type { OwnerReference } from '@tributary/apimachinery';

/** The location and uid of an object. The namespace is empty for cluster-scoped kinds, or when unknown. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** An owner reference from the point of view of a dependent in this namespace. */
export function referenceOf(owner: OwnerReference, namespace: string): ObjectReference {
  const { apiVersion, kind, name, uid } = owner;
  return { apiVersion, kind, namespace, name, uid };
}

/** Compares all fields but the namespace, which owner references lack. */
export function matchesCoordinates(
  owner: OwnerReference,
  { apiVersion, kind, name, uid }: ObjectReference,
): boolean {
  return (
    owner.uid === uid &&
    owner.name === name &&
    owner.kind === kind &&
    owner.apiVersion === apiVersion
  );
}

export function isSameReference(a: ObjectReference, b: ObjectReference): boolean {
  return compareReferences(a, b) === 0;
}

/** Sorts by kind first, whether namespaced or not; within a kind as upstream. */
export function compareReferences(a: ObjectReference, b: ObjectReference): number {
  return (
    compare(a.kind, b.kind) ||
    compare(a.apiVersion, b.apiVersion) ||
    compare(a.namespace, b.namespace) ||
    compare(a.name, b.name) ||
    compare(a.uid, b.uid)
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Equal for equal references. No field can contain a line break. */
export function referenceKey({ apiVersion, kind, namespace, name, uid }: ObjectReference): string {
  return [uid, name, namespace, kind, apiVersion].join('\n');
}

/** As upstream prints it in Events. */
export function formatReference(reference: ObjectReference): string {
  const { apiVersion, kind, namespace, name, uid } = reference;
  return `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
}
