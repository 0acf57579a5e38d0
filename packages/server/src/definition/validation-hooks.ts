/** What the schema of a version says of objects that are written, beside what its author says. */
import type { FieldError, KubeObject } from '@tributary/apimachinery';
import { andThen, type MaybePromise } from '../request/maybe-promise.ts';
import type { ObjectSchema } from '../schema/object-schema.ts';
import { type JudgeOptions, objectJudge, ruleJudge } from '../validation/schema-validation.ts';
import type { ValidateContext } from '../validation/validate-context.ts';
import type { StorageHooks } from './hooks.ts';

type Judging = Pick<StorageHooks, 'validate' | 'validateUpdate' | 'warnings'>;

export interface JudgedHooks extends Judging {
  /** For writes of the status alone; undefined when they are judged as any other. */
  readonly validateStatus: StorageHooks['validateUpdate'] | undefined;
}

/** The schema is asked first. */
export function judgedHooks(hooks: JudgedHooks, schema: ObjectSchema): JudgedHooks {
  const { validate, validateUpdate, validateStatus, warnings } = hooks;
  if (schema.typed !== undefined) return { validate, validateUpdate, validateStatus, warnings };
  const isWhole = schema.root !== undefined;
  if (!isWhole && schema.rules === undefined) {
    return { validate, validateUpdate, validateStatus, warnings };
  }
  const judge = isWhole ? objectJudge(schema) : ruleJudge(schema);
  const told = new WeakMap<KubeObject, readonly string[]>();
  const judgeUpdate = (
    next: KubeObject,
    options: Pick<JudgeOptions, 'live' | 'part'> & {
      readonly context: ValidateContext | undefined;
    },
  ) => {
    const warned: string[] = [];
    const judging = judge(next, { ...options, warn: (text) => warned.push(text) });
    return andThen(judging, (errors) => {
      if (warned.length > 0) told.set(next, warned);
      return errors;
    });
  };
  return {
    validate: (object, context) =>
      both(judge(object, { context }), () => validate(object, context)),
    validateUpdate: (next, live, context) =>
      both(judgeUpdate(next, { live, context }), () => validateUpdate(next, live, context)),
    validateStatus:
      isWhole || validateStatus
        ? (next, live, context) =>
            both(judgeUpdate(next, { live, part: 'status', context }), () =>
              validateStatus ? validateStatus(next, live, context) : [],
            )
        : undefined,
    warnings: (object, live, part) => [
      ...(told.get(object) ?? []),
      ...warnings(object, live, part),
    ],
  };
}

type Errors = MaybePromise<readonly FieldError[]>;

/** One after the other: an author's hook may rely on what the schema has accepted. */
function both(first: Errors, second: () => Errors): Errors {
  return andThen(first, (errors) => andThen(second(), (more) => [...errors, ...more]));
}
