/** Generated kinds without validation, for tests of their types. */

import * as coordination from '@tributary/api/coordination-v1';
import * as core from '@tributary/api/core-v1';
import * as discovery from '@tributary/api/discovery-v1';
import * as events from '@tributary/api/events-v1';
import * as rbac from '@tributary/api/rbac-v1';
import type { ApiDefinition } from '@tributary/server';
import { defineApi, defineResource, type TypedKind, version } from '@tributary/server/definition';

const ConfigMap = defineResource({
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
  tracksGeneration: false,
  versions: {
    v1: version({
      typed: core.ConfigMap,
      columns: [{ name: 'Data', cell: ({ data = {} }) => Object.keys(data).length }],
    }),
  },
});

const Service = defineResource({
  kind: 'Service',
  plural: 'services',
  scope: 'Namespaced',
  tracksGeneration: false,
  subresources: { status: true },
  versions: { v1: version({ typed: core.Service }) },
});

function resourceOf(typed: TypedKind, plural: string, scope: 'Namespaced' | 'Cluster') {
  return defineResource({
    kind: typed.kind,
    plural,
    scope,
    tracksGeneration: false,
    versions: { v1: version({ typed }) },
  });
}

export const typedApis: readonly ApiDefinition[] = [
  defineApi({
    group: '',
    builtIn: true,
    resources: [
      ConfigMap,
      Service,
      resourceOf(core.Event, 'events', 'Namespaced'),
      resourceOf(core.Secret, 'secrets', 'Namespaced'),
      resourceOf(core.ResourceQuota, 'resourcequotas', 'Namespaced'),
      resourceOf(core.Pod, 'pods', 'Namespaced'),
    ],
  }),
  defineApi({
    group: 'rbac.authorization.k8s.io',
    builtIn: true,
    resources: [
      resourceOf(rbac.ClusterRole, 'clusterroles', 'Cluster'),
      resourceOf(rbac.RoleBinding, 'rolebindings', 'Namespaced'),
    ],
  }),
  defineApi({
    group: 'coordination.k8s.io',
    builtIn: true,
    resources: [resourceOf(coordination.Lease, 'leases', 'Namespaced')],
  }),
  defineApi({
    group: 'discovery.k8s.io',
    builtIn: true,
    resources: [resourceOf(discovery.EndpointSlice, 'endpointslices', 'Namespaced')],
  }),
  defineApi({
    group: 'events.k8s.io',
    builtIn: true,
    resources: [resourceOf(events.Event, 'events', 'Namespaced')],
  }),
];
