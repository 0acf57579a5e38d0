import type { ResourceRequirements } from '@tributary/api/core-v1';
import {
  compareQuantities,
  type FieldError,
  type FieldPath,
  fieldError,
  parseQuantity,
} from '@tributary/apimachinery';
import { validateQualifiedName } from '../../shared/validate-names.ts';

/** The resources of containers without a domain, besides huge pages. */
const CONTAINER_RESOURCES = new Set(['cpu', 'memory', 'ephemeral-storage']);
/** Standard resources that containers do not have. */
const STANDARD_RESOURCES = new Set([
  ...['cpu', 'memory', 'ephemeral-storage', 'storage'].map((name) => `requests.${name}`),
  ...['cpu', 'memory', 'ephemeral-storage'].map((name) => `limits.${name}`),
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
  'services.loadbalancers',
  'services.nodeports',
  'storage',
]);
const LARGE_PAGES = 'hugepages-';

export function validateResources(resources: ResourceRequirements, path: FieldPath): FieldError[] {
  const { limits = {}, requests = {} } = resources;
  const [limitsPath, requestsPath] = [path.child('limits'), path.child('requests')];
  return [
    ...Object.entries(limits).flatMap(([name, value]) =>
      validateAmount(name, value, limitsPath.key(name)),
    ),
    ...Object.entries(requests).flatMap(([name, value]) => [
      ...validateAmount(name, value, requestsPath.key(name)),
      ...compareWithLimit(name, value, {
        limit: Object.hasOwn(limits, name) ? limits[name] : undefined,
        limitsPath,
        requestsPath,
      }),
    ]),
  ];
}

function validateAmount(name: string, value: string, path: FieldPath): FieldError[] {
  const errors = nameErrors(name, path);
  if (value.startsWith('-')) {
    errors.push(fieldError.invalid(path, value, 'must be greater than or equal to 0'));
  }
  return errors;
}

function nameErrors(name: string, path: FieldPath): FieldError[] {
  const errors = validateQualifiedName(path, name);
  const isOfContainers = CONTAINER_RESOURCES.has(name) || name.startsWith(LARGE_PAGES);
  if (name.includes('/') || isOfContainers) return errors;
  if (errors.length === 0 && !STANDARD_RESOURCES.has(name)) {
    const detail = 'must be a standard resource type or fully qualified';
    errors.push(fieldError.invalid(path, name, detail));
  }
  errors.push(fieldError.invalid(path, name, 'must be a standard resource for containers'));
  return errors;
}

/** Extended resources and huge pages cannot be overcommitted: request and limit are equal. */
function isOvercommitAllowed(name: string): boolean {
  const isNative = !name.includes('/') || name.includes('kubernetes.io/');
  return isNative && !name.startsWith(LARGE_PAGES);
}

function compareWithLimit(
  name: string,
  value: string,
  paths: {
    readonly limit: string | undefined;
    readonly limitsPath: FieldPath;
    readonly requestsPath: FieldPath;
  },
): FieldError[] {
  const { limit, limitsPath, requestsPath } = paths;
  if (limit === undefined) {
    if (isOvercommitAllowed(name)) return [];
    return [fieldError.required(limitsPath, 'Limit must be set for non overcommitable resources')];
  }
  const [wanted, allowed] = [parseQuantity(value), parseQuantity(limit)];
  if (!wanted.ok || !allowed.ok) return []; // Decoding has validated quantities.
  const order = compareQuantities(wanted.quantity, allowed.quantity);
  if (order !== 0 && !isOvercommitAllowed(name)) {
    const detail = `must be equal to ${name} limit of ${limit}`;
    return [fieldError.invalid(requestsPath, value, detail)];
  }
  if (order <= 0) return [];
  const detail = `must be less than or equal to ${name} limit of ${limit}`;
  return [fieldError.invalid(requestsPath, value, detail)];
}
