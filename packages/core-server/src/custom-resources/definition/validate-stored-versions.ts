import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import { type FieldError, fieldError, root } from '@tributary/apimachinery';

/** A version with stored objects must remain until a client removes it from `storedVersions`. */
export function validateStoredVersions({
  spec,
  status,
}: Pick<CustomResourceDefinition, 'spec' | 'status'>): FieldError[] {
  const path = root('status', 'storedVersions');
  const stored = status.storedVersions ?? [];
  if (stored.length === 0) {
    return [
      fieldError.invalid(path, status.storedVersions, 'must have at least one stored version'),
    ];
  }
  const versions = spec.versions ?? [];
  const missing = versions.filter(({ storage, name }) => storage && !stored.includes(name));
  const names = new Set(versions.map(({ name }) => name));
  return [
    ...missing.map(({ name }) =>
      fieldError.invalid(path, stored, `must have the storage version ${name}`),
    ),
    ...stored.flatMap((name, at) =>
      names.has(name) ? [] : [fieldError.invalid(path.index(at), name, goneDetail(name))],
    ),
  ];
}

function goneDetail(name: string): string {
  return `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
}
