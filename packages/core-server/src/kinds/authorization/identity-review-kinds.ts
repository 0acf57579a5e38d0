import { SelfSubjectReview, TokenReview } from '@tributary/api/authentication-v1';
import { computed, type ResourceDefinition } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { selfSubjectReview } from '../../authentication/self-subject-review.ts';
import { withoutSystemFields } from './review-metadata.ts';

export interface IdentityReviewSources {
  /** What this server thinks of a token; the answer is the question with its status. */
  readonly reviewToken: (review: TokenReview) => Promise<TokenReview>;
  /** Default: the system's clock. */
  readonly nowMs?: () => number;
}

export interface IdentityReviewKinds {
  readonly tokenReview: ResourceDefinition<TokenReview>;
  readonly selfSubjectReview: ResourceDefinition<SelfSubjectReview>;
}

/** Everything in `authentication.k8s.io`: questions that are answered and forgotten. */
export function identityReviewKinds({
  reviewToken,
  nowMs = Date.now,
}: IdentityReviewSources): IdentityReviewKinds {
  return {
    tokenReview: defineResource({
      kind: 'TokenReview',
      plural: 'tokenreviews',
      scope: 'Cluster',
      tracksGeneration: false,
      backing: computed<TokenReview>({
        create: (sent) => reviewToken({ ...sent, metadata: withoutSystemFields(sent.metadata) }),
      }),
      versions: { v1: version({ typed: TokenReview }) },
    }),
    selfSubjectReview: defineResource({
      kind: 'SelfSubjectReview',
      plural: 'selfsubjectreviews',
      scope: 'Cluster',
      tracksGeneration: false,
      backing: computed<SelfSubjectReview>({
        create: async (_sent, { user }) => selfSubjectReview(user, nowMs()),
      }),
      versions: { v1: version({ typed: SelfSubjectReview }) },
    }),
  };
}
