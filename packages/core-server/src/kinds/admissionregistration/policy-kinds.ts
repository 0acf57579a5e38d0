import {
  MutatingAdmissionPolicy,
  type ParamKind,
  ValidatingAdmissionPolicy,
} from '@tributary/api/admissionregistration-v1';
import type { ColumnInput, ResourceDefinition } from '@tributary/server';
import {
  ageColumn,
  defineResource,
  nameColumn,
  resetObjectMetaForStatus,
  version,
} from '@tributary/server/definition';
import { defaultMatch } from './default-admission.ts';
import { storedOnlyWarnings, unreserved } from './stored-only.ts';
import { validateMutatingPolicy } from './validate-mutating-policy.ts';
import { validatePolicyStatus } from './validate-policy-status.ts';
import { validateValidatingPolicy } from './validate-validating-policy.ts';

const NOT_DONE = 'judge requests by it';

/** Stored and served for extension servers, which follow it: this server judges nothing by it. */
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
          description: 'How many expressions it validates by',
          cell: ({ spec: { validations = [] } }) => validations.length,
        },
        paramKindColumn(),
        ageColumn,
      ],
      applyDefaults: ({ spec }) => {
        spec.failurePolicy ??= 'Fail';
        defaultMatch(spec.matchConstraints);
      },
      ...unreserved(validateValidatingPolicy),
      validateUpdate: (next) => [
        ...validateValidatingPolicy(next),
        ...validatePolicyStatus(next.status),
      ],
      warnings: (policy) => storedOnlyWarnings(policy, NOT_DONE),
    }),
  },
});

/** Likewise. */
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
          description: 'How many changes it makes',
          cell: ({ spec: { mutations = [] } }) => mutations.length,
        },
        paramKindColumn(),
        ageColumn,
      ],
      applyDefaults: ({ spec }) => {
        spec.failurePolicy ??= 'Fail';
        defaultMatch(spec.matchConstraints);
      },
      ...unreserved(validateMutatingPolicy),
      warnings: (policy) => storedOnlyWarnings(policy, NOT_DONE),
    }),
  },
});

function paramKindColumn(): ColumnInput<{ spec: { paramKind?: ParamKind } }> {
  return {
    name: 'ParamKind',
    description: 'Of which kind its parameters are',
    cell: ({ spec: { paramKind } }) =>
      paramKind ? `${paramKind.apiVersion}/${paramKind.kind}` : '<unset>',
  };
}
