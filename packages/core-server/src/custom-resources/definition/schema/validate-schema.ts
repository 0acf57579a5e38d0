import type { CustomResourceValidation, JSONSchemaProps } from '@tributary/api/apiextensions-v1';
import { type FieldError, type FieldPath, fieldError } from '@tributary/apimachinery';
import { compileRules, hasRules, type JsonSchema } from '@tributary/server/schema';
import { structuralFormError } from './structural-form.ts';
import { type DefaultRules, validateDefaults } from './validate-defaults.ts';
import { type KeywordRules, validateKeywords } from './validate-keywords.ts';
import { validateRoot } from './validate-root.ts';
import { validateStructural } from './validate-structural.ts';

interface SchemaRules extends KeywordRules, DefaultRules {
  readonly hasStatus: boolean;
  readonly requireStructural: () => boolean;
  /** The schema and the rules are those of the stored object, which is not validated again. */
  readonly isUnchanged: boolean;
}

export function validateSchema(
  validation: CustomResourceValidation | undefined,
  path: FieldPath,
  rules: SchemaRules,
): FieldError[] {
  const schema = validation?.openAPIV3Schema;
  if (schema === undefined) return [];
  const whole = path.child('openAPIV3Schema');
  const atRoot = validateRoot(schema, whole, rules);
  if (rules.isUnchanged) return atRoot;
  const requireStructural = rules.requireStructural();
  const formError = requireStructural ? structuralFormError(schema) : undefined;
  const structure =
    requireStructural && formError === undefined ? structureErrors(schema, whole, rules) : [];
  const keywords = validateKeywords(schema, () => whole, rules);
  // CEL rules are compiled only for a valid structural schema.
  const areRulesCompiled = requireStructural && formError === undefined && structure.length === 0;
  const errors = [
    ...atRoot,
    ...structure,
    ...keywords.errors,
    ...(areRulesCompiled ? ruleErrors(schema, whole, keywords.unsound) : []),
  ];
  // Errors of keywords report the same in better words.
  if (errors.length > 0 || formError === undefined) return errors;
  return [fieldError.invalid(whole, '', formError)];
}

function structureErrors(
  schema: JSONSchemaProps,
  path: FieldPath,
  rules: DefaultRules,
): FieldError[] {
  const errors = validateStructural(schema, () => path);
  return errors.length > 0 ? errors : validateDefaults(schema, path, rules);
}

function ruleErrors(
  schema: JSONSchemaProps,
  path: FieldPath,
  unsound: ReadonlySet<JSONSchemaProps>,
): FieldError[] {
  if (!hasRules(schema)) return [];
  const { problems } = compileRules(schema as JsonSchema, {
    path,
    skips: (one) => unsound.has(one as JSONSchemaProps),
  });
  return problems.filter(({ kind }) => kind !== 'declaration').map(({ error }) => error);
}
