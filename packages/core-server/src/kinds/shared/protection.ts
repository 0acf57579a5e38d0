/**
 * Storage object in use protection: admission adds a finalizer, and a controller removes it once the object is not
 * used.
 */
import type { ObjectMeta } from '@tributary/apimachinery';
import { type AdmissionResult, allow, type CreateReview } from '@tributary/server';

/** The admission rule for creates. */
export function addFinalizer(
  finalizer: string,
): (review: CreateReview<{ metadata: ObjectMeta }>) => AdmissionResult {
  return ({ object: { metadata } }) => {
    const finalizers = metadata.finalizers ?? [];
    if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
    return allow;
  };
}
