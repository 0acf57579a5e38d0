/**
 * Nobody gives away what they do not have. Who may write roles or bindings is asked once more what the role
 * allows, and must hold all of it, or be allowed to `escalate` or `bind`.
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
import { roleProblem, roleProblems } from './role-problem.ts';
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
  /** Everything the user holds in a namespace. Where it is empty, in the whole cluster. */
  readonly rulesFor: (user: UserInfo, namespace: string) => HeldRules | Promise<HeldRules>;
  /** The rules of a role that a binding in `namespace` refers to; undefined when there is none. */
  readonly roleOf: (
    ref: RoleRef,
    namespace: string,
  ) => readonly PolicyRule[] | undefined | Promise<readonly PolicyRule[] | undefined>;
  /** The authorizer failed; the user is then taken for one who may not. */
  readonly reportError?: (error: unknown) => void;
}

interface Writer {
  readonly user: UserInfo;
  /** The namespace in the URL; absent or empty for cluster-scoped kinds. */
  readonly namespace?: string;
}

interface RoleWrite extends Writer {
  readonly role: ClusterRole | Role;
  /** Absent for a new one. */
  readonly oldRole?: ClusterRole | Role;
  /** The name in the URL, which a POST has not: `escalate` on a named role helps to create it by PUT or apply only. */
  readonly requestName?: string;
}

interface BindingWrite extends Writer {
  readonly binding: RoleBinding;
  readonly oldBinding?: RoleBinding;
}

const EVERYTHING: readonly PolicyRule[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
];

/** Throws 403 when the rules of a role exceed those of its writer. */
export async function checkRole(write: RoleWrite, sources: EscalationSources): Promise<void> {
  const { user, role, oldRole, namespace = '' } = write;
  if (isMaster(user)) return;
  const resource = namespace === '' ? 'clusterroles' : 'roles';
  const escalate = accessInfo({
    verb: 'escalate',
    resource,
    namespace,
    name: write.requestName ?? '',
  });
  if (await isAllowed(user, escalate, sources)) return;
  if (oldRole !== undefined && changesOnlyOwnership(role, oldRole)) return;
  const name = role.metadata.name ?? '';
  const held = await sources.rulesFor(user, namespace);
  confirmHeld({ resource, name, user, held, wanted: role.rules ?? [] });
  if (!isAggregated(role) && !isAggregated(oldRole)) return;
  // It gathers anything, and whoever changes it may keep a role from becoming tighter.
  if (uncoveredRules(held.rules, EVERYTHING).length > 0) {
    throw refuse(resource, name, 'must have cluster-admin privileges to use the aggregationRule');
  }
}

/** Throws 403 when the role exceeds what the writer holds, and 404 when there is no such role to compare with. */
export async function checkBinding(write: BindingWrite, sources: EscalationSources): Promise<void> {
  const { user, binding, oldBinding, namespace = '' } = write;
  if (isMaster(user)) return;
  if (oldBinding !== undefined && changesOnlyOwnership(binding, oldBinding)) return;
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
  confirmHeld({ resource, name: binding.metadata.name ?? '', user, held, wanted });
}

function isMaster({ groups }: UserInfo): boolean {
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

interface Grant {
  readonly resource: RbacResource;
  readonly name: string;
  readonly user: UserInfo;
  readonly held: HeldRules;
  readonly wanted: readonly PolicyRule[];
}

function confirmHeld({ resource, name, user, held, wanted }: Grant): void {
  const uncovered = uncoveredRules(held.rules, wanted);
  if (uncovered.length === 0) return;
  const who = `user ${goQuote(user.name)} (groups=${quoteList(user.groups)})`;
  const what = describeRules(uncovered).join('\n');
  const problems = roleProblems(held.missing, resource);
  const suffix = problems === undefined ? '' : `; resolution errors: [${problems}]`;
  throw refuse(
    resource,
    name,
    `${who} is attempting to grant RBAC permissions not currently held:\n${what}${suffix}`,
  );
}

function refuse(resource: RbacResource, name: string, why: string): StatusError {
  return forbidden({ group: RBAC_GROUP, resource }, name, why);
}

/** Upstream names the resource of the request, although it is the role that was not found. */
function missingRole(ref: RoleRef, requested: RbacResource): StatusError {
  if (boundResource(ref) === undefined) return plainError(roleProblem(ref));
  return notFound({ group: RBAC_GROUP, resource: requested }, ref.name ?? '');
}

function boundResource({ kind }: RoleRef): 'roles' | 'clusterroles' | undefined {
  if (kind === 'ClusterRole') return 'clusterroles';
  return kind === 'Role' ? 'roles' : undefined;
}

function isAggregated(role: ClusterRole | undefined): boolean {
  return (role?.aggregationRule?.clusterRoleSelectors?.length ?? 0) > 0;
}

/** The garbage collector changes owners and finalizers of objects whose content is not its own. */
function changesOnlyOwnership(next: Role | RoleBinding, previous: Role | RoleBinding): boolean {
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
