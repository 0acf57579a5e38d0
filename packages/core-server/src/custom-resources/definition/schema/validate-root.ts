import type { JSONSchemaProps } from '@tributary/api/apiextensions-v1';
import { type FieldError, type FieldPath, fieldError } from '@tributary/apimachinery';
import { schemaFieldNames, schemaText } from '../internal-text.ts';

/** Upstream's list: with these fields a status can be validated by its own schema. */
const ALLOWED_WITH_STATUS = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
];

export function validateRoot(
  schema: JSONSchemaProps,
  path: FieldPath,
  { hasStatus }: { readonly hasStatus: boolean },
): FieldError[] {
  const errors = hasStatus ? validateBesideStatus(schema, path) : [];
  if (schema.nullable) {
    errors.push(
      fieldError.forbidden(path.child('nullable'), 'nullable cannot be true at the root'),
    );
  }
  return errors;
}

/** Only the first error is reported. */
function validateBesideStatus(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const wrong = schemaFieldNames(schema).find((name) =>
    name === 'Type' ? schema.type !== 'object' : !ALLOWED_WITH_STATUS.includes(name),
  );
  if (wrong === undefined) return [];
  if (wrong === 'Type') {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [fieldError.invalid(path.child('type'), schema.type, detail)];
  }
  const detail = `only [${ALLOWED_WITH_STATUS.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [fieldError.invalid(path, schemaText(schema), detail)];
}
