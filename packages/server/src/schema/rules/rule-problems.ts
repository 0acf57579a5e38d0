/** Problems of the rules of a schema, in the order and with the messages of upstream. */
import {
  type FieldError,
  type FieldPath,
  fieldError,
  goJson,
  goText,
} from '@tributary/apimachinery';
import type { JsonSchema } from '../json-schema.ts';
import { isRecord } from '../schema-node.ts';
import type { CompiledExpression, CompiledRule, SchemaRules } from './compile-rule.ts';
import type { RuleProblem } from './compiled-rules.ts';
import { costMessage, RULE_COST_MAX, TotalCost, timesCost } from './rule-cost.ts';
import { ruleDeclarationErrors } from './rule-declaration.ts';
import { rulesIn, type ValidationRule } from './validation-rule.ts';

interface ProblemOptions {
  readonly path: FieldPath;
  readonly compile: (schema: JsonSchema, isResourceRoot: boolean) => SchemaRules;
  /** Whether a schema, or one within it, has other errors: its rules are not compiled then. */
  readonly skips: (schema: JsonSchema) => boolean;
  /** Whether the cost of a single rule is limited. */
  readonly limitsRules: boolean;
}

export function ruleProblems(schema: JsonSchema, options: ProblemOptions): RuleProblem[] {
  const total = new TotalCost();
  const found = problemsWithin(schema, {
    ...options,
    total,
    isRoot: true,
    cardinality: 1n,
    uncorrelated: undefined,
  });
  return [
    ...found.declarations.map((error): RuleProblem => ({ kind: 'declaration', error })),
    ...found.others,
    ...total.errors(options.path).map((error): RuleProblem => ({ kind: 'cost', error })),
  ];
}

interface Place extends ProblemOptions {
  readonly total: TotalCost;
  readonly isRoot: boolean;
  /** How often the schema's values can occur; undefined below lists and maps without bounds. */
  readonly cardinality: bigint | undefined;
  /** The list whose elements have no key, so that they have no old value. */
  readonly uncorrelated: FieldPath | undefined;
}

interface Found {
  readonly declarations: readonly FieldError[];
  readonly others: readonly RuleProblem[];
}

function problemsWithin(schema: JsonSchema, place: Place): Found {
  const inner = innerPlaces(schema, place).map(([one, at]) => problemsWithin(one, at));
  const declarations = [
    ...inner.flatMap((found) => found.declarations),
    ...ruleDeclarationErrors(schema, place.path),
  ];
  const isSound = declarations.length === 0 && !place.skips(schema);
  return {
    declarations,
    others: [
      ...inner.flatMap((found) => found.others),
      ...(isSound && rulesIn(schema).length > 0 ? expressionProblems(schema, place) : []),
    ],
  };
}

function innerPlaces(schema: JsonSchema, place: Place): [JsonSchema, Place][] {
  const { properties, additionalProperties, items } = schema;
  const { path } = place;
  const below = { ...place, isRoot: false, cardinality: innerCardinality(schema, place) };
  const found: [JsonSchema, Place][] = [];
  if (isRecord(additionalProperties)) {
    found.push([additionalProperties, { ...below, path: path.child('additionalProperties') }]);
  }
  for (const [name, field] of Object.entries(isRecord(properties) ? properties : {})) {
    if (isRecord(field))
      found.push([field, { ...below, path: path.child('properties').key(name) }]);
  }
  if (isRecord(items)) {
    const isIdentified = schema['x-kubernetes-list-type'] === 'map';
    const uncorrelated = isIdentified ? place.uncorrelated : path;
    found.push([items, { ...below, path: path.child('items'), uncorrelated }]);
  }
  return found;
}

function innerCardinality(schema: JsonSchema, { cardinality }: Place): bigint | undefined {
  if (cardinality === undefined) return undefined;
  const { type, additionalProperties, maxProperties, maxItems } = schema;
  if (type === 'array') return bounded(cardinality, maxItems);
  if (type !== 'object' || additionalProperties === undefined) return cardinality;
  return bounded(cardinality, maxProperties);
}

function bounded(cardinality: bigint, max: unknown): bigint | undefined {
  if (typeof max !== 'number' && typeof max !== 'bigint') return undefined;
  return timesCost(cardinality, max > 0 ? BigInt(max) : 0n);
}

function expressionProblems(schema: JsonSchema, place: Place): RuleProblem[] {
  const path = place.path.child('x-kubernetes-validations');
  const isResourceRoot = place.isRoot || schema['x-kubernetes-embedded-resource'] === true;
  const compiled = place.compile(schema, isResourceRoot);
  if (compiled.error !== undefined) {
    const why = 'unable to convert structural schema to CEL declarations';
    const error = new Error(
      `internal error: failed to construct type information for x-kubernetes-validations rules: ${why}`,
    );
    return [{ kind: 'expression', error: fieldError.internal(path, error) }];
  }
  const times = place.cardinality ?? compiled.maxCardinality;
  return compiled.rules.flatMap(({ compiled: compiledRule }, index) => {
    const rule = compiledRule();
    const at = path.index(index);
    return [
      ...costProblems(
        at.child('rule'),
        'estimated rule cost',
        timesCost(rule.maxCost, times),
        place,
      ),
      ...textProblems(at.child('rule'), rule, rule.rule),
      ...messageProblems(at.child('messageExpression'), rule, place),
      ...oldSelfProblems(at, rule, place),
    ];
  });
}

function costProblems(
  path: FieldPath,
  what: string,
  cost: bigint,
  { limitsRules, total }: Place,
): RuleProblem[] {
  total.add(path, cost);
  if (!limitsRules || cost <= RULE_COST_MAX) return [];
  const error = fieldError.forbidden(path, costMessage(what, cost, RULE_COST_MAX));
  return [{ kind: 'cost', error }];
}

function textProblems(
  path: FieldPath,
  { error }: CompiledExpression,
  rule: ValidationRule,
): RuleProblem[] {
  if (error === undefined) return [];
  return [{ kind: 'expression', error: fieldError.invalid(path, goText(structText(rule)), error) }];
}

function messageProblems(
  path: FieldPath,
  { message, rule }: CompiledRule,
  place: Place,
): RuleProblem[] {
  if (message === undefined) return [];
  if (message.error !== undefined) return textProblems(path, message, rule);
  return costProblems(path, 'estimated messageExpression cost', message.maxCost, place);
}

function oldSelfProblems(
  path: FieldPath,
  { usesOldSelf, rule }: CompiledRule,
  { uncorrelated }: Place,
): RuleProblem[] {
  if (usesOldSelf) {
    if (uncorrelated === undefined) return [];
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
    const error = fieldError.invalid(path.child('rule'), rule.rule, detail);
    return [{ kind: 'expression', error }];
  }
  if (rule.optionalOldSelf === undefined) return [];
  const detail = 'may not be set if oldSelf is not used in rule';
  const error = fieldError.invalid(path.child('optionalOldSelf'), rule.optionalOldSelf, detail);
  return [{ kind: 'expression', error }];
}

/** The rule as upstream's errors print it. */
function structText(rule: ValidationRule): string {
  const fields = {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
  const members = Object.entries(fields).map(([name, value]) => `"${name}":${goJson(value)}`);
  return `{${members.join(',')}}`;
}
