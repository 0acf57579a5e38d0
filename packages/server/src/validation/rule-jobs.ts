/** Evaluates rules of objects in the thread, with the code of the event loop and the whole cost limit. */
import type { KubeObject } from '@tributary/apimachinery';
import type { JsonSchema } from '../schema/json-schema.ts';
import { type ObjectSchema, rootSchema, schemaOfFields } from '../schema/object-schema.ts';
import { ruleValidator } from './schema-validation.ts';
import type { ValidationResult } from './validation-result.ts';

export const RULE_JOB = 'rules';

export interface RuleJobInput {
  /** Identifies the schema in the thread's cache. */
  readonly schema: number;
  /** Sent when the thread does not have the schema. */
  readonly source?: SchemaSource;
  readonly next: KubeObject;
  readonly live: KubeObject | undefined;
}

/** The source of a schema: a whole object, or an author's fields. */
type SchemaSource =
  | { readonly root: JsonSchema }
  | { readonly root?: never; readonly fields: readonly (readonly [string, JsonSchema])[] };

export function schemaSource({ root, fields }: ObjectSchema): SchemaSource {
  return root === undefined ? { fields: [...fields] } : { root };
}

/** Bound on cached schemas with their compiled rules; the least recently used one is evicted, and sent again when needed. */
const SCHEMAS_MAX = 32;

export function ruleJobs(): {
  readonly [RULE_JOB]: (input: RuleJobInput) => ValidationResult | 'unknown';
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
    [RULE_JOB]: (input) => {
      const schema = schemaOf(input);
      if (schema === undefined) return 'unknown';
      const warnings: string[] = [];
      const { next, live } = input;
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
