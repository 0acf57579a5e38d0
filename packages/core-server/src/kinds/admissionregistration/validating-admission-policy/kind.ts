import { ValidatingAdmissionPolicy } from '@tributary/api/admissionregistration-v1';
import type { ResourceDefinition } from '@tributary/server';
import {
  ageColumn,
  defineResource,
  nameColumn,
  resetObjectMetaForStatus,
  version,
} from '@tributary/server/definition';
import { defaultMatch } from '../shared/defaults.ts';
import { paramKindColumn } from '../shared/param-kind-column.ts';
import { reservedNameHooks, storedOnlyWarnings } from '../shared/stored-only.ts';
import { validatePolicyStatus } from './validate-status.ts';
import { validateValidatingPolicy } from './validation.ts';

const NOT_DONE = 'judge requests by it';

/** Stored and served for extension API servers, which enforce it; this server does not. */
export const validatingPolicyKind: ResourceDefinition<ValidatingAdmissionPolicy> = defineResource({
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  categories: ['api-extensions'],
  scope: 'Cluster',
  subresources: { status: true },
  resetFields: { status: ['spec', 'metadata'] },
  admit: { update: resetObjectMetaForStatus },
  versions: {
    v1: version({
      typed: ValidatingAdmissionPolicy,
      columns: [
        nameColumn,
        {
          name: 'Validations',
          type: 'integer',
          description: 'The number of validations',
          cell: ({ spec: { validations = [] } }) => validations.length,
        },
        paramKindColumn(),
        ageColumn,
      ],
      applyDefaults: ({ spec }) => {
        spec.failurePolicy ??= 'Fail';
        defaultMatch(spec.matchConstraints);
      },
      ...reservedNameHooks(validateValidatingPolicy),
      validateUpdate: (next) => [
        ...validateValidatingPolicy(next),
        ...validatePolicyStatus(next.status),
      ],
      warnings: (policy) => storedOnlyWarnings(policy, NOT_DONE),
    }),
  },
});
