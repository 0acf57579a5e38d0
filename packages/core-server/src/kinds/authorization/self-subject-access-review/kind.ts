import { SelfSubjectAccessReview } from '@tributary/api/authorization-v1';
import { type Authorizer, computed } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { reviewAccess } from '../shared/review-access.ts';
import { validateSelfSubjectAccessReview } from '../shared/validation.ts';

export function selfSubjectAccessReviewKind({ authorize }: { readonly authorize: Authorizer }) {
  return defineResource({
    kind: 'SelfSubjectAccessReview',
    plural: 'selfsubjectaccessreviews',
    scope: 'Cluster',
    tracksGeneration: false,
    backing: computed<SelfSubjectAccessReview>({
      create: (sent, { user, signal }) =>
        reviewAccess(sent, user, { validate: validateSelfSubjectAccessReview, authorize, signal }),
    }),
    versions: { v1: version({ typed: SelfSubjectAccessReview }) },
  });
}
