import { type FieldPath, root } from '@tributary/apimachinery';
import type { JsonSchema } from '../json-schema.ts';
import { once } from '../once.ts';
import { compileSchemaRules, type RulePlace, type SchemaRules } from './compile-rule.ts';
import type { CompiledRules, RuleProblem } from './compiled-rules.ts';
import { ruleProblems } from './rule-problems.ts';
import { ruleTree } from './rule-tree.ts';
import { ruleValidators } from './run-rules.ts';

interface CompileRulesOptions {
  /** The path of the schema in problems. Default: `schema`. */
  readonly path?: FieldPath;
  /** Whether a schema, or one within it, has other errors: its rules are not compiled then. */
  readonly skips?: (schema: JsonSchema) => boolean;
  /**
   * Whether the estimated cost of a single rule is limited; rules that were accepted before need not be. Default: true.
   */
  readonly limitsRules?: boolean;
}

/** Compiles every `x-kubernetes-validations` of the schema of a whole object, on first use. */
export function compileRules(schema: JsonSchema, options: CompileRulesOptions = {}): CompiledRules {
  const { path = root('schema'), skips = () => false, limitsRules = true } = options;
  const compile = onceEach(compileSchemaRules);
  let problems: readonly RuleProblem[] | undefined;
  const validators = once(() => ruleValidators(ruleTree(schema, compile)));
  return {
    get problems() {
      problems ??= ruleProblems(schema, {
        path,
        skips,
        limitsRules,
        compile: (one, isResourceRoot) => compile(one, { isResourceRoot }),
      });
      return problems;
    },
    get validate() {
      return validators().validate;
    },
    get validateWithin() {
      return validators().validateWithin;
    },
  };
}

type Compile = (schema: JsonSchema, place: RulePlace) => SchemaRules;

/** Checking and evaluating rules are two walks over the same schemas. */
function onceEach(compile: Compile): Compile {
  const known = new Map<JsonSchema, SchemaRules>();
  return (schema, place) => {
    if (place.rules !== undefined) return compile(schema, place);
    const made = known.get(schema) ?? compile(schema, place);
    known.set(schema, made);
    return made;
  };
}

/** Whether a schema has any rule. */
export function hasRules(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasRules);
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(
    ([keyword, inner]) =>
      (keyword === 'x-kubernetes-validations' && Array.isArray(inner) && inner.length > 0) ||
      hasRules(inner),
  );
}
