import type { JSONSchemaProps, SelectableField } from '@tributary/api/apiextensions-v1';
import { type FieldError, type FieldPath, fieldError } from '@tributary/apimachinery';
import { findField } from './schema-field-path.ts';

export const SELECTABLE_MAX = 8;
const SELECTABLE_TYPES: readonly (string | undefined)[] = ['string', 'boolean', 'integer'];
const WRONG_TYPE =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';

interface SelectableRules {
  readonly path: FieldPath;
  /** The stored object already exceeds the limit with the same fields. */
  readonly allowTooMany: boolean;
}

export function validateSelectableFields(
  fields: readonly SelectableField[],
  schema: JSONSchemaProps,
  { path, allowTooMany }: SelectableRules,
): FieldError[] {
  const known = new Set<string>();
  const errors = fields.flatMap(({ jsonPath }, at) => {
    const place = path.index(at).child('jsonPath');
    if (jsonPath === '') return [fieldError.required(place)];
    const found = findField(jsonPath, schema);
    if (!found.ok)
      return [fieldError.invalid(place, jsonPath, `is an invalid path: ${found.reason}`)];
    const text = found.path.join('.');
    const repeated = known.has(text);
    known.add(text);
    return [
      ...(found.path[0] === 'metadata'
        ? [fieldError.invalid(place, jsonPath, 'must not point to fields in metadata')]
        : []),
      ...(SELECTABLE_TYPES.includes(found.schema.type)
        ? []
        : [fieldError.invalid(place, jsonPath, WRONG_TYPE)]),
      ...(repeated ? [fieldError.duplicate(place, jsonPath)] : []),
    ];
  });
  if (known.size <= SELECTABLE_MAX || allowTooMany) return errors;
  return [...errors, fieldError.tooMany(path, known.size, SELECTABLE_MAX)];
}
