import { isDeepStrictEqual } from 'node:util';
import { ResourceQuota } from '@tributary/api/core-v1';
import { fieldError, fieldImmutable, root } from '@tributary/apimachinery';
import { defineResource, version } from '@tributary/server/definition';
import { column, tableColumns } from '../../shared/columns.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';
import { SCOPES, validateHard } from './validation.ts';

const SPEC = root('spec');

export const resourceQuotaKind = defineResource({
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  shortNames: ['quota'],
  scope: 'Namespaced',
  tracksGeneration: false,
  allowUnconditionalUpdate: true,
  returnsDeletedObject: true,
  subresources: { status: true },
  resetFields: { status: ['spec'] },
  versions: {
    v1: version({
      typed: ResourceQuota,
      columns: tableColumns<ResourceQuota>({
        columns: [
          column('Request', 'Used and permitted requests', (quota) =>
            usedText(quota, (name) => !name.startsWith('limits.')),
          ),
          column('Limit', 'Used and permitted limits', (quota) =>
            usedText(quota, (name) => name.startsWith('limits.')),
          ),
        ],
      }),
      ...validationHooks<ResourceQuota>({
        hasStatus: true,
        validate: ({ spec }) => [
          ...validateHard(spec.hard, SPEC.child('hard')),
          ...((spec.scopes ?? []).some((scope) => !SCOPES.has(scope))
            ? [fieldError.invalid(SPEC.child('scopes'), spec.scopes, 'unsupported scope')]
            : []),
        ],
        validateUpdate: ({ spec }, live) =>
          isDeepStrictEqual([...(spec.scopes ?? [])].sort(), [...(live.spec.scopes ?? [])].sort())
            ? []
            : [fieldError.invalid(SPEC.child('scopes'), spec.scopes ?? null, fieldImmutable)],
        validateStatusUpdate: ({ status }) => [
          ...validateHard(status.hard, root('status').child('hard')),
          ...validateHard(status.used, root('status').child('used')),
        ],
      }),
    }),
  },
});

function usedText({ status }: ResourceQuota, isWanted: (name: string) => boolean): string {
  const { hard = {}, used = {} } = status;
  return Object.keys(hard)
    .filter(isWanted)
    .sort()
    .map((name) => `${name}: ${used[name] ?? '0'}/${hard[name]}`)
    .join(', ');
}
