import type { KubeObject } from '@tributary/apimachinery';

/** The group of all four kinds. */
export const RBAC_GROUP = 'rbac.authorization.k8s.io';
export const RBAC_API_VERSION = `${RBAC_GROUP}/v1`;
/** May do everything, before any role is looked at. */
export const MASTERS_GROUP = 'system:masters';

/** Allows actions; nothing ever forbids one. Either about resources or about paths that are none. */
export interface PolicyRule {
  verbs?: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

/** The selector as it stands in objects, unlike the text of a query. */
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
