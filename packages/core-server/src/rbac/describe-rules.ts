import { goQuote } from '@tributary/apimachinery';
import { compareText } from './compare-strings.ts';
import type { PolicyRule } from './types.ts';

/** Rules with one resource and at most one name each, a line for a resource with all its verbs, sorted. */
export function describeRules(rules: readonly PolicyRule[]): string[] {
  const lines = new Set(withVerbsTogether(rules).map(describeRule));
  return [...lines].sort(compareText);
}

function withVerbsTogether(rules: readonly PolicyRule[]): PolicyRule[] {
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

/** A list of strings as Go's `%q` prints it. */
export function quoteList(values: readonly string[]): string {
  return `[${values.map(goQuote).join(' ')}]`;
}
