import { allowsPath, allowsResource, compileRules, type RuleTable } from './rule-table.ts';
import type { PolicyRule } from './types.ts';

/**
 * The parts of `wanted` that no single rule of `held` grants, as rules with one verb, one resource and at most one name
 * each.
 */
export function uncoveredRules(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): PolicyRule[] {
  const table = compileRules(held);
  const uncovered: PolicyRule[] = [];
  for (const rule of wanted) {
    for (const part of partsOf(rule)) if (!covers(table, part)) uncovered.push(part.rule);
  }
  return uncovered;
}

type Part =
  | {
      readonly kind: 'resource';
      readonly rule: PolicyRule;
      readonly group: string;
      readonly resource: string;
      readonly verb: string;
      readonly name: string | undefined;
    }
  | {
      readonly kind: 'path';
      readonly rule: PolicyRule;
      readonly path: string;
      readonly verb: string;
    };

/** Groups vary slowest, then resources, verbs and names, as upstream: messages show the order of the verbs. */
function* partsOf(rule: PolicyRule): Generator<Part> {
  const { apiGroups = [], resources = [], verbs = [], nonResourceURLs = [] } = rule;
  const names = rule.resourceNames?.length ? rule.resourceNames : [undefined];
  for (const group of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs) {
        for (const name of names) {
          const part = {
            apiGroups: [group],
            resources: [resource],
            ...(name !== undefined && { resourceNames: [name] }),
            verbs: [verb],
          };
          yield { kind: 'resource', rule: part, group, resource, verb, name };
        }
      }
    }
  }
  for (const path of nonResourceURLs) {
    for (const verb of verbs) {
      yield { kind: 'path', rule: { nonResourceURLs: [path], verbs: [verb] }, path, verb };
    }
  }
}

/** A wildcard in the part is compared literally: only the same wildcard covers it. */
function covers(table: RuleTable, part: Part): boolean {
  if (part.kind === 'path') return allowsPath(table, part, { unnamed: true });
  const { verb, group, resource, name } = part;
  const slash = resource.indexOf('/');
  const anyParent = slash === -1 ? undefined : `*${resource.slice(slash)}`;
  return allowsResource(table, { verb, group, resource, anyParent, name });
}
