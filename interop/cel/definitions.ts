/** Recorded rules in custom resource definitions, one property for each, as the real server can be asked. */
import type { CelCase } from './case.ts';
import type { CelResult, RuleResult } from './evaluator.ts';

export interface PlacedRule {
  readonly one: CelCase;
  readonly rule: RuleResult;
  /** Of the specification. */
  readonly property: string;
}

/** Limits of the estimated cost of a rule, and of a definition. */
export const RULE_COST_MAX = 10_000_000;
const TOTAL_COST_MAX = 100_000_000;

/** Groups whose data the schema accepts, so that only the rule can refuse it. */
const GROUPS = [
  'schema',
  'documented rule',
  'rule of a string',
  'rule of an integer',
  'rule of a list',
  'rule of a map',
  'transition',
  'certificate',
  'route',
  'database',
  'int or string',
];

type Responses = Readonly<Record<string, CelResult>>;

export interface Placed {
  /** Definitions with these are accepted; each is then tried with its data. */
  readonly accepted: readonly PlacedRule[];
  /** These do not compile. */
  readonly broken: readonly PlacedRule[];
  /** Some of these cost too much by estimation. */
  readonly estimated: readonly PlacedRule[];
}

export function placeRules(cases: readonly CelCase[], responses: Responses): Placed {
  const rules = cases.flatMap((one, index): PlacedRule[] => {
    const rule = responses[one.name]?.rule;
    const isEmpty = one.expression.trim() === '';
    return rule === undefined || isEmpty ? [] : [{ one, rule, property: `case${index}` }];
  });
  const known = rules.filter(({ one }) => GROUPS.includes(groupOf(one)));
  const unbounded = rules.filter(({ one }) => groupOf(one) === 'unbounded');
  return {
    accepted: withinTotal(known.filter(isTriable)),
    broken: known.filter(({ rule }) => rule.compileError !== undefined),
    estimated: unbounded.filter(({ rule }) => rule.maxCost !== undefined),
  };
}

/** An update makes sense only for a rule that asks for what was there before. */
function isTriable({ one, rule }: PlacedRule): boolean {
  if (rule.compileError !== undefined || one.optionalOldSelf === true) return false;
  const isUpdate = one.oldSelf !== undefined && groupOf(one) === 'transition';
  return rule.usesOldSelf === true ? isUpdate : one.oldSelf === undefined || !isUpdate;
}

function withinTotal(rules: readonly PlacedRule[]): PlacedRule[] {
  let total = 0;
  return rules.filter(({ rule }) => {
    const cost = Number(rule.maxCost ?? 0);
    if (cost > RULE_COST_MAX || total + cost > TOTAL_COST_MAX) return false;
    total += cost;
    return true;
  });
}

function groupOf({ name }: CelCase): string {
  return name.slice(0, name.indexOf(':'));
}

export function definitionOf(plural: string, rules: readonly PlacedRule[]): object {
  const kind = `${plural.charAt(0).toUpperCase()}${plural.slice(1, -1)}`;
  const properties = Object.fromEntries(
    rules.map(({ one, property }) => [
      property,
      { ...one.schema, 'x-kubernetes-validations': [{ rule: one.expression }] },
    ]),
  );
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.cel.example.com` },
    spec: {
      group: 'cel.example.com',
      scope: 'Cluster',
      names: { kind, listKind: `${kind}List`, plural, singular: plural.slice(0, -1) },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

/** An object with the data of one rule, as JSON text. */
export function instanceOf(plural: string, { property }: PlacedRule, data: string): string {
  const kind = `${plural.charAt(0).toUpperCase()}${plural.slice(1, -1)}`;
  const head = `"apiVersion":"cel.example.com/v1","kind":"${kind}"`;
  const metadata = `"metadata":{"name":${JSON.stringify(property)}}`;
  return `{${head},${metadata},"spec":{${JSON.stringify(property)}:${data}}}`;
}
