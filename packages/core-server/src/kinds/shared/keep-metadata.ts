import type { ObjectMeta } from '@tributary/apimachinery';
import { allow, type UpdateReview, type Verdict } from '@tributary/server';

/** Of the metadata, a write of the status changes nothing that its owners decide. */
const kept = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

export function keepMetadata<Object extends { metadata: ObjectMeta }>(
  review: UpdateReview<Object>,
): Verdict {
  if (review.subresource !== 'status') return allow;
  const { object, oldObject } = review;
  const metadata: ObjectMeta = { ...object.metadata };
  for (const field of kept) {
    delete metadata[field];
    if (oldObject.metadata[field] !== undefined) {
      Object.assign(metadata, { [field]: oldObject.metadata[field] });
    }
  }
  object.metadata = metadata;
  return allow;
}
