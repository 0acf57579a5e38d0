import {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
} from '@tributary/api/authorization-v1';
import { badRequest, type FieldError, invalid } from '@tributary/apimachinery';
import { type Authorizer, computed, type ResourceDefinition } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { type RulesResolver, rulesReviewStatus } from '../../rbac/rules-listing.ts';
import { answerQuestion, subjectOf } from './access-question.ts';
import { withoutSystemFields } from './review-metadata.ts';
import {
  validateLocalSubjectAccessReview,
  validateSelfSubjectAccessReview,
  validateSubjectAccessReview,
} from './validate-access-review.ts';

export interface AccessReviewSources {
  readonly authorize: Authorizer;
  /** All that somebody may do, as far as the authorizers can list it. */
  readonly rulesFor: RulesResolver;
}

export interface AccessReviewKinds {
  readonly subjectAccessReview: ResourceDefinition<SubjectAccessReview>;
  readonly localSubjectAccessReview: ResourceDefinition<LocalSubjectAccessReview>;
  readonly selfSubjectAccessReview: ResourceDefinition<SelfSubjectAccessReview>;
  readonly selfSubjectRulesReview: ResourceDefinition<SelfSubjectRulesReview>;
}

/** Everything in `authorization.k8s.io`: questions that are answered and forgotten. */
export function accessReviewKinds({ authorize, rulesFor }: AccessReviewSources): AccessReviewKinds {
  const answerSubject = async <Review extends SubjectAccessReview>(
    sent: Review,
    validate: (review: Review) => FieldError[],
    signal: AbortSignal,
  ): Promise<Review> => {
    const review = accepted(sent, validate);
    const { spec } = review;
    const asking = { user: subjectOf(spec), question: spec, signal };
    return { ...review, status: await answerQuestion(asking, authorize) };
  };
  return {
    subjectAccessReview: defineResource({
      kind: 'SubjectAccessReview',
      plural: 'subjectaccessreviews',
      scope: 'Cluster',
      tracksGeneration: false,
      backing: computed<SubjectAccessReview>({
        create: (sent, { signal }) => answerSubject(sent, validateSubjectAccessReview, signal),
      }),
      versions: { v1: version({ typed: SubjectAccessReview }) },
    }),
    localSubjectAccessReview: defineResource({
      kind: 'LocalSubjectAccessReview',
      plural: 'localsubjectaccessreviews',
      scope: 'Namespaced',
      tracksGeneration: false,
      backing: computed<LocalSubjectAccessReview>({
        create: (sent, { signal }) => answerSubject(sent, validateLocalSubjectAccessReview, signal),
      }),
      versions: { v1: version({ typed: LocalSubjectAccessReview }) },
    }),
    selfSubjectAccessReview: defineResource({
      kind: 'SelfSubjectAccessReview',
      plural: 'selfsubjectaccessreviews',
      scope: 'Cluster',
      tracksGeneration: false,
      backing: computed<SelfSubjectAccessReview>({
        create: async (sent, { user, signal }) => {
          const review = accepted(sent, validateSelfSubjectAccessReview);
          const asking = { user, question: review.spec, signal };
          return { ...review, status: await answerQuestion(asking, authorize) };
        },
      }),
      versions: { v1: version({ typed: SelfSubjectAccessReview }) },
    }),
    selfSubjectRulesReview: selfSubjectRulesReviewKind(rulesFor),
  };
}

function selfSubjectRulesReviewKind(
  rulesFor: RulesResolver,
): ResourceDefinition<SelfSubjectRulesReview> {
  return defineResource({
    kind: 'SelfSubjectRulesReview',
    plural: 'selfsubjectrulesreviews',
    scope: 'Cluster',
    tracksGeneration: false,
    backing: computed<SelfSubjectRulesReview>({
      create: async ({ apiVersion, kind, spec }, { user }) => {
        if (!spec.namespace) throw badRequest('no namespace on request');
        const status = rulesReviewStatus(rulesFor(user, spec.namespace));
        // The answer does not repeat the question.
        const answer = { apiVersion, kind, metadata: {}, spec: {}, status };
        return answer as unknown as SelfSubjectRulesReview;
      },
    }),
    versions: { v1: version({ typed: SelfSubjectRulesReview }) },
  });
}

function accepted<Review extends SubjectAccessReview | SelfSubjectAccessReview>(
  sent: Review,
  validate: (review: Review) => FieldError[],
): Review {
  const review = { ...sent, metadata: withoutSystemFields(sent.metadata) };
  const errors = validate(review);
  // Upstream has forgotten the kind by then, and names none.
  if (errors.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors);
  return review;
}
