import type { SelfSubjectAccessReview, SubjectAccessReview } from '@tributary/api/authorization-v1';
import { type FieldError, invalid } from '@tributary/apimachinery';
import type { Authorizer, UserInfo } from '@tributary/server';
import { withoutSystemFields } from '../../shared/review-metadata.ts';
import { checkAccess, subjectOf } from './check-access.ts';

interface ReviewOptions<Review> {
  readonly validate: (review: Review) => FieldError[];
  readonly authorize: Authorizer;
  readonly signal: AbortSignal;
}

/** A review of the access of the subject that its spec names. */
export function reviewSubject<Review extends SubjectAccessReview>(
  sent: Review,
  options: ReviewOptions<Review>,
): Promise<Review> {
  return reviewAccess(sent, subjectOf(sent.spec), options);
}

export async function reviewAccess<Review extends SubjectAccessReview | SelfSubjectAccessReview>(
  sent: Review,
  user: UserInfo,
  { validate, authorize, signal }: ReviewOptions<Review>,
): Promise<Review> {
  const review = { ...sent, metadata: withoutSystemFields(sent.metadata) };
  const errors = validate(review);
  // Upstream's error has no kind.
  if (errors.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors);
  const status = await checkAccess({ user, question: review.spec, signal }, authorize);
  return { ...review, status };
}
