import { MutatingAdmissionPolicy } from '@tributary/api/admissionregistration-v1';
import type { ResourceDefinition } from '@tributary/server';
import { ageColumn, defineResource, nameColumn, version } from '@tributary/server/definition';
import { defaultMatch } from '../shared/defaults.ts';
import { paramKindColumn } from '../shared/param-kind-column.ts';
import { reservedNameHooks, storedOnlyWarnings } from '../shared/stored-only.ts';
import { validateMutatingPolicy } from './validation.ts';

const NOT_DONE = 'judge requests by it';

/** Stored and served for extension API servers, which enforce it; this server does not. */
export const mutatingPolicyKind: ResourceDefinition<MutatingAdmissionPolicy> = defineResource({
  kind: 'MutatingAdmissionPolicy',
  plural: 'mutatingadmissionpolicies',
  categories: ['api-extensions'],
  scope: 'Cluster',
  versions: {
    v1: version({
      typed: MutatingAdmissionPolicy,
      columns: [
        nameColumn,
        {
          name: 'Mutations',
          type: 'integer',
          description: 'The number of mutations',
          cell: ({ spec: { mutations = [] } }) => mutations.length,
        },
        paramKindColumn(),
        ageColumn,
      ],
      applyDefaults: ({ spec }) => {
        spec.failurePolicy ??= 'Fail';
        defaultMatch(spec.matchConstraints);
      },
      ...reservedNameHooks(validateMutatingPolicy),
      warnings: (policy) => storedOnlyWarnings(policy, NOT_DONE),
    }),
  },
});
