import type { ObjectMeta, OwnerReference } from '@tributary/apimachinery';
import type { Warnings } from '../request/warnings.ts';

/** Drops references that are equal in every field, with a warning, as upstream has done since 1.20. */
export function dedupOwners(metadata: ObjectMeta, warnings: Warnings): ObjectMeta {
  const sent = metadata.ownerReferences;
  if (sent === undefined || sent.length < 2) return metadata;
  const kept = new Map<string, OwnerReference>();
  const repeated = new Set<string>();
  for (const reference of sent) {
    const key = keyOf(reference);
    if (kept.has(key)) repeated.add(reference.uid);
    else kept.set(key, reference);
  }
  if (repeated.size === 0) return metadata;
  warnings.add(
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...repeated].join(', ')}`,
  );
  return { ...metadata, ownerReferences: [...kept.values()] };
}

/** All that a reference says: there may be many, and each is compared with all others. */
function keyOf(reference: OwnerReference): string {
  const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = reference;
  return JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
}
