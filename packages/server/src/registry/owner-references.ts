import type { ObjectMeta, OwnerReference } from '@tributary/apimachinery';
import type { Warnings } from '../request/warnings.ts';

/** Drops references that are equal in every field, with a warning, as upstream has done since 1.20. */
export function dedupOwners(metadata: ObjectMeta, warnings: Warnings): ObjectMeta {
  const sent = metadata.ownerReferences;
  if (sent === undefined || sent.length < 2) return metadata;
  const unique = new Map<string, OwnerReference>();
  const repeated = new Set<string>();
  for (const reference of sent) {
    const key = keyOf(reference);
    if (unique.has(key)) repeated.add(reference.uid);
    else unique.set(key, reference);
  }
  if (repeated.size === 0) return metadata;
  warnings.add(
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...repeated].join(', ')}`,
  );
  return { ...metadata, ownerReferences: [...unique.values()] };
}

/** A key of all fields: there may be many references, and each is compared with all others. */
function keyOf(reference: OwnerReference): string {
  const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = reference;
  return JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
}
