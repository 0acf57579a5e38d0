import type { Compilation, Environment, Program, Schema } from '@tributary/cel';
import { cel } from '../cel.ts';
import type { JsonSchema } from '../json-schema.ts';
import { once } from '../once.ts';
import { ruleFieldPath } from './rule-field-path.ts';
import { rulesIn, type ValidationRule } from './validation-rule.ts';

/** A compiled expression or its error; neither for an empty one. */
export interface CompiledExpression {
  readonly program: Program | undefined;
  readonly error: string | undefined;
  readonly maxCost: bigint;
}

export interface CompiledRule extends CompiledExpression {
  readonly rule: ValidationRule;
  /** A transition rule, which is evaluated only when there is an old value. */
  readonly usesOldSelf: boolean;
  /** Undefined when there is none, or the rule itself does not compile. */
  readonly message: CompiledExpression | undefined;
  /** Path below the value in errors; empty for the value itself. */
  readonly fieldPath: string;
}

export interface LazyRule {
  readonly rule: ValidationRule;
  readonly compiled: () => CompiledRule;
}

/** The rules of one schema, without those of schemas within it. */
export type SchemaRules =
  | { readonly error: string }
  | {
      readonly error?: never;
      /** Each is compiled on first use. */
      readonly rules: readonly LazyRule[];
      /** How often the value can occur in one object, below lists and maps without bounds. */
      readonly maxCardinality: bigint;
    };

/** The environment that all rules share; it never changes. */
const commonEnvironment = once(() => {
  const { createEnvironment, kubernetesLibraries } = cel();
  return createEnvironment({ libraries: kubernetesLibraries() });
});

export interface RulePlace {
  /** Type and names of an object are visible, whatever the schema specifies. */
  readonly isResourceRoot: boolean;
  /** In place of the schema's rules. */
  readonly rules?: readonly ValidationRule[];
}

/** The rules of one schema, to be compiled. */
export function compileSchemaRules(
  schema: JsonSchema,
  { isResourceRoot, rules = rulesIn(schema) }: RulePlace,
): SchemaRules {
  const base = commonEnvironment();
  const { celTypes, extendEnvironment, maxCardinality, objectDeclarations, schemaType, sizesOf } =
    cel();
  const declared = schemaType(schema as Schema, 'selfType', isResourceRoot);
  if (declared === undefined) {
    return { error: 'failed to convert to declType for CEL validation rules' };
  }
  const { type } = declared;
  const shared = { types: objectDeclarations(declared), sizes: sizesOf(declared) };
  const scope: RuleScope = {
    schema,
    plain: once(() =>
      extendEnvironment(base, { ...shared, variables: { self: type, oldSelf: type } }),
    ),
    optional: once(() =>
      extendEnvironment(base, {
        ...shared,
        variables: { self: type, oldSelf: celTypes.optionalOf(type) },
      }),
    ),
  };
  return {
    rules: rules.map((rule) => ({ rule, compiled: once(() => compileRule(rule, scope)) })),
    maxCardinality: BigInt(maxCardinality(declared)),
  };
}

interface RuleScope {
  readonly schema: JsonSchema;
  readonly plain: () => Environment;
  /** The environment in which `oldSelf` is optional. */
  readonly optional: () => Environment;
}

const EMPTY: CompiledExpression = { program: undefined, error: undefined, maxCost: 0n };

function compileRule(rule: ValidationRule, scope: RuleScope): CompiledRule {
  const nothing = { rule, usesOldSelf: false, message: undefined, fieldPath: '' };
  if (rule.rule.trim() === '') return { ...EMPTY, ...nothing };
  const environment = rule.optionalOldSelf === true ? scope.optional() : scope.plain();
  const own = checkType(cel().compile(environment, rule.rule), {
    type: 'bool',
    otherwise: 'cel expression must evaluate to a bool',
    prefix: { compilation: 'compilation failed', instantiation: 'program instantiation failed' },
  });
  if (own.program === undefined) return { ...own, ...nothing };
  const { messageExpression = '', fieldPath = '' } = rule;
  const message = messageExpression === '' ? undefined : messageOf(environment, messageExpression);
  return {
    ...own,
    rule,
    usesOldSelf: own.program.uses('oldSelf'),
    message,
    // As upstream, a rule whose message does not compile has no field path.
    fieldPath: message?.error === undefined ? (ruleFieldPath(fieldPath, scope.schema) ?? '') : '',
  };
}

function messageOf(environment: Environment, text: string): CompiledExpression {
  return checkType(cel().compile(environment, text), {
    type: 'string',
    otherwise: 'messageExpression must evaluate to a string',
    prefix: {
      compilation: 'messageExpression compilation failed',
      instantiation: 'messageExpression instantiation failed',
    },
  });
}

interface Wanted {
  readonly type: string;
  /** The error for an expression of another type. */
  readonly otherwise: string;
  readonly prefix: { readonly compilation: string; readonly instantiation: string };
}

function checkType(compiled: Compilation, { type, otherwise, prefix }: Wanted): CompiledExpression {
  const refused = (error: string): CompiledExpression => ({ ...EMPTY, error });
  if (!compiled.ok && 'text' in compiled) return refused(`${prefix.compilation}: ${compiled.text}`);
  const { resultType } = compiled.ok ? compiled.program : compiled.instantiation;
  if (cel().formatType(resultType) !== type) return refused(otherwise);
  if (!compiled.ok) return refused(`${prefix.instantiation}: ${compiled.instantiation.message}`);
  const { program } = compiled;
  return { program, error: undefined, maxCost: program.estimatedCost.max };
}
