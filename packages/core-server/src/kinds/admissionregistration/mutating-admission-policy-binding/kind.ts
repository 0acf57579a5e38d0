import { MutatingAdmissionPolicyBinding } from '@tributary/api/admissionregistration-v1';
import type { ResourceDefinition } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { bindingColumns } from '../shared/binding-columns.ts';
import { defaultMatch } from '../shared/defaults.ts';
import { reservedNameHooks, storedOnlyWarnings } from '../shared/stored-only.ts';
import { validateMutatingBinding } from './validation.ts';

const NOT_DONE = 'judge requests by its policy';

/** Stored and served for extension API servers, which enforce it; this server does not. */
export const mutatingBindingKind: ResourceDefinition<MutatingAdmissionPolicyBinding> =
  defineResource({
    kind: 'MutatingAdmissionPolicyBinding',
    plural: 'mutatingadmissionpolicybindings',
    categories: ['api-extensions'],
    scope: 'Cluster',
    versions: {
      v1: version({
        typed: MutatingAdmissionPolicyBinding,
        columns: bindingColumns(),
        applyDefaults: ({ spec }) => defaultMatch(spec.matchResources),
        ...reservedNameHooks(validateMutatingBinding),
        warnings: (binding) => storedOnlyWarnings(binding, NOT_DONE),
      }),
    },
  });
