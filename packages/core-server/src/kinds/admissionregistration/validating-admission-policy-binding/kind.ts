import { ValidatingAdmissionPolicyBinding } from '@tributary/api/admissionregistration-v1';
import type { ResourceDefinition } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { bindingColumns } from '../shared/binding-columns.ts';
import { defaultMatch } from '../shared/defaults.ts';
import { reservedNameHooks, storedOnlyWarnings } from '../shared/stored-only.ts';
import { validateValidatingBinding } from './validation.ts';

const NOT_DONE = 'judge requests by its policy';

/** Stored and served for extension API servers, which enforce it; this server does not. */
export const validatingBindingKind: ResourceDefinition<ValidatingAdmissionPolicyBinding> =
  defineResource({
    kind: 'ValidatingAdmissionPolicyBinding',
    plural: 'validatingadmissionpolicybindings',
    categories: ['api-extensions'],
    scope: 'Cluster',
    versions: {
      v1: version({
        typed: ValidatingAdmissionPolicyBinding,
        columns: bindingColumns(),
        applyDefaults: ({ spec }) => defaultMatch(spec.matchResources),
        ...reservedNameHooks(validateValidatingBinding),
        warnings: (binding) => storedOnlyWarnings(binding, NOT_DONE),
      }),
    },
  });
