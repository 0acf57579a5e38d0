import { isDeepStrictEqual } from 'node:util';
import { LimitRange, type LimitRangeItem, ResourceQuota } from '@tributary/api/core-v1';
import {
  compareQuantities,
  type FieldError,
  type FieldPath,
  fieldError,
  fieldImmutable,
  parseQuantity,
  root,
} from '@tributary/apimachinery';
import { column } from '../shared/pod-parts.ts';
import { storedKind } from '../shared/stored-kind.ts';
import { validateQualifiedName } from '../shared/validate-names.ts';

const SPEC = root('spec');
/** What is counted in whole objects. */
const OBJECTS = new Set([
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
const AMOUNTS = new Set(['cpu', 'memory', 'ephemeral-storage']);
const OF_QUOTAS = new Set([
  ...OBJECTS,
  ...AMOUNTS,
  ...[...AMOUNTS, 'storage'].map((name) => `requests.${name}`),
  ...[...AMOUNTS].map((name) => `limits.${name}`),
]);
const SCOPES = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
]);

export const resourceQuotaKind = storedKind<ResourceQuota>({
  typed: ResourceQuota,
  plural: 'resourcequotas',
  shortNames: ['quota'],
  returnsDeletedObject: true,
  status: true,
  columns: [
    column('Request', 'How much is used of what may be asked for', (quota) =>
      usedText(quota, (name) => !name.startsWith('limits.')),
    ),
    column('Limit', 'How much is used of what may be had at most', (quota) =>
      usedText(quota, (name) => name.startsWith('limits.')),
    ),
  ],
  validate: ({ spec }) => [
    ...validateHard(spec.hard, SPEC.child('hard')),
    ...((spec.scopes ?? []).some((scope) => !SCOPES.has(scope))
      ? [fieldError.invalid(SPEC.child('scopes'), spec.scopes, 'unsupported scope')]
      : []),
  ],
  validateChange: ({ spec }, live) =>
    isDeepStrictEqual([...(spec.scopes ?? [])].sort(), [...(live.spec.scopes ?? [])].sort())
      ? []
      : [fieldError.invalid(SPEC.child('scopes'), spec.scopes ?? null, fieldImmutable)],
  validateStatus: ({ status }) => [
    ...validateHard(status.hard, root('status').child('hard')),
    ...validateHard(status.used, root('status').child('used')),
  ],
});

export const limitRangeKind = storedKind<LimitRange>({
  typed: LimitRange,
  plural: 'limitranges',
  shortNames: ['limits'],
  allowCreateOnUpdate: true,
  allColumns: [],
  applyDefaults: ({ spec }) => {
    for (const limit of spec.limits ?? []) defaultLimit(limit);
  },
  validate: ({ spec }) => validateLimits(spec.limits ?? []),
});

function usedText({ status }: ResourceQuota, isWanted: (name: string) => boolean): string {
  const { hard = {}, used = {} } = status;
  return Object.keys(hard)
    .filter(isWanted)
    .sort()
    .map((name) => `${name}: ${used[name] ?? '0'}/${hard[name]}`)
    .join(', ');
}

function validateHard(hard: Readonly<Record<string, string>> = {}, path: FieldPath): FieldError[] {
  return Object.entries(hard)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, value]) => [
      ...nameErrors(name, path.key(name)),
      ...amountErrors(name, value, path.key(name)),
    ]);
}

function nameErrors(name: string, path: FieldPath): FieldError[] {
  const errors = validateQualifiedName(path, name);
  if (errors.length > 0 || OF_QUOTAS.has(name)) return errors;
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
  const isCounted = OBJECTS.has(name) || name.startsWith('count/');
  return isCounted && value.endsWith('m')
    ? [fieldError.invalid(path, value, 'must be an integer')]
    : [];
}

/** What is allowed at most is the default, and what is the default is asked for. */
function defaultLimit(limit: LimitRangeItem): void {
  if (limit.type !== 'Container') return;
  const standard = { ...limit.max, ...limit.default };
  limit.default = standard;
  limit.defaultRequest = { ...limit.min, ...standard, ...limit.defaultRequest };
}

function validateLimits(limits: readonly LimitRangeItem[]): FieldError[] {
  const path = SPEC.child('limits');
  return limits.flatMap(({ type, min = {}, max = {} }, index) => {
    const at = path.index(index);
    if (limits.findIndex((other) => other.type === type) < index) {
      return [fieldError.duplicate(at.child('type'), type)];
    }
    return Object.entries(min).flatMap(([name, least]) =>
      isMore(least, max[name])
        ? [
            fieldError.invalid(
              at.child('min').key(name),
              least,
              `min value ${least} is greater than max value ${max[name]}`,
            ),
          ]
        : [],
    );
  });
}

function isMore(one: string, other: string | undefined): boolean {
  if (other === undefined) return false;
  const [a, b] = [parseQuantity(one), parseQuantity(other)];
  return a.ok && b.ok && compareQuantities(a.quantity, b.quantity) > 0;
}
