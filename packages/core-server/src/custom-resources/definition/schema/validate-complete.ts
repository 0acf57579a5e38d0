import type { JSONSchemaProps } from '@tributary/api/apiextensions-v1';
import { type FieldError, fieldError } from '@tributary/apimachinery';
import { childPath, itemPath, keyPath, type LazyPath } from './lazy-path.ts';

/**
 * Requires that fields in value validations (`allOf`, `anyOf`, `oneOf`, `not`) are also specified in the structural
 * schema. Errors name both paths.
 */
export function validateComplete(
  schema: JSONSchemaProps,
  place: LazyPath,
  errors: FieldError[],
): void {
  validateNestedJunctors(schema, { schema, structuralPath: place, nestedPath: place }, errors);
}

interface SchemaPair {
  /** The structural schema of the value. */
  readonly schema: JSONSchemaProps;
  readonly structuralPath: LazyPath;
  readonly nestedPath: LazyPath;
}

function validateNestedJunctors(
  nested: JSONSchemaProps,
  both: SchemaPair,
  errors: FieldError[],
): void {
  const { nestedPath } = both;
  if (nested.not !== undefined) {
    validateSpecified(nested.not, { ...both, nestedPath: childPath(nestedPath, 'not') }, errors);
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [at, one] of (nested[keyword] ?? []).entries()) {
      validateSpecified(one, { ...both, nestedPath: itemPath(nestedPath, keyword, at) }, errors);
    }
  }
}

function validateSpecified(nested: JSONSchemaProps, both: SchemaPair, errors: FieldError[]): void {
  const { schema, structuralPath, nestedPath } = both;
  const { items, properties = {} } = nested;
  const known = schema.properties ?? {};
  validateNestedJunctors(nested, both, errors);
  if (items !== undefined && !Array.isArray(items)) {
    const places = {
      structuralPath: childPath(structuralPath, 'items'),
      nestedPath: childPath(nestedPath, 'items'),
    };
    requireSpecified(items, schema.items, places, errors);
  }
  for (const [name, field] of Object.entries(properties)) {
    const places = {
      structuralPath: keyPath(structuralPath, 'properties', name),
      nestedPath: keyPath(nestedPath, 'properties', name),
    };
    requireSpecified(field, Object.hasOwn(known, name) ? known[name] : undefined, places, errors);
  }
}

function requireSpecified(
  nested: JSONSchemaProps,
  schema: JSONSchemaProps['items'],
  places: Pick<SchemaPair, 'structuralPath' | 'nestedPath'>,
  errors: FieldError[],
): void {
  if (schema !== undefined && !Array.isArray(schema)) {
    validateSpecified(nested, { schema, ...places }, errors);
    return;
  }
  const detail = `because it is defined in ${places.nestedPath()}`;
  errors.push(fieldError.required(places.structuralPath(), detail));
}
