/** Validation of written objects by the schema of their version, before an author's hooks. */
import type { KubeObject } from '@tributary/apimachinery';
import type { ObjectSchema } from '../schema/object-schema.ts';
import {
  objectValidator,
  ruleValidator,
  type ValidationOptions,
} from '../validation/schema-validation.ts';
import type { ValidateContext } from '../validation/validate-context.ts';
import type { StorageHooks } from './hooks.ts';

type ObjectValidation = Pick<StorageHooks, 'validate' | 'validateUpdate' | 'warnings'>;

interface ValidationHooks extends ObjectValidation {
  /** For writes of the status alone; undefined when they are validated as any other write. */
  readonly validateStatus: StorageHooks['validateUpdate'] | undefined;
}

/** The schema is validated first. */
export function withSchemaValidation(
  hooks: ValidationHooks,
  schema: ObjectSchema,
): ValidationHooks {
  const { validate, validateUpdate, validateStatus, warnings } = hooks;
  if (schema.typed !== undefined) return { validate, validateUpdate, validateStatus, warnings };
  const isWhole = schema.root !== undefined;
  if (!isWhole && schema.rules === undefined) {
    return { validate, validateUpdate, validateStatus, warnings };
  }
  const validator = isWhole ? objectValidator(schema) : ruleValidator(schema);
  const warningsByObject = new WeakMap<KubeObject, readonly string[]>();
  const validateSchemaUpdate = async (
    next: KubeObject,
    context: ValidateContext | undefined,
    options: Pick<ValidationOptions, 'live' | 'part'>,
  ) => {
    const warned: string[] = [];
    const warn = (text: string) => warned.push(text);
    const errors = await validator.validateInContext(next, context, { ...options, warn });
    if (warned.length > 0) warningsByObject.set(next, warned);
    return errors;
  };
  // An author's hook runs after the schema validation and may rely on what that has accepted.
  return {
    validate: async (object, context) => [
      ...(await validator.validateInContext(object, context)),
      ...(await validate(object, context)),
    ],
    validateUpdate: async (next, live, context) => [
      ...(await validateSchemaUpdate(next, context, { live })),
      ...(await validateUpdate(next, live, context)),
    ],
    validateStatus:
      isWhole || validateStatus
        ? async (next, live, context) => [
            ...(await validateSchemaUpdate(next, context, { live, part: 'status' })),
            ...((await validateStatus?.(next, live, context)) ?? []),
          ]
        : undefined,
    warnings: (object, live, part) => [
      ...(warningsByObject.get(object) ?? []),
      ...warnings(object, live, part),
    ],
  };
}
