import type { KubeObject } from '@tributary/apimachinery';
import { accountManifests, type PolicyRule, READ } from './access.ts';
import {
  type BootstrapOptions,
  CONTAINER_PORT,
  type Installation,
  installationOf,
} from './bootstrap-options.ts';
import { manifest } from './manifest.ts';
import { sorted } from './manifest-list.ts';
import { workloadManifests } from './workload.ts';

/** Components between clients and an API server, which act on behalf of its users. */
export const components = ['aggregator', 'cache-proxy'] as const;
export type Component = (typeof components)[number];

const WARNING_ANNOTATION = 'aggregation.tributary.dev/warning';

export function componentWarning(component: Component): string {
  return `Whoever controls the ${component}, its namespace, its account or its Secret can act as any user of the cluster.`;
}

/** Forwards requests as their users. Their extra fields are not known in advance. */
const impersonation: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['groups', 'serviceaccounts', 'users'], verbs: ['impersonate'] },
  { apiGroups: ['authentication.k8s.io'], resources: ['*'], verbs: ['impersonate'] },
];

const rules: Readonly<Record<Component, readonly PolicyRule[]>> = {
  aggregator: [
    ...impersonation,
    { apiGroups: [''], resources: ['namespaces', 'services'], verbs: READ },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: READ },
  ],
  // It serves reads from its cache, after an access review of the user.
  'cache-proxy': [...impersonation, { apiGroups: ['*'], resources: ['*'], verbs: READ }],
};

/** The manifests of a component, in a namespace of its own. */
export function componentManifests(component: Component, options: BootstrapOptions): KubeObject[] {
  const installation = componentInstallation(component, options);
  const annotations = { [WARNING_ANNOTATION]: componentWarning(component) };
  return sorted([
    ...workloadManifests({ installation, args: [component], annotations }),
    ...accountManifests(installation, rules[component]),
    networkPolicy(installation),
  ]);
}

export function componentInstallation(
  component: Component,
  options: BootstrapOptions,
): Installation {
  return installationOf(`tributary:${component}`, options, {
    namespace: `tributary-${component}`,
    service: component,
  });
}

/** Pods of the namespace accept connections at one port; their own connections depend on the backends. */
function networkPolicy(installation: Installation): KubeObject {
  const { namespace, service } = installation;
  return manifest(
    installation,
    { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', name: service, namespace },
    {
      spec: {
        podSelector: {},
        policyTypes: ['Ingress'],
        ingress: [{ ports: [{ port: CONTAINER_PORT, protocol: 'TCP' }] }],
      },
    },
  );
}
