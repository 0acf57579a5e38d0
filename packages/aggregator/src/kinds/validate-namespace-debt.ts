import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  type FieldPath,
  fieldError,
  fieldImmutable,
  goQuote,
  root,
} from '@tributary/apimachinery';
import {
  ALL_RESOURCES,
  type DebtResource,
  type NamespaceDebt,
  type NamespaceDebtSpec,
  namespaceDebtName,
} from './namespace-debt.ts';

const SPEC = root('spec');
/** More than any backend serves in one group version. */
const RESOURCES_MAX = 1_000;
const MESSAGE_CHARACTERS_MAX = 4_096;

export function validateNamespaceDebt({ metadata, spec, status }: NamespaceDebt): FieldError[] {
  const { name = '' } = metadata;
  const { message = '' } = status;
  return [
    ...required(spec, ['namespaceUid', 'apiService', 'apiServiceUid', 'since']),
    ...texts(SPEC.child('namespace'), spec.namespace, dns1123LabelErrors),
    ...validateResources(spec.resources ?? []),
    ...(name === namespaceDebtName(spec)
      ? []
      : [
          fieldError.invalid(
            root('metadata', 'name'),
            name,
            `must be ${goQuote(namespaceDebtName(spec))}, for this namespaceUid and apiService`,
          ),
        ]),
    ...(message.length <= MESSAGE_CHARACTERS_MAX
      ? []
      : [fieldError.tooLongCharacters(root('status', 'message'), MESSAGE_CHARACTERS_MAX)]),
  ];
}

/** Immutable fields; the resources may be discovered later. */
const fixed = ['namespace', 'namespaceUid', 'apiService', 'since'] as const;

export function validateNamespaceDebtUpdate(
  next: NamespaceDebt,
  live: NamespaceDebt,
): FieldError[] {
  return [
    ...validateNamespaceDebt(next),
    ...fixed
      .filter((field) => next.spec[field] !== live.spec[field])
      .map((field) => fieldError.invalid(SPEC.child(field), next.spec[field], fieldImmutable)),
  ];
}

function required(
  spec: NamespaceDebtSpec,
  fields: readonly (keyof NamespaceDebtSpec)[],
): FieldError[] {
  return fields
    .filter((field) => !spec[field])
    .map((field) => fieldError.required(SPEC.child(field)));
}

function validateResources(resources: readonly DebtResource[]): FieldError[] {
  const path = SPEC.child('resources');
  if (resources.length === 0) return [fieldError.required(path)];
  if (resources.length > RESOURCES_MAX) {
    return [fieldError.tooMany(path, resources.length, RESOURCES_MAX)];
  }
  const seen = new Set<string>();
  return resources.flatMap((one, index) => {
    const place = path.index(index);
    const { group, version, resource } = one;
    const key = `${resource}.${version}.${group}`;
    const twice = seen.has(key) ? [fieldError.duplicate(place, key)] : [];
    seen.add(key);
    return [
      ...(group === '' ? [] : texts(place.child('group'), group, dns1123SubdomainErrors)),
      ...texts(place.child('version'), version, dns1035LabelErrors),
      ...(resource === ALL_RESOURCES
        ? []
        : texts(place.child('resource'), resource, dns1123SubdomainErrors)),
      ...twice,
    ];
  });
}

function texts(
  path: FieldPath,
  value: string,
  errorsOf: (value: string) => readonly string[],
): FieldError[] {
  if (value === '') return [fieldError.required(path)];
  return errorsOf(value).map((detail) => fieldError.invalid(path, value, detail));
}
