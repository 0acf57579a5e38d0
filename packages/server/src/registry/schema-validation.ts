import type { KubeObject } from '@tributary/apimachinery';
import { type FieldError, FieldPath, fieldError } from '@tributary/apimachinery';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { ObjectSchema } from '../schema.ts';

/** Errors listed for one object; one mistake repeated in a long list must not make a long answer. */
const ERRORS_MAX = 100;

/** Checks the author's part of an object against its schema. Compiled when the first object comes. */
export function schemaValidator(
  schema: ObjectSchema,
): (object: KubeObject) => readonly FieldError[] {
  let validate: ValidateFunction | undefined;
  return (object) => {
    validate ??= compile(schema);
    if (validate(object)) return [];
    return (validate.errors ?? []).slice(0, ERRORS_MAX).map((error) => describe(error, object));
  };
}

function compile(schema: ObjectSchema): ValidateFunction {
  // Formats and x-kubernetes keywords are annotations here; unknown fields are pruned before.
  const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
  return ajv.compile({ type: 'object', properties: Object.fromEntries(schema.fields) });
}

function describe(error: ErrorObject, object: KubeObject): FieldError {
  const segments = error.instancePath.split('/').slice(1).map(unescapePointer);
  const value = valueAt(object, segments);
  const path = pathOf(segments, object);
  switch (error.keyword) {
    case 'required':
      return fieldError.required(path.child(String(error.params.missingProperty)), '');
    case 'enum':
      return fieldError.notSupported(
        path,
        value,
        (error.params.allowedValues as string[]).map(String),
      );
    case 'type': {
      const wanted = String(error.params.type);
      const got = JSON.stringify(typeName(value));
      return fieldError.typeInvalid(path, typeName(value), `must be of type ${wanted}: ${got}`);
    }
    default:
      return fieldError.invalid(path, value, error.message ?? error.keyword);
  }
}

function pathOf(segments: readonly string[], object: KubeObject): FieldPath {
  const [first = '', ...rest] = segments;
  let path = FieldPath.root(first);
  let container: unknown = valueAt(object, [first]);
  for (const segment of rest) {
    path = Array.isArray(container) ? path.index(Number(segment)) : path.child(segment);
    container = valueAt(container, [segment]);
  }
  return path;
}

function valueAt(value: unknown, segments: readonly string[]): unknown {
  let at = value;
  for (const segment of segments) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, segment)) return undefined;
    at = (at as Record<string, unknown>)[segment];
  }
  return at;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint' || Number.isInteger(value)) return 'integer';
  return typeof value;
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}
