import { isDeepStrictEqual } from 'node:util';
import type { ObjectMeta, OwnerReference } from '@tributary/apimachinery';
import type { Warnings } from '../warnings.ts';

/** Drops references that are equal in every field, with a warning, as upstream has done since 1.20. */
export function dedupOwners(metadata: ObjectMeta, warnings: Warnings): ObjectMeta {
  const sent = metadata.ownerReferences;
  if (sent === undefined || sent.length < 2) return metadata;
  const kept: OwnerReference[] = [];
  const repeated = new Set<string>();
  for (const reference of sent) {
    if (kept.some((other) => other.uid === reference.uid && isDeepStrictEqual(other, reference))) {
      repeated.add(reference.uid);
    } else {
      kept.push(reference);
    }
  }
  if (repeated.size === 0) return metadata;
  warnings.add(
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...repeated].join(', ')}`,
  );
  return { ...metadata, ownerReferences: kept };
}
