import type { PolicyRule } from './types.ts';

/**
 * Rules arranged by what they are about, so that a question looks at the few that could answer it. One is made
 * for a role, and shared by all its bindings.
 */
export interface RuleTable {
  /** By the text in the rule: `pods`, `pods/log`, `*` or a wildcard before a subresource. */
  readonly byResource: ReadonlyMap<string, readonly CompiledRule[]>;
  readonly byPath: ReadonlyMap<string, readonly CompiledRule[]>;
  /** Those that end in a star, without it. */
  readonly byPrefix: readonly { readonly prefix: string; readonly rule: CompiledRule }[];
}

/** Undefined is everything. */
interface CompiledRule {
  readonly verbs: ReadonlySet<string> | undefined;
  readonly groups: ReadonlySet<string> | undefined;
  readonly names: ReadonlySet<string> | undefined;
}

interface ResourceQuestion {
  readonly verb: string;
  readonly group: string;
  /** With the subresource: `pods/log`. */
  readonly resource: string;
  /** The subresource behind a wildcard, or undefined where there is no subresource. */
  readonly anyParent: string | undefined;
  /** Undefined asks for every name, which a rule with names never grants. The empty name is a name. */
  readonly name: string | undefined;
}

interface PathQuestion {
  readonly verb: string;
  readonly path: string;
}

export function compileRules(rules: readonly PolicyRule[]): RuleTable {
  const byResource = new Map<string, CompiledRule[]>();
  const byPath = new Map<string, CompiledRule[]>();
  const byPrefix: { prefix: string; rule: CompiledRule }[] = [];
  for (const rule of rules) {
    const compiled = compileRule(rule);
    for (const resource of new Set(rule.resources)) append(byResource, resource, compiled);
    for (const url of new Set(rule.nonResourceURLs)) {
      append(byPath, url, compiled);
      if (url.endsWith('*')) byPrefix.push({ prefix: withoutStars(url), rule: compiled });
    }
  }
  return { byResource, byPath, byPrefix };
}

export function allowsResource(table: RuleTable, question: ResourceQuestion): boolean {
  const { byResource } = table;
  return (
    someAllows(byResource.get(question.resource), question) ||
    someAllows(byResource.get('*'), question) ||
    (question.anyParent !== undefined && someAllows(byResource.get(question.anyParent), question))
  );
}

/** `unnamed` leaves out rules that also have names of resources, for which no valid role has a use. */
export function allowsPath(
  { byPath, byPrefix }: RuleTable,
  { verb, path }: PathQuestion,
  options: { readonly unnamed?: boolean } = {},
): boolean {
  const fits = ({ verbs, names }: CompiledRule): boolean =>
    (verbs === undefined || verbs.has(verb)) && !(options.unnamed === true && names !== undefined);
  return (
    (byPath.get(path)?.some(fits) ?? false) ||
    byPrefix.some(({ prefix, rule }) => path.startsWith(prefix) && fits(rule))
  );
}

function compileRule({ verbs, apiGroups, resourceNames = [] }: PolicyRule): CompiledRule {
  return {
    verbs: wildcardSet(verbs),
    groups: wildcardSet(apiGroups),
    names: resourceNames.length === 0 ? undefined : new Set(resourceNames),
  };
}

function wildcardSet(values: readonly string[] = []): ReadonlySet<string> | undefined {
  return values.includes('*') ? undefined : new Set(values);
}

function append(map: Map<string, CompiledRule[]>, key: string, rule: CompiledRule): void {
  const rules = map.get(key);
  if (rules === undefined) map.set(key, [rule]);
  else rules.push(rule);
}

/** A plain loop: this is asked for every role of every request. */
function someAllows(
  rules: readonly CompiledRule[] | undefined,
  { verb, group, name }: ResourceQuestion,
): boolean {
  if (rules === undefined) return false;
  for (const { verbs, groups, names } of rules) {
    if (verbs !== undefined && !verbs.has(verb)) continue;
    if (groups !== undefined && !groups.has(group)) continue;
    if (names === undefined || (name !== undefined && names.has(name))) return true;
  }
  return false;
}

function withoutStars(url: string): string {
  let end = url.length;
  while (end > 0 && url[end - 1] === '*') end -= 1;
  return url.slice(0, end);
}
