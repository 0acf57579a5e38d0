import type { KubeObject } from '@tributary/apimachinery';

/** The group of all four kinds. */
export const RBAC_GROUP = 'rbac.authorization.k8s.io';
export const RBAC_API_VERSION = `${RBAC_GROUP}/v1`;
/** Its members are authorized before RBAC. */
export const MASTERS_GROUP = 'system:masters';

/** Allows verbs, either on resources or on non-resource URLs. No rule denies. */
export interface PolicyRule {
  verbs?: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

/** The selector of an object's field, unlike the text of a query parameter. */
export interface LabelSelectorTerms {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorExpression[];
}

export interface LabelSelectorExpression {
  key: string;
  operator: string;
  values?: string[];
}

export interface AggregationRule {
  clusterRoleSelectors?: LabelSelectorTerms[];
}

export interface RoleRef {
  apiGroup?: string;
  kind?: string;
  name?: string;
}

export interface Subject {
  kind?: string;
  apiGroup?: string;
  name?: string;
  /** Of a service account. */
  namespace?: string;
}

export interface Role extends KubeObject {
  rules?: PolicyRule[] | null;
}

export interface ClusterRole extends Role {
  aggregationRule?: AggregationRule;
}

export interface RoleBinding extends KubeObject {
  subjects?: Subject[] | null;
  roleRef: RoleRef;
}

type ClusterRoleBinding = RoleBinding;

/** The four resources and their objects. */
export interface RbacObjects {
  roles: Role;
  clusterroles: ClusterRole;
  rolebindings: RoleBinding;
  clusterrolebindings: ClusterRoleBinding;
}

export type RbacResource = keyof RbacObjects;
