import { NetworkPolicy } from '@tributary/api/networking-v1';
import type { ResourceDefinition } from '@tributary/server';
import { ageColumn, defineResource, nameColumn, version } from '@tributary/server/definition';
import { labelSelectorText } from '@tributary/server/verbs';
import { validateNetworkPolicy, validateNetworkPolicyUpdate } from './validation.ts';
import { networkPolicyWarnings } from './warnings.ts';

/** Stored and served so that charts install; no network enforces it here. */
export const networkPolicyKind: ResourceDefinition<NetworkPolicy> = defineResource({
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  shortNames: ['netpol'],
  scope: 'Namespaced',
  allowUnconditionalUpdate: true,
  versions: {
    v1: version({
      typed: NetworkPolicy,
      columns: [
        nameColumn,
        {
          name: 'Pod-Selector',
          description: 'The label selector of the pods that the policy applies to',
          cell: ({ spec }) => labelSelectorText(spec.podSelector) || '<none>',
        },
        ageColumn,
      ],
      applyDefaults: defaultNetworkPolicy,
      validate: validateNetworkPolicy,
      validateUpdate: validateNetworkPolicyUpdate,
      warnings: networkPolicyWarnings,
    }),
  },
});

function defaultNetworkPolicy({ spec }: NetworkPolicy): void {
  const { ingress = [], egress = [], policyTypes = [] } = spec;
  if (policyTypes.length === 0) {
    spec.policyTypes = egress.length === 0 ? ['Ingress'] : ['Ingress', 'Egress'];
  }
  for (const { ports = [] } of [...ingress, ...egress]) {
    for (const port of ports) port.protocol ??= 'TCP';
  }
}
