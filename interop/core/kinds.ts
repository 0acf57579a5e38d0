/** The kinds of the control plane that rows are about. */
import type { JsonObject } from '../differential/json.ts';
import { storedKinds } from './stored-kinds.ts';

export interface Kind {
  /** How rows and the conformance table refer to it. */
  id: string;
  kind: string;
  apiVersion: string;
  plural: string;
  namespaced: boolean;
  /** Of a kind whose names say what its spec says. */
  named?: {
    /** Follows every name. */
    suffix: string;
    specOf(name: string): JsonObject;
  };
}

const RBAC = 'rbac.authorization.k8s.io/v1';
const AUTHENTICATION = 'authentication.k8s.io/v1';
const AUTHORIZATION = 'authorization.k8s.io/v1';

export const Namespace = cluster('Namespace', 'v1', 'namespaces');
export const ConfigMap = namespaced('ConfigMap', 'v1', 'configmaps');
export const Secret = namespaced('Secret', 'v1', 'secrets');
export const Service = namespaced('Service', 'v1', 'services');
export const Endpoints = namespaced('Endpoints', 'v1', 'endpoints');
export const EndpointSlice = namespaced('EndpointSlice', 'discovery.k8s.io/v1', 'endpointslices');
export const ServiceAccount = namespaced('ServiceAccount', 'v1', 'serviceaccounts');
export const Event = namespaced('Event', 'v1', 'events');
export const NewEvent: Kind = {
  ...namespaced('Event', 'events.k8s.io/v1', 'events'),
  id: 'events.events.k8s.io',
};
export const Lease = namespaced('Lease', 'coordination.k8s.io/v1', 'leases');
export const Role = namespaced('Role', RBAC, 'roles');
export const ClusterRole = cluster('ClusterRole', RBAC, 'clusterroles');
export const RoleBinding = namespaced('RoleBinding', RBAC, 'rolebindings');
export const ClusterRoleBinding = cluster('ClusterRoleBinding', RBAC, 'clusterrolebindings');
export const CertificateSigningRequest = cluster(
  'CertificateSigningRequest',
  'certificates.k8s.io/v1',
  'certificatesigningrequests',
);
export const ComponentStatus = cluster('ComponentStatus', 'v1', 'componentstatuses');
export const TokenReview = cluster('TokenReview', AUTHENTICATION, 'tokenreviews');
export const SelfSubjectReview = cluster('SelfSubjectReview', AUTHENTICATION, 'selfsubjectreviews');
export const SubjectAccessReview = cluster(
  'SubjectAccessReview',
  AUTHORIZATION,
  'subjectaccessreviews',
);
export const LocalSubjectAccessReview = namespaced(
  'LocalSubjectAccessReview',
  AUTHORIZATION,
  'localsubjectaccessreviews',
);
export const SelfSubjectAccessReview = cluster(
  'SelfSubjectAccessReview',
  AUTHORIZATION,
  'selfsubjectaccessreviews',
);
export const SelfSubjectRulesReview = cluster(
  'SelfSubjectRulesReview',
  AUTHORIZATION,
  'selfsubjectrulesreviews',
);

const FLOW_CONTROL = 'flowcontrol.apiserver.k8s.io/v1';
export const FlowSchema = cluster('FlowSchema', FLOW_CONTROL, 'flowschemas');
export const PriorityLevelConfiguration = cluster(
  'PriorityLevelConfiguration',
  FLOW_CONTROL,
  'prioritylevelconfigurations',
);
export const Deployment = namespaced('Deployment', 'apps/v1', 'deployments');
export const NetworkPolicy = namespaced('NetworkPolicy', 'networking.k8s.io/v1', 'networkpolicies');

const ADMISSION = 'admissionregistration.k8s.io/v1';
export const ValidatingWebhookConfiguration = cluster(
  'ValidatingWebhookConfiguration',
  ADMISSION,
  'validatingwebhookconfigurations',
);
export const MutatingWebhookConfiguration = cluster(
  'MutatingWebhookConfiguration',
  ADMISSION,
  'mutatingwebhookconfigurations',
);
export const ValidatingAdmissionPolicy = cluster(
  'ValidatingAdmissionPolicy',
  ADMISSION,
  'validatingadmissionpolicies',
);
export const ValidatingAdmissionPolicyBinding = cluster(
  'ValidatingAdmissionPolicyBinding',
  ADMISSION,
  'validatingadmissionpolicybindings',
);
export const MutatingAdmissionPolicy = cluster(
  'MutatingAdmissionPolicy',
  ADMISSION,
  'mutatingadmissionpolicies',
);
export const MutatingAdmissionPolicyBinding = cluster(
  'MutatingAdmissionPolicyBinding',
  ADMISSION,
  'mutatingadmissionpolicybindings',
);

/** Every row has a version of its own, of a group that all share. */
export const APIService: Kind = {
  ...cluster('APIService', 'apiregistration.k8s.io/v1', 'apiservices'),
  named: {
    suffix: '.rows.example.com',
    specOf: (name) => ({ group: 'rows.example.com', version: `{ns}-${name}` }),
  },
};

/** Every row has a group of its own, so that names meet only where a row wants them to. */
export const CustomResourceDefinition: Kind = {
  ...cluster('CustomResourceDefinition', 'apiextensions.k8s.io/v1', 'customresourcedefinitions'),
  named: {
    suffix: '.{ns}.example.com',
    specOf: (name) => ({
      group: '{ns}.example.com',
      scope: 'Namespaced',
      names: { plural: `{ns}-${name}`, kind: `Thing${name.toUpperCase()}` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object' } },
        },
      ],
    }),
  },
};

export const kinds: readonly Kind[] = [
  Namespace,
  ConfigMap,
  Secret,
  Service,
  Endpoints,
  EndpointSlice,
  ServiceAccount,
  Event,
  NewEvent,
  Lease,
  Role,
  ClusterRole,
  RoleBinding,
  ClusterRoleBinding,
  CertificateSigningRequest,
  ComponentStatus,
  TokenReview,
  SelfSubjectReview,
  SubjectAccessReview,
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  FlowSchema,
  PriorityLevelConfiguration,
  Deployment,
  NetworkPolicy,
  ValidatingWebhookConfiguration,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ...storedKinds,
  APIService,
  CustomResourceDefinition,
];

export function groupOf({ apiVersion }: Kind): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}

/** Where the group and version are served. */
export function baseOf({ apiVersion }: Kind): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

function namespaced(kind: string, apiVersion: string, plural: string): Kind {
  return { id: plural, kind, apiVersion, plural, namespaced: true };
}

function cluster(kind: string, apiVersion: string, plural: string): Kind {
  return { id: plural, kind, apiVersion, plural, namespaced: false };
}
