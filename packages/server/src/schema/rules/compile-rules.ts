import { type FieldPath, root } from '@tributary/apimachinery';
import type { JsonSchema } from '../../schema.ts';
import { isRecord } from '../schema-node.ts';
import { compileSchemaRules, type RulePlace, type SchemaRules } from './compile-rule.ts';
import type { CompiledRules, RuleProblem } from './compiled-rules.ts';
import { ruleProblems } from './rule-problems.ts';
import { ruleTree } from './rule-tree.ts';
import { rulesValidator } from './run-rules.ts';
import { rulesIn } from './validation-rule.ts';

export interface CompileRulesOptions {
  /** Where the schema stands, for the paths of problems. Default: `schema`. */
  readonly path?: FieldPath;
  /** Whether something else is wrong with a schema, or inside it: its rules are not compiled then. */
  readonly skips?: (schema: JsonSchema) => boolean;
  /** Whether a rule is refused for what it alone may cost; rules that were accepted before need not be. Default: true. */
  readonly limitsRules?: boolean;
}

/** Compiles every `x-kubernetes-validations` of the schema of a whole object, when it is first asked for. */
export function compileRules(schema: JsonSchema, options: CompileRulesOptions = {}): CompiledRules {
  const { path = root('schema'), skips = () => false, limitsRules = true } = options;
  const compile = onceEach(compileSchemaRules);
  let problems: readonly RuleProblem[] | undefined;
  let validate: { readonly run: CompiledRules['validate'] } | undefined;
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
      validate ??= { run: rulesValidator(ruleTree(schema, compile)) };
      return validate.run;
    },
    *compileEach() {
      for (const { schema: one, isResourceRoot } of schemasWithRules(schema, true)) {
        compile(one, { isResourceRoot });
        yield;
      }
    },
  };
}

interface SchemaWithRules {
  readonly schema: JsonSchema;
  readonly isResourceRoot: boolean;
}

function* schemasWithRules(schema: JsonSchema, isRoot: boolean): Iterable<SchemaWithRules> {
  const isResourceRoot = isRoot || schema['x-kubernetes-embedded-resource'] === true;
  if (rulesIn(schema).length > 0) yield { schema, isResourceRoot };
  const { properties, additionalProperties, items } = schema;
  const fields = isRecord(properties) ? Object.values(properties) : [];
  for (const inner of [additionalProperties, ...fields, items]) {
    if (isRecord(inner)) yield* schemasWithRules(inner, false);
  }
}

type Compile = (schema: JsonSchema, place: RulePlace) => SchemaRules;

/** Rules are judged and asked by two walks over the same schemas. */
function onceEach(compile: Compile): Compile {
  const known = new Map<JsonSchema, SchemaRules>();
  return (schema, place) => {
    if (place.rules !== undefined) return compile(schema, place);
    const made = known.get(schema) ?? compile(schema, place);
    known.set(schema, made);
    return made;
  };
}

/** Whether there is any rule in a schema, wherever. */
export function hasRules(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasRules);
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(
    ([keyword, inner]) =>
      (keyword === 'x-kubernetes-validations' && Array.isArray(inner) && inner.length > 0) ||
      hasRules(inner),
  );
}
