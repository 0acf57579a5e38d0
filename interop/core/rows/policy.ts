/** Roles, bindings and users for rows about permissions. */
import type { Json, JsonObject } from '../../differential/json.ts';
import type { RequestStep } from '../../differential/row.ts';
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '../kinds.ts';
import { type More, object, post } from './words.ts';

export const RBAC = 'rbac.authorization.k8s.io';
const PROBE: JsonObject = rule(['configmaps'], ['get'], { resourceNames: ['probe'] });

export function rule(
  resources: readonly string[],
  verbs: readonly string[],
  more: JsonObject = {},
): JsonObject {
  return { apiGroups: [''], resources, verbs, ...more };
}

export const ALICE: JsonObject = { kind: 'User', apiGroup: RBAC, name: 'alice' };
export const DEV: JsonObject = { kind: 'Group', apiGroup: RBAC, name: 'dev' };
/** A user that only this row knows, so that it may be given anything, in all namespaces. */
export const EVE: JsonObject = { kind: 'User', apiGroup: RBAC, name: '{ns}-eve' };
export const asEve: More = { headers: { 'impersonate-user': '{ns}-eve' } };

/** Gives a subject rules in the namespace of the row. The last step waits until the server knows. */
export function granted(
  subject: JsonObject,
  rules: readonly JsonObject[],
  who: More = { as: 'alice' },
): RequestStep[] {
  return [
    setup('role', post(Role, object(Role, { rules: [...rules, PROBE] }, 'granted'))),
    bound(subject, { kind: 'Role', name: 'granted' }),
    probe(who),
  ];
}

export function bound(subject: JsonObject, role: JsonObject): RequestStep {
  const fields = { roleRef: { apiGroup: RBAC, ...role }, subjects: [subject] };
  return setup('binding', post(RoleBinding, object(RoleBinding, fields, 'granted')));
}

/** Gives eve rules everywhere. */
export function grantedEve(
  rules: readonly JsonObject[],
  subject = EVE,
  who = asEve,
): RequestStep[] {
  const fields = {
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: '{ns}-granted' },
    subjects: [subject],
  };
  const all = { rules: [...rules, PROBE] };
  return [
    setup('role', post(ClusterRole, object(ClusterRole, all, 'granted'))),
    setup('binding', post(ClusterRoleBinding, object(ClusterRoleBinding, fields, 'granted'))),
    probe(who),
  ];
}

/** The ConfigMap does not exist: a user with permission gets 404, one without gets 403. */
function probe(more: More): RequestStep {
  const path = '/api/v1/namespaces/{ns}/configmaps/probe';
  return { name: 'probe', path, setup: true, until: 404, ...more };
}

function setup(name: string, step: RequestStep): RequestStep {
  return { ...step, name: `given-${name}`, setup: true };
}

/** A review of what a subject may do. */
export function review(spec: Json): RequestStep {
  return {
    name: 'review',
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec },
  };
}
