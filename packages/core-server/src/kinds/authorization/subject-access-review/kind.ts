import { SubjectAccessReview } from '@tributary/api/authorization-v1';
import { type Authorizer, computed } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { reviewSubject } from '../shared/review-access.ts';
import { validateSubjectAccessReview } from '../shared/validation.ts';

export function subjectAccessReviewKind({ authorize }: { readonly authorize: Authorizer }) {
  return defineResource({
    kind: 'SubjectAccessReview',
    plural: 'subjectaccessreviews',
    scope: 'Cluster',
    tracksGeneration: false,
    backing: computed<SubjectAccessReview>({
      create: (sent, { signal }) =>
        reviewSubject(sent, { validate: validateSubjectAccessReview, authorize, signal }),
    }),
    versions: { v1: version({ typed: SubjectAccessReview }) },
  });
}
