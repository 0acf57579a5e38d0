import { SelfSubjectReview } from '@tributary/api/authentication-v1';
import { computed } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { selfSubjectReview } from '../../../authentication/self-subject-review.ts';

export function selfSubjectReviewKind({ nowMs = Date.now }: { readonly nowMs?: () => number }) {
  return defineResource({
    kind: 'SelfSubjectReview',
    plural: 'selfsubjectreviews',
    scope: 'Cluster',
    tracksGeneration: false,
    backing: computed<SelfSubjectReview>({
      create: async (_sent, { user }) => selfSubjectReview(user, nowMs()),
    }),
    versions: { v1: version({ typed: SelfSubjectReview }) },
  });
}
