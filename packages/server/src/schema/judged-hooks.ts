/** What the schema of a version says of objects that are written, beside what its author says. */
import type { FieldError, KubeObject } from '@tributary/apimachinery';
import type { StorageHooks } from '../definition/version.ts';
import type { ObjectSchema } from '../schema.ts';
import { objectJudge, ruleJudge, type SchemaJudge } from './schema-validation.ts';

type Judging = Pick<StorageHooks, 'validate' | 'validateUpdate' | 'warnings'>;

export interface JudgedHooks extends Judging {
  /** For writes of the status alone; undefined when they are judged as any other. */
  readonly validateStatus: StorageHooks['validateUpdate'] | undefined;
}

/** The schema is asked first. */
export function judgedHooks(hooks: Judging, schema: ObjectSchema): JudgedHooks {
  const { validate, validateUpdate, warnings } = hooks;
  if (schema.typed !== undefined) {
    return { validate, validateUpdate, warnings, validateStatus: undefined };
  }
  const isWhole = schema.root !== undefined;
  if (!isWhole && schema.rules === undefined) {
    return { validate, validateUpdate, warnings, validateStatus: undefined };
  }
  const judge = isWhole ? objectJudge(schema) : ruleJudge(schema);
  const told = new WeakMap<KubeObject, readonly string[]>();
  const judgeUpdate = (next: KubeObject, live: KubeObject, part?: 'status') => {
    const { errors, warned } = judged(judge, next, { live, part });
    if (warned.length > 0) told.set(next, warned);
    return errors;
  };
  return {
    validate: (object) => [...judge(object), ...validate(object)],
    validateUpdate: (next, live) => [...judgeUpdate(next, live), ...validateUpdate(next, live)],
    validateStatus: isWhole ? (next, live) => judgeUpdate(next, live, 'status') : undefined,
    warnings: (object, live) => [...(told.get(object) ?? []), ...warnings(object, live)],
  };
}

function judged(
  judge: SchemaJudge,
  next: KubeObject,
  options: { readonly live: KubeObject; readonly part: 'status' | undefined },
): { readonly errors: readonly FieldError[]; readonly warned: readonly string[] } {
  const warned: string[] = [];
  const errors = judge(next, { ...options, warn: (text) => warned.push(text) });
  return { errors, warned };
}
