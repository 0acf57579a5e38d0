import {
  MutatingAdmissionPolicyBinding,
  type ParamRef,
  ValidatingAdmissionPolicyBinding,
} from '@tributary/api/admissionregistration-v1';
import type { LabelSelector } from '@tributary/api/meta-v1';
import type { ColumnInput, ResourceDefinition } from '@tributary/server';
import { ageColumn, defineResource, nameColumn, version } from '@tributary/server/definition';
import { defaultMatch } from './default-admission.ts';
import { storedOnlyWarnings, unreserved } from './stored-only.ts';
import { validateMutatingBinding, validateValidatingBinding } from './validate-binding.ts';

type Binding = MutatingAdmissionPolicyBinding | ValidatingAdmissionPolicyBinding;

const NOT_DONE = 'judge requests by its policy';

/** Stored and served for extension servers, which follow it: this server judges nothing by it. */
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
        ...unreserved(validateValidatingBinding),
        warnings: (binding) => storedOnlyWarnings(binding, NOT_DONE),
      }),
    },
  });

/** Likewise. */
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
        ...unreserved(validateMutatingBinding),
        warnings: (binding) => storedOnlyWarnings(binding, NOT_DONE),
      }),
    },
  });

function bindingColumns(): ColumnInput<Binding>[] {
  return [
    nameColumn,
    {
      name: 'PolicyName',
      description: 'The policy that it puts to use',
      cell: ({ spec }) => spec.policyName ?? '',
    },
    {
      name: 'ParamRef',
      description: 'Where the parameters of the policy are',
      cell: ({ spec }) => paramRefText(spec.paramRef),
    },
    ageColumn,
  ];
}

function paramRefText({ name, namespace, selector }: ParamRef = {}): string {
  if (name) return `${namespace || '*'}/${name}`;
  return selector ? goSelectorText(selector) : '<unset>';
}

/** As Go prints the structure: upstream shows it so. */
function goSelectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}: ${matchLabels[key]},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
