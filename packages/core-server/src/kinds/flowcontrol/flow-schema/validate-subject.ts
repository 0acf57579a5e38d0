import type { ServiceAccountSubject, Subject } from '@tributary/api/flowcontrol-v1';
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  type FieldPath,
  fieldError,
} from '@tributary/apimachinery';

const KINDS = ['Group', 'ServiceAccount', 'User'];
/** The field of each kind of subject; other fields are refused in this order. */
const FIELDS = {
  ServiceAccount: { own: 'serviceAccount', others: ['user', 'group'] },
  User: { own: 'user', others: ['serviceAccount', 'group'] },
  Group: { own: 'group', others: ['serviceAccount', 'user'] },
} as const;
const KIND_OF = { serviceAccount: 'ServiceAccount', user: 'User', group: 'Group' } as const;

export function validateSubject(subject: Subject, path: FieldPath): FieldError[] {
  const { kind } = subject;
  if (kind !== 'ServiceAccount' && kind !== 'User' && kind !== 'Group') {
    return [fieldError.notSupported(path.child('kind'), kind, KINDS)];
  }
  const { own, others } = FIELDS[kind];
  const fieldPath = path.child(own);
  return [
    ...(subject[own] === undefined
      ? [fieldError.required(fieldPath, `${own} is required when subject kind is '${kind}'`)]
      : validateField(subject, fieldPath)),
    ...others
      .filter((other) => subject[other] !== undefined)
      .map((other) =>
        fieldError.forbidden(
          path.child(other),
          `${other} is forbidden when subject kind is not '${KIND_OF[other]}'`,
        ),
      ),
  ];
}

function validateField(
  { kind, serviceAccount, user, group }: Subject,
  path: FieldPath,
): FieldError[] {
  if (kind === 'ServiceAccount') {
    return serviceAccount === undefined ? [] : validateServiceAccount(serviceAccount, path);
  }
  const name = (kind === 'User' ? user : group)?.name;
  return name ? [] : [fieldError.required(path.child('name'))];
}

function validateServiceAccount(
  { name, namespace }: ServiceAccountSubject,
  path: FieldPath,
): FieldError[] {
  const invalid = (field: string, value: string, details: readonly string[]) =>
    details.map((detail) => fieldError.invalid(path.child(field), value, detail));
  const named =
    name === ''
      ? [fieldError.required(path.child('name'))]
      : name === '*'
        ? []
        : invalid('name', name, dns1123SubdomainErrors(name));
  const placed =
    namespace === ''
      ? [fieldError.required(path.child('namespace'), 'must specify namespace for service account')]
      : invalid('namespace', namespace, dns1123LabelErrors(namespace));
  return [...named, ...placed];
}
