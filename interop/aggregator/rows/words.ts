/** Steps that many rows have. */
import type { Json } from '../../differential/json.ts';
import type { RequestStep } from '../../differential/row.ts';

export const REGISTRATIONS = '/apis/apiregistration.k8s.io/v1/apiservices';

export interface RegistrationBody {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly [field: string]: Json };
}

export function named(group: string, version: string): string {
  return `${version}.${group}`;
}

/** A registration of a service that does not exist. */
export function unreachable(
  group: string,
  version: string,
  [groupPriorityMinimum, versionPriority]: readonly [number, number] = [1000, 15],
): RegistrationBody {
  return {
    metadata: { name: named(group, version) },
    spec: {
      group,
      version,
      groupPriorityMinimum,
      versionPriority,
      service: { namespace: 'default', name: 'none' },
      insecureSkipTLSVerify: true,
    },
  };
}

export function registered(body: RegistrationBody): RequestStep {
  const { metadata, spec } = body;
  const path = REGISTRATIONS;
  return {
    name: `register ${metadata.name}`,
    method: 'POST',
    path,
    body: { metadata, spec },
    setup: true,
  };
}

export function deleted(name: string): RequestStep {
  return {
    name: `delete ${name}`,
    method: 'DELETE',
    path: `${REGISTRATIONS}/${name}`,
    setup: true,
  };
}

const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const RBAC = 'rbac.authorization.k8s.io';

/** A user who may do everything in a group; the namespace of the row names the right. */
export function granted(user: string, group: string): RequestStep[] {
  const metadata = { name: '{ns}' };
  return [
    {
      name: 'the role',
      method: 'POST',
      path: ROLES,
      body: { metadata, rules: [{ apiGroups: [group], resources: ['*'], verbs: ['*'] }] },
      setup: true,
    },
    {
      name: 'its binding',
      method: 'POST',
      path: BINDINGS,
      body: {
        metadata,
        roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: '{ns}' },
        subjects: [{ apiGroup: RBAC, kind: 'User', name: user }],
      },
      setup: true,
    },
  ];
}

export function withdrawn(): RequestStep[] {
  return [ROLES, BINDINGS].map((path) => ({
    name: `delete ${path}`,
    method: 'DELETE',
    path: `${path}/{ns}`,
    setup: true,
  }));
}
