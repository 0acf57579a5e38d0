import { LocalSubjectAccessReview } from '@tributary/api/authorization-v1';
import { type Authorizer, computed } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { reviewSubject } from '../shared/review-access.ts';
import { validateLocalSubjectAccessReview } from '../shared/validation.ts';

export function localSubjectAccessReviewKind({ authorize }: { readonly authorize: Authorizer }) {
  return defineResource({
    kind: 'LocalSubjectAccessReview',
    plural: 'localsubjectaccessreviews',
    scope: 'Namespaced',
    tracksGeneration: false,
    backing: computed<LocalSubjectAccessReview>({
      create: (sent, { signal }) =>
        reviewSubject(sent, { validate: validateLocalSubjectAccessReview, authorize, signal }),
    }),
    versions: { v1: version({ typed: LocalSubjectAccessReview }) },
  });
}
