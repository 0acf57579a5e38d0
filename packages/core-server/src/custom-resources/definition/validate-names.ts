import type { CustomResourceDefinitionNames } from '@tributary/api/apiextensions-v1';
import {
  dns1035LabelErrors,
  type FieldError,
  type FieldPath,
  fieldError,
} from '@tributary/apimachinery';

const MIXED_CASE = 'may have mixed case, but should otherwise match: ';

/** Validates names that are present; `requireNames` validates which must be. */
export function validateNames(names: CustomResourceDefinitionNames, path: FieldPath): FieldError[] {
  const { plural, singular = '', kind, listKind = '', shortNames = [], categories = [] } = names;
  const errors = [
    ...label(plural, path.child('plural')),
    ...label(singular, path.child('singular')),
    ...label(kind, path.child('kind'), { mixedCase: true }),
    ...label(listKind, path.child('listKind'), { mixedCase: true }),
    ...shortNames.flatMap((name, at) => eachLabel(name, path.child('shortNames').index(at))),
  ];
  if (kind !== '' && kind === listKind) {
    // A decoder could not distinguish an object from a list.
    const detail = 'kind and listKind may not be the same';
    errors.push(fieldError.invalid(path.child('listKind'), listKind, detail));
  }
  return [
    ...errors,
    ...categories.flatMap((name, at) => eachLabel(name, path.child('categories').index(at))),
  ];
}

/** The names that are required in a spec. */
export function requireNames(names: CustomResourceDefinitionNames, path: FieldPath): FieldError[] {
  return (['plural', 'singular', 'kind', 'listKind'] as const)
    .filter((name) => !names[name])
    .map((name) => fieldError.required(path.child(name)));
}

function label(
  name: string,
  path: FieldPath,
  { mixedCase = false }: { readonly mixedCase?: boolean } = {},
): FieldError[] {
  return name === '' ? [] : eachLabel(name, path, mixedCase ? MIXED_CASE : undefined);
}

function eachLabel(name: string, path: FieldPath, before?: string): FieldError[] {
  const errors = dns1035LabelErrors(before === undefined ? name : name.toLowerCase());
  if (errors.length === 0) return [];
  return [fieldError.invalid(path, name, `${before ?? ''}${errors.join(',')}`)];
}
