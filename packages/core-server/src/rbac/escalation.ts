/**
 * Prevents privilege escalation: writers of roles and bindings must hold every permission of the role, or have the verb
 * `escalate` or `bind` on it.
 */
import {
  forbidden,
  goQuote,
  notFound,
  plainError,
  type StatusError,
} from '@tributary/apimachinery';
import type { AccessInfo, Authorizer, UserInfo } from '@tributary/server';
import { uncoveredRules } from './cover-rules.ts';
import { describeRules, quoteList } from './describe-rules.ts';
import type { HeldRules } from './rbac-index.ts';
import { roleRefError, roleRefErrors } from './role-ref-errors.ts';
import { isSemanticallyEqual } from './semantic-equality.ts';
import {
  type ClusterRole,
  MASTERS_GROUP,
  type PolicyRule,
  RBAC_GROUP,
  type RbacResource,
  type Role,
  type RoleBinding,
  type RoleRef,
} from './types.ts';

export interface EscalationSources {
  readonly authorize: Authorizer;
  /** All rules of the user in a namespace; with an empty namespace, in the whole cluster. */
  readonly rulesFor: (user: UserInfo, namespace: string) => HeldRules | Promise<HeldRules>;
  /** The rules of the role that a binding in `namespace` refers to; undefined when the role does not exist. */
  readonly roleOf: (
    ref: RoleRef,
    namespace: string,
  ) => readonly PolicyRule[] | undefined | Promise<readonly PolicyRule[] | undefined>;
  /** Called when the authorizer failed, which counts as a denial. */
  readonly reportError?: (error: unknown) => void;
}

interface Requester {
  readonly user: UserInfo;
  /** The namespace in the URL; absent or empty for cluster-scoped kinds. */
  readonly namespace?: string;
}

interface RoleWrite extends Requester {
  readonly role: ClusterRole | Role;
  /** Absent for a create. */
  readonly oldRole?: ClusterRole | Role;
  /** The name in the URL, empty for a POST: `escalate` on a named role permits to create it by PUT or apply only. */
  readonly requestName?: string;
}

interface BindingWrite extends Requester {
  readonly binding: RoleBinding;
  readonly oldBinding?: RoleBinding;
}

const EVERYTHING: readonly PolicyRule[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
];

/** Throws 403 when the rules of a role exceed those of the user. */
export async function checkRole(write: RoleWrite, sources: EscalationSources): Promise<void> {
  const { user, role, oldRole, namespace = '' } = write;
  if (isPrivileged(user)) return;
  const resource = namespace === '' ? 'clusterroles' : 'roles';
  const escalate = accessInfo({
    verb: 'escalate',
    resource,
    namespace,
    name: write.requestName ?? '',
  });
  if (await isAllowed(user, escalate, sources)) return;
  if (oldRole !== undefined && changesOnlyOwners(role, oldRole)) return;
  const name = role.metadata.name ?? '';
  const held = await sources.rulesFor(user, namespace);
  requireHeld({ resource, name, user, held, wanted: role.rules ?? [] });
  if (!isAggregated(role) && !isAggregated(oldRole)) return;
  // An aggregated role can get any rule, and a change of its selectors may keep rules that should go.
  if (uncoveredRules(held.rules, EVERYTHING).length > 0) {
    throw escalationError(
      resource,
      name,
      'must have cluster-admin privileges to use the aggregationRule',
    );
  }
}

/** Throws 403 when the role exceeds the rules of the user, and 404 when the role does not exist. */
export async function checkBinding(write: BindingWrite, sources: EscalationSources): Promise<void> {
  const { user, binding, oldBinding, namespace = '' } = write;
  if (isPrivileged(user)) return;
  if (oldBinding !== undefined && changesOnlyOwners(binding, oldBinding)) return;
  const { roleRef } = binding;
  const bound = boundResource(roleRef);
  if (bound !== undefined) {
    const name = roleRef.name ?? '';
    const group = roleRef.apiGroup ?? '';
    const bind = { ...accessInfo({ verb: 'bind', resource: bound, namespace, name }), group };
    if (await isAllowed(user, bind, sources)) return;
  }
  const resource = namespace === '' ? 'clusterrolebindings' : 'rolebindings';
  const wanted = await sources.roleOf(roleRef, namespace);
  if (wanted === undefined) throw missingRole(roleRef, resource);
  const held = await sources.rulesFor(user, namespace);
  requireHeld({ resource, name: binding.metadata.name ?? '', user, held, wanted });
}

function isPrivileged({ groups }: UserInfo): boolean {
  return groups.includes(MASTERS_GROUP);
}

async function isAllowed(
  user: UserInfo,
  info: AccessInfo,
  { authorize, reportError }: EscalationSources,
): Promise<boolean> {
  try {
    return (await authorize({ user, info })).allowed;
  } catch (error) {
    reportError?.(error);
    return false;
  }
}

function accessInfo(
  about: Pick<AccessInfo, 'verb' | 'resource' | 'namespace' | 'name'>,
): AccessInfo {
  return {
    isResourceRequest: true,
    path: '',
    group: RBAC_GROUP,
    version: '*',
    subresource: '',
    fieldSelector: '',
    labelSelector: '',
    ...about,
  };
}

interface HeldCheck {
  readonly resource: RbacResource;
  readonly name: string;
  readonly user: UserInfo;
  readonly held: HeldRules;
  readonly wanted: readonly PolicyRule[];
}

function requireHeld({ resource, name, user, held, wanted }: HeldCheck): void {
  const uncovered = uncoveredRules(held.rules, wanted);
  if (uncovered.length === 0) return;
  const requester = `user ${goQuote(user.name)} (groups=${quoteList(user.groups)})`;
  const missing = describeRules(uncovered).join('\n');
  const problems = roleRefErrors(held.missing, resource);
  const suffix = problems === undefined ? '' : `; resolution errors: [${problems}]`;
  throw escalationError(
    resource,
    name,
    `${requester} is attempting to grant RBAC permissions not currently held:\n${missing}${suffix}`,
  );
}

function escalationError(resource: RbacResource, name: string, why: string): StatusError {
  return forbidden({ group: RBAC_GROUP, resource }, name, why);
}

/** Upstream names the resource of the request, although the role was not found. */
function missingRole(ref: RoleRef, requested: RbacResource): StatusError {
  if (boundResource(ref) === undefined) return plainError(roleRefError(ref));
  return notFound({ group: RBAC_GROUP, resource: requested }, ref.name ?? '');
}

function boundResource({ kind }: RoleRef): 'roles' | 'clusterroles' | undefined {
  if (kind === 'ClusterRole') return 'clusterroles';
  return kind === 'Role' ? 'roles' : undefined;
}

function isAggregated(role: ClusterRole | undefined): boolean {
  return (role?.aggregationRule?.clusterRoleSelectors?.length ?? 0) > 0;
}

/** The garbage collector changes owners and finalizers of any object, without the rights to its content. */
function changesOnlyOwners(next: Role | RoleBinding, previous: Role | RoleBinding): boolean {
  const comparable = (object: Role | RoleBinding): unknown => {
    const {
      ownerReferences: _owners,
      finalizers: _finalizers,
      managedFields: _managers,
      resourceVersion: _version,
      ...metadata
    } = object.metadata;
    return { ...object, metadata };
  };
  return isSemanticallyEqual(comparable(next), comparable(previous));
}
