import type { ObjectMeta } from '@tributary/apimachinery';
import { type AdmissionResult, allow, type UpdateReview } from './admission.ts';

const preserved = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/** A write to `status` leaves these fields as they are: `rest.ResetObjectMetaForStatus` upstream. */
export function resetObjectMetaForStatus<Object extends { metadata: ObjectMeta }>(
  review: UpdateReview<Object>,
): AdmissionResult {
  if (review.subresource !== 'status') return allow;
  const { object, oldObject } = review;
  const metadata: ObjectMeta = { ...object.metadata };
  for (const field of preserved) {
    delete metadata[field];
    if (oldObject.metadata[field] !== undefined) {
      Object.assign(metadata, { [field]: oldObject.metadata[field] });
    }
  }
  object.metadata = metadata;
  return allow;
}
