import { SelfSubjectRulesReview } from '@tributary/api/authorization-v1';
import { badRequest } from '@tributary/apimachinery';
import { computed } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { type RulesResolver, rulesReviewStatus } from '../../../rbac/rules-listing.ts';

export interface RulesReviewDependencies {
  /** The rules of a user, as far as the authorizers can list them. */
  readonly rulesFor: RulesResolver;
}

export function selfSubjectRulesReviewKind({ rulesFor }: RulesReviewDependencies) {
  return defineResource({
    kind: 'SelfSubjectRulesReview',
    plural: 'selfsubjectrulesreviews',
    scope: 'Cluster',
    tracksGeneration: false,
    backing: computed<SelfSubjectRulesReview>({
      create: async ({ apiVersion, kind, spec }, { user }) => {
        if (!spec.namespace) throw badRequest('no namespace on request');
        const status = rulesReviewStatus(rulesFor(user, spec.namespace));
        // The response has an empty spec, as upstream's.
        const review = { apiVersion, kind, metadata: {}, spec: {}, status };
        return review as unknown as SelfSubjectRulesReview;
      },
    }),
    versions: { v1: version({ typed: SelfSubjectRulesReview }) },
  });
}
