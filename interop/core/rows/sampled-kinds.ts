/** Every kind whose objects clients create and keep, with what its rows send. */
import type { RowGroup } from '../../differential/row.ts';
import type { Kind } from '../kinds.ts';
import * as all from '../kinds.ts';
import { apiServices } from './api-services.ts';
import { certificates } from './certificates.ts';
import { configMaps, secrets } from './config.ts';
import { endpointSlices, endpoints } from './endpoints.ts';
import { events, leases, newEvents } from './events-leases.ts';
import { priorityLevels } from './flow-control.ts';
import { namespaces } from './namespaces.ts';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from './rbac-kinds.ts';
import { type KindSample, sampleOf } from './samples.ts';
import { serviceAccounts } from './service-accounts.ts';
import { services } from './services.ts';
import { deployments, networkPolicies } from './workloads.ts';

export interface SampledKind {
  readonly kind: Kind;
  readonly sample: KindSample;
}

const grouped: readonly (readonly [Kind, RowGroup])[] = [
  [all.Namespace, namespaces],
  [all.ConfigMap, configMaps],
  [all.Secret, secrets],
  [all.Service, services],
  [all.Endpoints, endpoints],
  [all.EndpointSlice, endpointSlices],
  [all.ServiceAccount, serviceAccounts],
  [all.Event, events],
  [all.NewEvent, newEvents],
  [all.Lease, leases],
  [all.Role, roles],
  [all.ClusterRole, clusterRoles],
  [all.RoleBinding, roleBindings],
  [all.ClusterRoleBinding, clusterRoleBindings],
  [all.CertificateSigningRequest, certificates],
  [all.PriorityLevelConfiguration, priorityLevels],
  [all.Deployment, deployments],
  [all.NetworkPolicy, networkPolicies],
  [all.APIService, apiServices],
];

/** Without FlowSchemas: the original writes to each of them a moment after every write. */
export const sampledKinds: readonly SampledKind[] = grouped.map(([kind, group]) => ({
  kind,
  sample: sampleOf(kind, group),
}));
