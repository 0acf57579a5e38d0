import type {
  MutatingAdmissionPolicyBinding,
  ParamRef,
  ValidatingAdmissionPolicyBinding,
} from '@tributary/api/admissionregistration-v1';
import type { LabelSelector } from '@tributary/api/meta-v1';
import type { ColumnInput } from '@tributary/server';
import { ageColumn, nameColumn } from '@tributary/server/definition';

type Binding = MutatingAdmissionPolicyBinding | ValidatingAdmissionPolicyBinding;

export function bindingColumns(): ColumnInput<Binding>[] {
  return [
    nameColumn,
    {
      name: 'PolicyName',
      description: 'The policy that the binding enables',
      cell: ({ spec }) => spec.policyName ?? '',
    },
    {
      name: 'ParamRef',
      description: 'The parameters of the policy',
      cell: ({ spec }) => paramRefText(spec.paramRef),
    },
    ageColumn,
  ];
}

function paramRefText({ name, namespace, selector }: ParamRef = {}): string {
  if (name) return `${namespace || '*'}/${name}`;
  return selector ? goSelectorText(selector) : '<unset>';
}

/** The selector as Go prints the struct, like upstream's column. */
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
