import assert from 'node:assert/strict';
import test from 'node:test';
import type { TypedKind } from '@tributary/server';
import type { GoStructType, GoType } from '../../server/src/schema/typed/go-type.ts';
import { descriptionOf } from '../../server/src/schema/typed/typed-schema.ts';
import * as apiregistrationWords from '../src/descriptions/apiregistration-v1.ts';
import * as appsWords from '../src/descriptions/apps-v1.ts';
import * as authenticationWords from '../src/descriptions/authentication-v1.ts';
import * as authorizationWords from '../src/descriptions/authorization-v1.ts';
import * as autoscalingWords from '../src/descriptions/autoscaling-v1.ts';
import * as batchWords from '../src/descriptions/batch-v1.ts';
import * as certificatesWords from '../src/descriptions/certificates-v1.ts';
import * as coordinationWords from '../src/descriptions/coordination-v1.ts';
import * as coreWords from '../src/descriptions/core-v1.ts';
import * as discoveryWords from '../src/descriptions/discovery-v1.ts';
import * as eventsWords from '../src/descriptions/events-v1.ts';
import * as flowcontrolWords from '../src/descriptions/flowcontrol-v1.ts';
import * as metaWords from '../src/descriptions/meta-v1.ts';
import * as networkingWords from '../src/descriptions/networking-v1.ts';
import * as nodeWords from '../src/descriptions/node-v1.ts';
import * as policyWords from '../src/descriptions/policy-v1.ts';
import * as rbacWords from '../src/descriptions/rbac-v1.ts';
import * as schedulingWords from '../src/descriptions/scheduling-v1.ts';
import * as apiregistration from '../src/generated/apiregistration-v1.ts';
import * as apps from '../src/generated/apps-v1.ts';
import * as authentication from '../src/generated/authentication-v1.ts';
import * as authorization from '../src/generated/authorization-v1.ts';
import * as autoscaling from '../src/generated/autoscaling-v1.ts';
import * as batch from '../src/generated/batch-v1.ts';
import * as certificates from '../src/generated/certificates-v1.ts';
import * as coordination from '../src/generated/coordination-v1.ts';
import * as core from '../src/generated/core-v1.ts';
import * as discovery from '../src/generated/discovery-v1.ts';
import * as events from '../src/generated/events-v1.ts';
import * as flowcontrol from '../src/generated/flowcontrol-v1.ts';
import { metaV1 } from '../src/generated/meta-v1.ts';
import * as networking from '../src/generated/networking-v1.ts';
import * as node from '../src/generated/node-v1.ts';
import * as policy from '../src/generated/policy-v1.ts';
import * as rbac from '../src/generated/rbac-v1.ts';
import * as scheduling from '../src/generated/scheduling-v1.ts';

/** Those that the control plane serves. */
const described: readonly TypedKind[] = [
  core.Namespace,
  core.ConfigMap,
  core.Secret,
  core.Service,
  core.Endpoints,
  core.ServiceAccount,
  core.Event,
  core.ComponentStatus,
  discovery.EndpointSlice,
  events.Event,
  coordination.Lease,
  rbac.Role,
  rbac.ClusterRole,
  rbac.RoleBinding,
  rbac.ClusterRoleBinding,
  certificates.CertificateSigningRequest,
  authentication.TokenReview,
  authentication.TokenRequest,
  authentication.SelfSubjectReview,
  authorization.SubjectAccessReview,
  authorization.LocalSubjectAccessReview,
  authorization.SelfSubjectAccessReview,
  authorization.SelfSubjectRulesReview,
  flowcontrol.FlowSchema,
  flowcontrol.PriorityLevelConfiguration,
];

/** Those whose pods and volumes have no words yet: only what is of their own group is described. */
const describedAlone: readonly TypedKind[] = [
  apiregistration.APIService,
  apps.ControllerRevision,
  apps.DaemonSet,
  apps.Deployment,
  apps.ReplicaSet,
  apps.StatefulSet,
  autoscaling.HorizontalPodAutoscaler,
  autoscaling.Scale,
  batch.CronJob,
  batch.Job,
  networking.IPAddress,
  networking.Ingress,
  networking.IngressClass,
  networking.NetworkPolicy,
  networking.ServiceCIDR,
  node.RuntimeClass,
  policy.Eviction,
  policy.PodDisruptionBudget,
  scheduling.PriorityClass,
];

test('every field of the served kinds is described', () => {
  const structs = structsOf(described.map(({ struct }) => struct));
  assert.deepEqual(structs.flatMap(undescribed), []);
});

test('every field of a group that is described is', () => {
  const structs = structsOf(describedAlone.map(({ struct }) => struct));
  const isOfCore = ({ definition }: GoStructType) => definition.startsWith('io.k8s.api.core.');
  assert.deepEqual(structs.filter((struct) => !isOfCore(struct)).flatMap(undescribed), []);
});

function undescribed(struct: GoStructType): string[] {
  return [
    ...(struct.describe() === undefined ? [struct.definition] : []),
    ...struct.fields
      .filter((field) => descriptionOf(field) === undefined)
      .map((field) => `${struct.definition}.${field.name}`),
  ];
}

const words = [
  { source: apiregistration.apiregistrationV1, ...apiregistrationWords },
  { source: apps.appsV1, ...appsWords },
  { source: autoscaling.autoscalingV1, ...autoscalingWords },
  { source: batch.batchV1, ...batchWords },
  { source: networking.networkingV1, ...networkingWords },
  { source: node.nodeV1, ...nodeWords },
  { source: policy.policyV1, ...policyWords },
  { source: scheduling.schedulingV1, ...schedulingWords },
  { source: authentication.authenticationV1, ...authenticationWords },
  { source: authorization.authorizationV1, ...authorizationWords },
  { source: certificates.certificatesV1, ...certificatesWords },
  { source: coordination.coordinationV1, ...coordinationWords },
  { source: core.coreV1, ...coreWords },
  { source: discovery.discoveryV1, ...discoveryWords },
  { source: events.eventsV1, ...eventsWords },
  { source: flowcontrol.flowcontrolV1, ...flowcontrolWords },
  { source: metaV1, ...metaWords },
  { source: rbac.rbacV1, ...rbacWords },
];

for (const { source, descriptions } of words) {
  test(`what is described in ${source.path} exists`, () => {
    for (const key of Object.keys(descriptions)) {
      const [type = '', field] = key.split('.');
      const struct = source.type(type);
      assert.equal(struct.kind, 'struct', key);
      if (field !== undefined) assert.ok((struct as GoStructType).byName.has(field), key);
    }
  });
}

/** Without the metadata of objects, which has its words elsewhere. */
function structsOf(roots: readonly GoStructType[]): GoStructType[] {
  const found = new Set(roots);
  const visit = (type: GoType): void => {
    if ('element' in type) visit(type.element);
    else if (type.kind === 'struct' && type.bareName !== 'ObjectMeta') found.add(type);
  };
  // A set that grows while it is walked.
  for (const struct of found) for (const field of struct.fields) visit(field.type);
  return [...found];
}
