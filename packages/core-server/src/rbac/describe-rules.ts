import { goQuote } from '@tributary/apimachinery';
import { compareText } from './compare-text.ts';
import type { PolicyRule } from './types.ts';

/** One line per resource with all its verbs, sorted. Each rule must have one resource and at most one name. */
export function describeRules(rules: readonly PolicyRule[]): string[] {
  const lines = new Set(groupVerbs(rules).map(describeRule));
  return [...lines].sort(compareText);
}

function groupVerbs(rules: readonly PolicyRule[]): PolicyRule[] {
  const paths: PolicyRule[] = [];
  const resources = new Map<string, PolicyRule & { verbs: string[] }>();
  for (const rule of rules) {
    if (rule.nonResourceURLs !== undefined) {
      paths.push(rule);
      continue;
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]);
    const known = resources.get(key);
    if (known === undefined) resources.set(key, { ...rule, verbs: [...(rule.verbs ?? [])] });
    else known.verbs.push(...(rule.verbs ?? []));
  }
  return [...paths, ...resources.values()];
}

function describeRule(rule: PolicyRule): string {
  const parts: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ];
  const shown = parts.flatMap(([name, values = []]) =>
    values.length === 0 ? [] : [`${name}:${quoteList(values)}`],
  );
  return `{${shown.join(', ')}}`;
}

/** A list of strings in the format of Go's `%q`. */
export function quoteList(values: readonly string[]): string {
  return `[${values.map(goQuote).join(' ')}]`;
}
