import {
  type AccessReviewKinds,
  type AccessReviewSources,
  accessReviewKinds,
} from './access-review-kinds.ts';
import {
  type IdentityReviewKinds,
  type IdentityReviewSources,
  identityReviewKinds,
} from './identity-review-kinds.ts';

export type ReviewSources = AccessReviewSources & IdentityReviewSources;
export type ReviewKinds = AccessReviewKinds & IdentityReviewKinds;

/** The kinds of `authentication.k8s.io` and `authorization.k8s.io`. */
export function reviewKinds(sources: ReviewSources): ReviewKinds {
  return { ...identityReviewKinds(sources), ...accessReviewKinds(sources) };
}
