import type { PolicyRule } from './types.ts';

/**
 * Rules indexed by resource and path, so that a decision evaluates only those that may match. All bindings of a role
 * share its table.
 */
export interface RuleTable {
  /** By the resource in the rule: `pods`, `pods/log`, or one with a wildcard. */
  readonly byResource: ReadonlyMap<string, readonly CompiledRule[]>;
  readonly byPath: ReadonlyMap<string, readonly CompiledRule[]>;
  /** Paths that end in `*`, without it. */
  readonly byPrefix: readonly { readonly prefix: string; readonly rule: CompiledRule }[];
}

/** Undefined matches everything. */
interface CompiledRule {
  readonly verbs: ReadonlySet<string> | undefined;
  readonly groups: ReadonlySet<string> | undefined;
  readonly names: ReadonlySet<string> | undefined;
}

interface ResourceQuery {
  readonly verb: string;
  readonly group: string;
  /** With the subresource: `pods/log`. */
  readonly resource: string;
  /** The subresource with a wildcard as resource; undefined without a subresource. */
  readonly anyParent: string | undefined;
  /** Undefined requires every name, which a rule with resourceNames never grants. The empty name is a name. */
  readonly name: string | undefined;
}

interface PathQuery {
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

export function allowsResource(table: RuleTable, query: ResourceQuery): boolean {
  const { byResource } = table;
  return (
    someAllows(byResource.get(query.resource), query) ||
    someAllows(byResource.get('*'), query) ||
    (query.anyParent !== undefined && someAllows(byResource.get(query.anyParent), query))
  );
}

/** `unnamed` skips rules that also have resourceNames, which validation rejects. */
export function allowsPath(
  { byPath, byPrefix }: RuleTable,
  { verb, path }: PathQuery,
  options: { readonly unnamed?: boolean } = {},
): boolean {
  const matches = ({ verbs, names }: CompiledRule): boolean =>
    (verbs === undefined || verbs.has(verb)) && !(options.unnamed === true && names !== undefined);
  return (
    (byPath.get(path)?.some(matches) ?? false) ||
    byPrefix.some(({ prefix, rule }) => path.startsWith(prefix) && matches(rule))
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

/** A plain loop, because it runs for every role of every request. */
function someAllows(
  rules: readonly CompiledRule[] | undefined,
  { verb, group, name }: ResourceQuery,
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
