import { aggregateTexts } from '@tributary/apimachinery';
import type { UserInfo } from '@tributary/server';
import type { RbacIndex } from './rbac-index.ts';
import { roleRefError } from './role-ref-errors.ts';

/** The rules of a user, as far as one authorizer can list them. */
interface RulesListing {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  /** Whether there may be rules that cannot be listed. */
  readonly incomplete: boolean;
  readonly errors: readonly string[];
}

interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export type RulesResolver = (user: UserInfo, namespace: string) => RulesListing;

/** The `status` of a SelfSubjectRulesReview. */
interface RulesReviewStatus {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}

/** Rules are listed as they are in the roles, repeats included: clients merge them. */
export function rbacRules(index: RbacIndex): RulesResolver {
  return (user, namespace) => {
    const { rules, missing } = index.rulesFor(user, namespace);
    const resourceRules: ResourceRule[] = [];
    const nonResourceRules: NonResourceRule[] = [];
    for (const rule of rules) {
      const { verbs = [], apiGroups, resources, resourceNames, nonResourceURLs } = rule;
      if (isFilled(resources)) {
        resourceRules.push({
          verbs,
          ...(isFilled(apiGroups) && { apiGroups }),
          resources,
          ...(isFilled(resourceNames) && { resourceNames }),
        });
      }
      if (isFilled(nonResourceURLs)) nonResourceRules.push({ verbs, nonResourceURLs });
    }
    const errors = missing.map((ref) => roleRefError(ref));
    return { resourceRules, nonResourceRules, incomplete: false, errors };
  };
}

/** The rules of the authorization mode AlwaysAllow. */
export const everythingAllowed: RulesResolver = () => ({
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
  errors: [],
});

/** The rules of all resolvers, in their order. */
export function unionRules(resolvers: readonly RulesResolver[]): RulesResolver {
  return (user, namespace) => {
    const listings = resolvers.map((resolve) => resolve(user, namespace));
    return {
      resourceRules: listings.flatMap(({ resourceRules }) => resourceRules),
      nonResourceRules: listings.flatMap(({ nonResourceRules }) => nonResourceRules),
      incomplete: listings.some(({ incomplete }) => incomplete),
      errors: listings.flatMap(({ errors }) => errors),
    };
  };
}

export function rulesReviewStatus(listing: RulesListing): RulesReviewStatus {
  const { resourceRules, nonResourceRules, incomplete, errors } = listing;
  return {
    resourceRules,
    nonResourceRules,
    incomplete,
    ...(errors.length > 0 && { evaluationError: aggregateTexts(errors) }),
  };
}

function isFilled(values: readonly string[] | undefined): values is readonly string[] {
  return values !== undefined && values.length > 0;
}
