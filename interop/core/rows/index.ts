/** Every row, in the order in which they run. */
import type { Row, RowGroup } from '../../differential/row.ts';
import {
  mutatingBindings,
  mutatingPolicies,
  mutatingWebhooks,
  validatingBindings,
  validatingPolicies,
  validatingWebhooks,
} from './admission-registration.ts';
import { apiServices } from './api-services.ts';
import { applyKinds } from './apply-kinds.ts';
import { authEffects } from './auth-effects.ts';
import { authorization } from './authorization.ts';
import { certificates } from './certificates.ts';
import { configMaps, secrets } from './config.ts';
import { customResourceDefinitions } from './custom-resource-definitions.ts';
import { customResourceDefinitionSchemas } from './custom-resource-definitions-schemas.ts';
import { customGroups } from './custom-resources.ts';
import { endpointSlices, endpoints } from './endpoints.ts';
import { escalation } from './escalation.ts';
import { events, leases, newEvents } from './events-leases.ts';
import { flowSchemas, priorityLevels } from './flow-control.ts';
import { impersonation } from './impersonation.ts';
import { kindsEffects } from './kinds-effects.ts';
import { finalizers, updatesOfGone } from './metadata.ts';
import { namespaceLifecycle, namespaces } from './namespaces.ts';
import { openapiDocuments } from './openapi-documents.ts';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from './rbac-kinds.ts';
import { accessReviews, componentStatuses, identityReviews } from './reviews.ts';
import { authentication, discovery, endpoints as server } from './server.ts';
import { serviceAccounts, serviceAccountTokens } from './service-accounts.ts';
import { services } from './services.ts';
import { serviceEffects } from './services-effects.ts';
import { storedGroups } from './stored-kinds.ts';
import { tables } from './tables.ts';
import { watchStreams } from './watch-streams.ts';
import { deployments, networkPolicies } from './workloads.ts';

export const groups: readonly RowGroup[] = [
  discovery,
  server,
  authentication,
  namespaces,
  namespaceLifecycle,
  configMaps,
  secrets,
  services,
  serviceEffects,
  endpoints,
  endpointSlices,
  serviceAccounts,
  serviceAccountTokens,
  events,
  newEvents,
  leases,
  roles,
  clusterRoles,
  roleBindings,
  clusterRoleBindings,
  certificates,
  componentStatuses,
  identityReviews,
  accessReviews,
  authorization,
  escalation,
  impersonation,
  flowSchemas,
  priorityLevels,
  deployments,
  networkPolicies,
  validatingWebhooks,
  mutatingWebhooks,
  validatingPolicies,
  validatingBindings,
  mutatingPolicies,
  mutatingBindings,
  ...storedGroups,
  authEffects,
  apiServices,
  openapiDocuments,
  tables,
  watchStreams,
  finalizers,
  updatesOfGone,
  applyKinds,
  kindsEffects,
  // Last: every kind that they define makes the documents of all others longer.
  ...customGroups,
  customResourceDefinitions,
  customResourceDefinitionSchemas,
];

export const rows: readonly Row[] = groups.flatMap((group) => group.rows);
