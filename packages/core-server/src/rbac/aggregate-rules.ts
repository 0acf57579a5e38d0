import { compareText } from './compare-text.ts';
import { selectorOf } from './label-selector-terms.ts';
import type { ClusterRole, PolicyRule } from './types.ts';

/** The field manager of aggregated rules, which are written by server-side apply with force. */
export const AGGREGATION_MANAGER = 'clusterrole-aggregation-controller';

interface AggregatedRules {
  readonly rules: readonly PolicyRule[];
  /** Whether the aggregated rules differ from those of the role. */
  readonly changed: boolean;
}

/** Roles with an `aggregationRule`. Any change of a ClusterRole may change the rules of each of them. */
export function aggregatedRoles(all: readonly ClusterRole[]): ClusterRole[] {
  return all.filter(({ aggregationRule }) => aggregationRule !== undefined);
}

/**
 * The rules of all roles that `aggregationRule` selects: selector by selector, roles in the order of their names, each
 * rule once. Undefined without an `aggregationRule`; throws when a selector is invalid.
 */
export function aggregateRules(
  role: ClusterRole,
  all: readonly ClusterRole[],
): AggregatedRules | undefined {
  if (role.aggregationRule === undefined) return undefined;
  const others = all
    .filter(({ metadata }) => metadata.name !== role.metadata.name)
    .sort((a, b) => compareText(a.metadata.name ?? '', b.metadata.name ?? ''));
  const rules = new Map<string, PolicyRule>();
  for (const terms of role.aggregationRule.clusterRoleSelectors ?? []) {
    const selector = selectorOf(terms);
    if (selector === undefined) {
      throw new Error(
        `clusterrole "${role.metadata.name}": ${JSON.stringify(terms)} is not a valid label selector`,
      );
    }
    for (const other of others) {
      if (!selector.matches(other.metadata.labels)) continue;
      for (const rule of other.rules ?? []) {
        const key = ruleKey(rule);
        if (!rules.has(key)) rules.set(key, rule);
      }
    }
  }
  const gathered = [...rules.values()];
  return { rules: gathered, changed: !sameRules(gathered, role.rules ?? []) };
}

function sameRules(a: readonly PolicyRule[], b: readonly PolicyRule[]): boolean {
  if (a.length !== b.length) return false;
  const keys = b.map(ruleKey);
  return a.every((rule, index) => ruleKey(rule) === keys[index]);
}

/** Equal for equal rules. The order of verbs and resources is significant. */
function ruleKey(rule: PolicyRule): string {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [] } = rule;
  return JSON.stringify([verbs, apiGroups, resources, resourceNames, rule.nonResourceURLs ?? []]);
}
