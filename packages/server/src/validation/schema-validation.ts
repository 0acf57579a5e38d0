import { type FieldError, fieldError, type KubeObject } from '@tributary/apimachinery';
import { Correlation } from '../schema/correlation.ts';
import { validateEmbedded } from '../schema/embedded-resources.ts';
import { validateListTypes } from '../schema/list-types.ts';
import type { ObjectSchema } from '../schema/object-schema.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import { type SearchTargets, searchTargets } from '../schema/sought-nodes.ts';
import { validateValue } from '../schema/validate-value.ts';
import { ERRORS_MAX, Walk } from '../schema/walk.ts';
import { evaluateRules, type RuleOptions, ruleEvaluator } from './evaluate-rules.ts';
import type { ValidateContext } from './validate-context.ts';

/** Validates objects by a schema and its rules. */
interface ObjectValidator {
  /** Evaluates rules on the event loop, however long they take. */
  validate(object: KubeObject, options?: ValidationOptions): readonly FieldError[];
  /** Evaluates expensive rules in the validation thread of the context. */
  validateInContext(
    object: KubeObject,
    context: ValidateContext | undefined,
    options?: ValidationOptions,
  ): Promise<readonly FieldError[]>;
}

export interface ValidationOptions {
  /** The stored object in the same version, for an update: unchanged values are not rejected. */
  readonly live?: KubeObject | undefined;
  /** Only the status is written: rules see the whole object, the schema validates the status alone. */
  readonly part?: 'status' | undefined;
  /** Called with errors that are warnings only, because the stored object has them too. */
  readonly warn?: ((text: string) => void) | undefined;
}

/**
 * Validation of a decoded body. Schemas of whole objects are validated on write instead, together with the stored object;
 * so are an author's rules.
 */
export function schemaValidator(
  schema: ObjectSchema,
): (object: KubeObject) => readonly FieldError[] {
  if (schema.root !== undefined) return () => [];
  let parts: SchemaParts | undefined;
  return (object) => {
    parts ??= partsOf(schema);
    const errors = [...objectErrors(object, parts), ...listErrors(object, undefined, parts)];
    if (schema.rules !== undefined && isBlocked(errors)) errors.push(RULES_NOT_CHECKED);
    return errors.slice(0, ERRORS_MAX);
  };
}

/** Validates whole objects, as upstream validates custom resources. */
export function objectValidator(schema: ObjectSchema): ObjectValidator {
  let parts: SchemaParts | undefined;
  const evaluateInContext = ruleEvaluator(schema);
  const validateSchema = (object: KubeObject, { live, part }: ValidationOptions) => {
    // Of many schemas few are ever used.
    parts ??= partsOf(schema);
    const correlation = live && new Correlation(object, live, parts.structure);
    const errors = [
      ...(part === 'status'
        ? statusErrors(object, parts, correlation)
        : objectErrors(object, parts, correlation)),
      ...listErrors(object, live, parts),
    ];
    const hasRules = schema.rules?.validate !== undefined;
    const rulesAreBlocked = hasRules && isBlocked(errors);
    if (rulesAreBlocked) errors.push(RULES_NOT_CHECKED);
    return { errors, correlation, evaluatesRules: hasRules && !rulesAreBlocked };
  };
  return {
    validate: (object, options = {}) => {
      const { errors, correlation, evaluatesRules } = validateSchema(object, options);
      if (evaluatesRules)
        errors.push(...evaluateRules(schema, object, ruleOptions(options, correlation)));
      return errors.slice(0, ERRORS_MAX);
    },
    validateInContext: async (object, context, options = {}) => {
      const { errors, correlation, evaluatesRules } = validateSchema(object, options);
      if (evaluatesRules) {
        const rules = { ...ruleOptions(options, correlation), context };
        errors.push(...(await evaluateInContext(object, rules)));
      }
      return errors.slice(0, ERRORS_MAX);
    },
  };
}

/** Validates by an author's rules alone, for objects that the schema has accepted. */
export function ruleValidator(schema: ObjectSchema): ObjectValidator {
  const evaluateInContext = ruleEvaluator(schema);
  const optionsOf = (object: KubeObject, options: ValidationOptions) => {
    const { live } = options;
    return ruleOptions(options, live && new Correlation(object, live, schema.structure));
  };
  return {
    validate: (object, options = {}) => evaluateRules(schema, object, optionsOf(object, options)),
    validateInContext: (object, context, options = {}) =>
      evaluateInContext(object, { ...optionsOf(object, options), context }),
  };
}

function ruleOptions(
  { live, warn }: ValidationOptions,
  correlation: Correlation | undefined,
): Omit<RuleOptions, 'context'> {
  return { live, warn, correlation };
}

function isBlocked(errors: readonly FieldError[]): boolean {
  return errors.some(({ type }) => BLOCKING.has(type));
}

/** Rules are not evaluated for objects with these errors. */
const BLOCKING: ReadonlySet<FieldError['type']> = new Set<FieldError['type']>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const RULES_NOT_CHECKED: FieldError = fieldError.invalid(
  undefined,
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

interface SchemaParts extends SearchTargets {
  readonly structure: SchemaNode;
}

function partsOf(schema: ObjectSchema): SchemaParts {
  return { structure: schema.structure, ...searchTargets(schema) };
}

function objectErrors(
  object: KubeObject,
  { structure, embeddedResources }: SchemaParts,
  correlation?: Correlation,
): FieldError[] {
  return [
    ...valueErrors(structure, object, correlation).map(atObject),
    ...validateEmbedded(structure, object, undefined, embeddedResources),
  ];
}

function statusErrors(
  object: KubeObject,
  { structure }: SchemaParts,
  correlation: Correlation | undefined,
): FieldError[] {
  const { status } = object as KubeObject & { status?: unknown };
  const node = structure.properties.get('status');
  if (node === undefined || status === undefined) return [];
  return valueErrors(node, status, correlation?.key('status')).map(atStatus);
}

function valueErrors(
  node: SchemaNode,
  value: unknown,
  correlation: Correlation | undefined,
): FieldError[] {
  const walk = new Walk(correlation);
  validateValue(node, value, walk);
  return correlation?.isUnchanged && walk.errors.length > 0 ? [] : withoutRepeats(walk.errors);
}

/** The whole object has no path. */
function atObject(error: FieldError): FieldError {
  return error.field === '' ? { ...error, field: '<nil>' } : error;
}

/** As upstream, the field has the prefix `status`, and the message has not. */
function atStatus(error: FieldError): FieldError {
  const isWhole = error.field === '' || error.field === '<nil>';
  return { ...error, field: isWhole ? 'status' : `status.${error.field}` };
}

/** An update of an object that has such errors already need not correct all of them. */
function listErrors(
  object: KubeObject,
  live: KubeObject | undefined,
  { structure, uniqueLists }: SchemaParts,
): FieldError[] {
  const errors = validateListTypes(structure, object, undefined, uniqueLists);
  if (errors.length === 0 || live === undefined) return errors;
  return validateListTypes(structure, live, undefined, uniqueLists).length === 0 ? errors : [];
}

/** Alternatives may report the same error several times. */
function withoutRepeats(errors: readonly FieldError[]): FieldError[] {
  const seen = new Set<string>();
  return errors.filter(({ type, field, detail }) => {
    const text = `${type} ${field} ${detail}`;
    return !seen.has(text) && seen.add(text);
  });
}
