/** What the schema of a version says of objects that are written, beside what its author says. */
import type { FieldError, KubeObject } from '@tributary/apimachinery';
import { andThen, type MaybePromise } from '../request/maybe-promise.ts';
import type { ObjectSchema } from '../schema/object-schema.ts';
import {
  objectValidator,
  ruleValidator,
  type ValidationOptions,
} from '../validation/schema-validation.ts';
import type { ValidateContext } from '../validation/validate-context.ts';
import type { StorageHooks } from './hooks.ts';

type ObjectValidation = Pick<StorageHooks, 'validate' | 'validateUpdate' | 'warnings'>;

export interface ValidationHooks extends ObjectValidation {
  /** For writes of the status alone; undefined when they are judged as any other. */
  readonly validateStatus: StorageHooks['validateUpdate'] | undefined;
}

/** The schema is asked first. */
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
  const validateSchema = isWhole ? objectValidator(schema) : ruleValidator(schema);
  const warningsByObject = new WeakMap<KubeObject, readonly string[]>();
  const validateSchemaUpdate = (
    next: KubeObject,
    options: Pick<ValidationOptions, 'live' | 'part'> & {
      readonly context: ValidateContext | undefined;
    },
  ) => {
    const warned: string[] = [];
    const judging = validateSchema(next, { ...options, warn: (text) => warned.push(text) });
    return andThen(judging, (errors) => {
      if (warned.length > 0) warningsByObject.set(next, warned);
      return errors;
    });
  };
  return {
    validate: (object, context) =>
      concatenated(validateSchema(object, { context }), () => validate(object, context)),
    validateUpdate: (next, live, context) =>
      concatenated(validateSchemaUpdate(next, { live, context }), () =>
        validateUpdate(next, live, context),
      ),
    validateStatus:
      isWhole || validateStatus
        ? (next, live, context) =>
            concatenated(validateSchemaUpdate(next, { live, part: 'status', context }), () =>
              validateStatus ? validateStatus(next, live, context) : [],
            )
        : undefined,
    warnings: (object, live, part) => [
      ...(warningsByObject.get(object) ?? []),
      ...warnings(object, live, part),
    ],
  };
}

type Errors = MaybePromise<readonly FieldError[]>;

/** One after the other: an author's hook may rely on what the schema has accepted. */
function concatenated(first: Errors, second: () => Errors): Errors {
  return andThen(first, (errors) => andThen(second(), (more) => [...errors, ...more]));
}
