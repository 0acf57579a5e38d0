import type { OwnerReference } from '@tributary/apimachinery';

/** Where an object is said to be, and which one it is. An empty namespace: it has none, or nobody knows. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** What an owner reference says, as seen from an object in this namespace. */
export function referenceOf(owner: OwnerReference, namespace: string): ObjectReference {
  const { apiVersion, kind, name, uid } = owner;
  return { apiVersion, kind, namespace, name, uid };
}

/** Everything but the namespace, which owner references do not have. */
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

/** Kinds lie together, whether they have namespaces or not; within them as upstream. */
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

/** The same text for the same reference. None of its parts can have a line break. */
export function referenceKey({ apiVersion, kind, namespace, name, uid }: ObjectReference): string {
  return [uid, name, namespace, kind, apiVersion].join('\n');
}

/** As upstream prints it in Events. */
export function formatReference(reference: ObjectReference): string {
  const { apiVersion, kind, namespace, name, uid } = reference;
  return `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
}
