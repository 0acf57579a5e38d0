import { isDeepStrictEqual } from 'node:util';
import { ResourceQuota } from '@tributary/api/core-v1';
import { fieldError, fieldImmutable, root } from '@tributary/apimachinery';
import { column } from '../../shared/columns.ts';
import { storedKind } from '../../shared/stored-kind.ts';
import { SCOPES, validateHard } from './validation.ts';

const SPEC = root('spec');

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

function usedText({ status }: ResourceQuota, isWanted: (name: string) => boolean): string {
  const { hard = {}, used = {} } = status;
  return Object.keys(hard)
    .filter(isWanted)
    .sort()
    .map((name) => `${name}: ${used[name] ?? '0'}/${hard[name]}`)
    .join(', ');
}
