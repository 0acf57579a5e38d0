/** What is in use stays until nobody uses it: upstream's admission gives it a finalizer, and a controller takes it. */
import type { ObjectMeta } from '@tributary/apimachinery';
import { type AdmissionResult, allow, type CreateReview } from '@tributary/server';

/** A rule for creates. */
export function protectedBy(
  finalizer: string,
): (review: CreateReview<{ metadata: ObjectMeta }>) => AdmissionResult {
  return ({ object: { metadata } }) => {
    const finalizers = metadata.finalizers ?? [];
    if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
    return allow;
  };
}
