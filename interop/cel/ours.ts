/** The results of our implementation, in the format of the evaluator. */
import { parseJson } from '@tributary/apimachinery';
import {
  CelError,
  celTypes,
  compile,
  createEnvironment,
  type Environment,
  extendEnvironment,
  formatType,
  type Json,
  jsonValue,
  maxCardinality,
  NONE,
  Optional,
  objectDeclarations,
  type Program,
  type Result,
  type Schema,
  type SchemaType,
  schemaType,
  sizesOf,
  typedValue,
} from '../../packages/cel/src/index.ts';
import {
  AUTHORIZER_TYPE,
  authorizerValue,
  RESOURCE_CHECK_TYPE,
  requestResourceValue,
} from '../../packages/cel/src/library/authorizer.ts';
import {
  kubernetesLibraries,
  mutationLibraries,
} from '../../packages/cel/src/library/kubernetes.ts';
import type { CelCase } from './case.ts';
import { decide, requestResource, user } from './decider.ts';
import type { CelResult } from './evaluator.ts';
import { render } from './render.ts';

/** Made once: what is asked differs only in its variables. */
export interface Bases {
  readonly rules: Environment;
  readonly policies: Environment;
}

export function createBases(): Bases {
  return {
    rules: createEnvironment({ libraries: kubernetesLibraries() }),
    policies: createEnvironment({
      libraries: mutationLibraries(),
      variables: {
        object: celTypes.DYN,
        authorizer: AUTHORIZER_TYPE,
        'authorizer.requestResource': RESOURCE_CHECK_TYPE,
      },
    }),
  };
}

/** Without what only a validator of custom resources can say. */
export type OurResponse = Omit<CelResult, 'rule'> & {
  readonly rule?: Pick<NonNullable<CelResult['rule']>, 'maxCardinality' | 'usesOldSelf'>;
};

export function ourResponse(bases: Bases, one: CelCase): OurResponse {
  return one.schema === undefined
    ? evaluatePolicy(bases, one)
    : evaluateRule(bases, one, one.schema);
}

function evaluatePolicy({ policies }: Bases, { expression, object }: CelCase): OurResponse {
  const variables = new Map<string, Result>([
    ['object', object === undefined ? null : jsonValue(dataOf(object))],
    ['authorizer', authorizerValue(user, decide)],
    ['authorizer.requestResource', requestResourceValue(user, decide, requestResource)],
  ]);
  return response(policies, expression, variables);
}

function evaluateRule({ rules }: Bases, one: CelCase, schema: Schema): OurResponse {
  const declared = schemaType(schema, 'selfType');
  if (declared === undefined) throw new Error('the schema has no type in CEL');
  const oldType = one.optionalOldSelf === true ? celTypes.optionalOf(declared.type) : declared.type;
  const environment = extendEnvironment(rules, {
    variables: { self: declared.type, oldSelf: oldType },
    types: objectDeclarations(declared),
    sizes: sizesOf(declared),
  });
  const found = response(environment, one.expression, ruleVariables(one, schema));
  return { ...found, ...aboutRule(environment, one.expression, declared) };
}

function ruleVariables(one: CelCase, schema: Schema): Map<string, Result> {
  const variables = new Map<string, Result>();
  if (one.self !== undefined) variables.set('self', typedValue(dataOf(one.self), schema));
  const before = one.oldSelf === undefined ? undefined : typedValue(dataOf(one.oldSelf), schema);
  if (one.optionalOldSelf === true) {
    variables.set('oldSelf', before === undefined ? NONE : optional(before));
  } else if (before !== undefined) {
    variables.set('oldSelf', before);
  }
  return variables;
}

function optional(value: Result): Result {
  return value instanceof CelError ? value : new Optional(value);
}

function aboutRule(
  environment: Environment,
  expression: string,
  declared: SchemaType,
): Pick<OurResponse, 'rule'> {
  const compiled = compile(environment, expression);
  if (!compiled.ok || compiled.program.resultType.kind !== 'bool') return {};
  return {
    rule: {
      maxCardinality: String(maxCardinality(declared)),
      ...(compiled.program.uses('oldSelf') && { usesOldSelf: true }),
    },
  };
}

function response(
  environment: Environment,
  expression: string,
  variables: Map<string, Result>,
): OurResponse {
  const compiled = compile(environment, expression);
  if (compiled.ok) return { ...known(compiled.program), ...evaluated(compiled.program, variables) };
  if (!('instantiation' in compiled)) return { compileError: compiled.text };
  const { message } = compiled.instantiation;
  return {
    ...known(compiled.instantiation),
    compileError: `program instantiation failed: ${message}`,
  };
}

function known({
  resultType,
  estimatedCost,
}: Pick<Program, 'resultType' | 'estimatedCost'>): OurResponse {
  return {
    type: formatType(resultType),
    estimatedMin: String(estimatedCost.min),
    estimatedMax: String(estimatedCost.max),
  };
}

function evaluated(program: Program, variables: Map<string, Result>): OurResponse {
  const evaluation = program.evaluate(variables);
  const actualCost = String(evaluation.cost);
  return evaluation.outcome === 'value'
    ? { value: render(evaluation.value), actualCost }
    : { error: evaluation.message, actualCost };
}

function dataOf(text: string): Json {
  return parseJson(Buffer.from(text)) as Json;
}
