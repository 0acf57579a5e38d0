import type { Client } from '@tributary/client';
import { type ApiDefinition, type Authorizer, defineApi } from '@tributary/server';
import type { AddressPool } from './addresses/address-pool.ts';
import type { EndpointRules } from './addresses/validate-ip.ts';
import type { IssueRequest } from './authentication/index.ts';
import { storedRole } from './controllers/stored-role.ts';
import {
  APIEXTENSIONS_GROUP,
  customResourceDefinitionKind,
} from './custom-resources/definition/definition-kind.ts';
import { FLOW_CONTROL_GROUP } from './flow-control/bootstrap-objects.ts';
import type { TokenRequest, TokenReview } from './generated/authentication-v1.ts';
import { admissionKinds } from './kinds/admission-registration/admission-kinds.ts';
import { deploymentKind } from './kinds/deployment/deployment-kind.ts';
import { flowSchemaKind } from './kinds/flow-control/flow-schema-kind.ts';
import { priorityLevelKind } from './kinds/flow-control/priority-level-kind.ts';
import {
  type ComponentHealth,
  componentStatusKind,
  configMapKind,
  endpointSliceKind,
  endpointsKind,
  namespaceKind,
  secretKind,
  serviceAccountKind,
  serviceKind,
} from './kinds/index-a.ts';
import {
  certificateSigningRequestKind,
  eventKinds,
  leaseKind,
  rbacKinds,
  reviewKinds,
} from './kinds/index-b.ts';
import { networkPolicyKind } from './kinds/network-policy/network-policy-kind.ts';
import { bindingKind, podKind, storedKinds } from './kinds/stored/index.ts';
import type { RbacIndex } from './rbac/rbac-index.ts';
import type { RulesResolver } from './rbac/rules-listing.ts';

/** What the kinds of a control plane need of the server that serves them. */
export interface ApiParts {
  readonly authorize: Authorizer;
  readonly index: RbacIndex;
  /** All that somebody may do. */
  readonly rulesFor: RulesResolver;
  /** The server itself, once it is there. */
  readonly client: () => Client;
  readonly addresses: AddressPool;
  readonly endpointRules: EndpointRules;
  readonly eventTtlSeconds: number;
  readonly requestToken: (request: IssueRequest) => Promise<TokenRequest>;
  readonly reviewToken: (review: TokenReview) => Promise<TokenReview>;
  readonly componentHealth: (signal: AbortSignal) => Promise<readonly ComponentHealth[]>;
  readonly nowMs: () => number;
}

export { namespaceKind };

/** Everything that a control plane serves, the groups in the order of their priority. */
export function coreApis(parts: ApiParts): readonly ApiDefinition[] {
  const { authorize, index, client, nowMs } = parts;
  const events = eventKinds({ ttlSeconds: parts.eventTtlSeconds });
  const reviews = reviewKinds(parts);
  const accounts = serviceAccountKind(parts);
  const rbac = rbacKinds({
    authorize,
    rulesFor: (user, namespace) => index.rulesFor(user, namespace),
    roleOf: (ref, namespace) => storedRole(client(), ref, namespace),
  });
  const builtIn = true;
  return [
    defineApi({
      group: '',
      builtIn,
      resources: [
        componentStatusKind(parts),
        configMapKind,
        endpointsKind(parts.endpointRules),
        events.event,
        namespaceKind,
        secretKind,
        bindingKind(parts),
        podKind(accounts, parts),
        accounts,
        serviceKind(parts),
        ...storedKinds.core,
      ],
    }),
    defineApi({ group: 'apps', builtIn, resources: [deploymentKind, ...storedKinds.apps] }),
    defineApi({ group: 'events.k8s.io', builtIn, resources: [events.newEvent] }),
    defineApi({
      group: 'authentication.k8s.io',
      builtIn,
      resources: [reviews.tokenReview, reviews.selfSubjectReview],
    }),
    defineApi({
      group: 'authorization.k8s.io',
      builtIn,
      resources: [
        reviews.subjectAccessReview,
        reviews.localSubjectAccessReview,
        reviews.selfSubjectAccessReview,
        reviews.selfSubjectRulesReview,
      ],
    }),
    defineApi({ group: 'autoscaling', builtIn, resources: storedKinds.autoscaling }),
    defineApi({ group: 'batch', builtIn, resources: storedKinds.batch }),
    defineApi({
      group: 'certificates.k8s.io',
      builtIn,
      resources: [certificateSigningRequestKind({ authorize, nowMs })],
    }),
    defineApi({
      group: 'networking.k8s.io',
      builtIn,
      resources: [networkPolicyKind, ...storedKinds.networking],
    }),
    defineApi({ group: 'policy', builtIn, resources: storedKinds.policy }),
    defineApi({
      group: 'rbac.authorization.k8s.io',
      builtIn,
      resources: [rbac.clusterRole, rbac.clusterRoleBinding, rbac.role, rbac.roleBinding],
    }),
    defineApi({ group: 'storage.k8s.io', builtIn, resources: storedKinds.storage }),
    defineApi({
      group: APIEXTENSIONS_GROUP,
      builtIn,
      resources: [customResourceDefinitionKind(parts)],
    }),
    defineApi({ group: 'admissionregistration.k8s.io', builtIn, resources: admissionKinds }),
    defineApi({ group: 'scheduling.k8s.io', builtIn, resources: storedKinds.scheduling }),
    defineApi({ group: 'coordination.k8s.io', builtIn, resources: [leaseKind()] }),
    defineApi({ group: 'node.k8s.io', builtIn, resources: storedKinds.node }),
    defineApi({
      group: 'discovery.k8s.io',
      builtIn,
      resources: [endpointSliceKind(parts.endpointRules)],
    }),
    defineApi({
      group: FLOW_CONTROL_GROUP,
      builtIn,
      resources: [flowSchemaKind(), priorityLevelKind()],
    }),
  ];
}
