import { TokenReview } from '@tributary/api/authentication-v1';
import { computed } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { withoutSystemFields } from '../../shared/review-metadata.ts';

export interface TokenReviewDependencies {
  /** Authenticates the token of a review, and returns the review with its status. */
  readonly reviewToken: (review: TokenReview) => Promise<TokenReview>;
}

export function tokenReviewKind({ reviewToken }: TokenReviewDependencies) {
  return defineResource({
    kind: 'TokenReview',
    plural: 'tokenreviews',
    scope: 'Cluster',
    tracksGeneration: false,
    backing: computed<TokenReview>({
      create: (sent) => reviewToken({ ...sent, metadata: withoutSystemFields(sent.metadata) }),
    }),
    versions: { v1: version({ typed: TokenReview }) },
  });
}
