import type { TokenRequest, TokenReview } from '@tributary/api/authentication-v1';
import type { EndpointRules } from '@tributary/apimachinery';
import type { Client } from '@tributary/client';
import type { ApiDefinition, Authorizer, ResourceDefinition } from '@tributary/server';
import { defineApi } from '@tributary/server/definition';
import type { AddressPool } from '../addresses/address-pool.ts';
import type { IssueRequest } from '../authentication/index.ts';
import {
  APIEXTENSIONS_GROUP,
  customResourceDefinitionKind,
} from '../custom-resources/definition/definition-kind.ts';
import { FLOW_CONTROL_GROUP } from '../flow-control/bootstrap-objects.ts';
import { admissionKinds } from '../kinds/admissionregistration/admission-kinds.ts';
import { deploymentKind } from '../kinds/apps/deployment/kind.ts';
import { flowSchemaKind } from '../kinds/flowcontrol/flow-schema/kind.ts';
import { priorityLevelKind } from '../kinds/flowcontrol/priority-level-configuration/kind.ts';
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
} from '../kinds/index-a.ts';
import {
  certificateSigningRequestKind,
  eventKinds,
  leaseKind,
  rbacKinds,
  reviewKinds,
} from '../kinds/index-b.ts';
import { networkPolicyKind } from '../kinds/networking/network-policy/kind.ts';
import { bindingKind, podKind, storedKinds } from '../kinds/stored-index.ts';
import { upstreamKeyPrefix } from '../kinds/upstream-keys.ts';
import type { RbacIndex } from '../rbac/rbac-index.ts';
import type { RulesResolver } from '../rbac/rules-listing.ts';
import { storedRole } from '../rbac/stored-role.ts';

/** What the kinds of a control plane need of the server that serves them. */
interface ApiParts {
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
  return [
    ownApi('', [
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
    ]),
    ownApi('apps', [deploymentKind, ...storedKinds.apps]),
    ownApi('events.k8s.io', [events.newEvent]),
    ownApi('authentication.k8s.io', [reviews.tokenReview, reviews.selfSubjectReview]),
    ownApi('authorization.k8s.io', [
      reviews.subjectAccessReview,
      reviews.localSubjectAccessReview,
      reviews.selfSubjectAccessReview,
      reviews.selfSubjectRulesReview,
    ]),
    ownApi('autoscaling', storedKinds.autoscaling),
    ownApi('batch', storedKinds.batch),
    ownApi('certificates.k8s.io', [certificateSigningRequestKind({ authorize, nowMs })]),
    ownApi('networking.k8s.io', [networkPolicyKind, ...storedKinds.networking]),
    ownApi('policy', storedKinds.policy),
    ownApi('rbac.authorization.k8s.io', [
      rbac.clusterRole,
      rbac.clusterRoleBinding,
      rbac.role,
      rbac.roleBinding,
    ]),
    ownApi('storage.k8s.io', storedKinds.storage),
    // It has a server of its own at the original, with keys like anybody's.
    defineApi({
      group: APIEXTENSIONS_GROUP,
      builtIn: true,
      resources: [customResourceDefinitionKind(parts)],
    }),
    ownApi('admissionregistration.k8s.io', admissionKinds),
    ownApi('scheduling.k8s.io', storedKinds.scheduling),
    ownApi('coordination.k8s.io', [leaseKind()]),
    ownApi('node.k8s.io', storedKinds.node),
    ownApi('discovery.k8s.io', [endpointSliceKind(parts.endpointRules)]),
    ownApi(FLOW_CONTROL_GROUP, [flowSchemaKind(), priorityLevelKind()]),
  ];
}

function ownApi(group: string, resources: readonly ResourceDefinition[]): ApiDefinition {
  const errorKeyPrefix = (resource: string) => upstreamKeyPrefix({ group, resource });
  return defineApi({ group, builtIn: true, resources, errorKeyPrefix, reportsErrorsOnce: true });
}
