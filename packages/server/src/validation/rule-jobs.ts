/** Rules of objects, asked in a thread: the same code as on the loop, with all the time that their budget gives. */
import type { KubeObject } from '@tributary/apimachinery';
import type { JsonSchema } from '../schema/json-schema.ts';
import { type ObjectSchema, rootSchema, schemaOfFields } from '../schema/object-schema.ts';
import { ruleValidator } from './schema-validation.ts';
import type { ValidationResult } from './validation-result.ts';

export const RULE_JOB = 'rules';

export interface RuleJobInput {
  /** By which the thread knows it the next time. */
  readonly schema: number;
  /** Told when it does not know it yet. */
  readonly source?: SchemaSource;
  readonly next: KubeObject;
  readonly live: KubeObject | undefined;
}

/** What a schema was made of: as a whole, or of an author's fields. */
export type SchemaSource =
  | { readonly root: JsonSchema }
  | { readonly root?: never; readonly fields: readonly (readonly [string, JsonSchema])[] };

export function schemaSource({ root, fields }: ObjectSchema): SchemaSource {
  return root === undefined ? { fields: [...fields] } : { root };
}

/** So many are kept with their compiled rules; who has not been asked for longest goes first, and is told again. */
export const SCHEMAS_MAX = 32;

export function ruleJobs(): {
  readonly [RULE_JOB]: (ask: RuleJobInput) => ValidationResult | 'unknown';
} {
  const schemas = new Map<number, ObjectSchema>();
  const schemaOf = ({ schema: id, source }: RuleJobInput): ObjectSchema | undefined => {
    const schema = schemas.get(id) ?? (source && schemaFrom(source));
    if (schema === undefined) return undefined;
    schemas.delete(id);
    schemas.set(id, schema);
    for (const oldest of schemas.keys()) {
      if (schemas.size <= SCHEMAS_MAX) break;
      schemas.delete(oldest);
    }
    return schema;
  };
  return {
    [RULE_JOB]: (ask) => {
      const schema = schemaOf(ask);
      if (schema === undefined) return 'unknown';
      const warnings: string[] = [];
      const { next, live } = ask;
      const warn = (text: string) => warnings.push(text);
      const errors = ruleValidator(schema).validate(next, { live, warn });
      return { errors, warnings };
    },
  };
}

function schemaFrom(source: SchemaSource): ObjectSchema {
  return source.root === undefined
    ? schemaOfFields(new Map(source.fields), '')
    : rootSchema(source.root);
}
