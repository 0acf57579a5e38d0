import { type FieldError, type FieldPath, fieldError } from '@tributary/apimachinery';
import { validateQualifiedName } from '../../shared/validate-names.ts';

/** Resources that count objects. */
const OBJECT_RESOURCES = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
  'services.loadbalancers',
  'services.nodeports',
]);

const COMPUTE_RESOURCES = new Set(['cpu', 'memory', 'ephemeral-storage']);

const QUOTA_RESOURCES = new Set([
  ...OBJECT_RESOURCES,
  ...COMPUTE_RESOURCES,
  ...[...COMPUTE_RESOURCES, 'storage'].map((name) => `requests.${name}`),
  ...[...COMPUTE_RESOURCES].map((name) => `limits.${name}`),
]);

export const SCOPES = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
]);

export function validateHard(
  hard: Readonly<Record<string, string>> = {},
  path: FieldPath,
): FieldError[] {
  return Object.entries(hard)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, value]) => [
      ...nameErrors(name, path.key(name)),
      ...amountErrors(name, value, path.key(name)),
    ]);
}

function nameErrors(name: string, path: FieldPath): FieldError[] {
  const errors = validateQualifiedName(path, name);
  if (errors.length > 0 || QUOTA_RESOURCES.has(name)) return errors;
  if (/\/|^(requests\.|count\/|hugepages-)/.test(name)) return errors;
  return [
    fieldError.invalid(path, name, 'must be a standard resource type or fully qualified'),
    fieldError.invalid(path, name, 'must be a standard resource for quota'),
  ];
}

function amountErrors(name: string, value: string, path: FieldPath): FieldError[] {
  if (value.startsWith('-')) {
    return [fieldError.invalid(path, value, 'must be greater than or equal to 0')];
  }
  const isCounted = OBJECT_RESOURCES.has(name) || name.startsWith('count/');
  return isCounted && value.endsWith('m')
    ? [fieldError.invalid(path, value, 'must be an integer')]
    : [];
}
