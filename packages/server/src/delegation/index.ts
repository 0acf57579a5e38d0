/** Reviews by another API server, and the cache of their results. */

export { ExpiringCache } from './expiring-cache.ts';
export { FinalAuthorizerError } from './final-authorizer-error.ts';
export { type ReviewCall, reviewAuthorizer } from './review-authorizer.ts';
export { tokenReviewLookup, webhookReview } from './token-review.ts';
