/** Asks the original: it is given the fixture's policy, and asked as each of the users. */
import type { AccessInfo, UserInfo } from '@tributary/server';
import { RBAC_RESOURCES } from '../../packages/core-server/src/rbac/bootstrap-policy.ts';
import type { RbacResource } from '../../packages/core-server/src/rbac/types.ts';
import { namespaces, policy, users } from '../../packages/core-server/test/policy-fixture.ts';
import { eventually, httpsRequest, type Response } from '../../test/harness/index.ts';
import type { ServerAccess } from '../stack.ts';
import type { PolicyCase } from './cases.ts';
import { ACCEPTED, type PolicyResult, refusedAs } from './policy-result.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
/** Its authorizer learns of roles and bindings a moment after they are stored. */
const KNOWN = { withinMs: 60_000, everyMs: 50 };

export async function givePolicy(server: ServerAccess): Promise<void> {
  for (const name of namespaces) await create(server, '/api/v1/namespaces', { metadata: { name } });
  for (const resource of RBAC_RESOURCES) {
    for (const object of policy[resource]) {
      await create(server, collection(resource, object.metadata.namespace), object);
    }
  }
  await eventually('the policy is known', () => isKnown(server), KNOWN);
}

/** The last objects of each resource. */
async function isKnown(server: ServerAccess): Promise<boolean> {
  const ask = async (user: UserInfo, info: Partial<AccessInfo>): Promise<boolean> => {
    const blank = { isResourceRequest: true, verb: 'get', group: '', version: '', namespace: '' };
    const rest = { resource: '', subresource: '', name: '', path: '', fieldSelector: '' };
    const response = await reviewAccess(server, user, {
      ...blank,
      ...rest,
      labelSelector: '',
      ...info,
    });
    return response.allowed;
  };
  const { clusterAdmin, euBinder, euHolder } = users;
  return (
    (await ask(clusterAdmin, { resource: 'nodes' })) &&
    (await ask(euHolder, { resource: 'configmaps', namespace: 'eu' })) &&
    (await ask(euBinder, {
      verb: 'bind',
      group: 'rbac.authorization.k8s.io',
      resource: 'roles',
      namespace: 'eu',
    }))
  );
}

export interface ReviewedAccess {
  readonly allowed: boolean;
  readonly reason?: string;
}

export async function reviewAccess(
  server: ServerAccess,
  user: UserInfo,
  info: AccessInfo,
): Promise<ReviewedAccess> {
  const { verb, path, group, version, namespace, resource, subresource, name } = info;
  const attributes = info.isResourceRequest
    ? { resourceAttributes: { verb, group, version, namespace, resource, subresource, name } }
    : { nonResourceAttributes: { path, verb } };
  const spec = { user: user.name, groups: user.groups, ...attributes };
  const response = await send(server, 'POST', REVIEWS, { body: { spec } });
  if (response.status !== 201) throw new Error(`${response.status} ${response.body}`);
  const { status } = response.json() as { status: ReviewedAccess };
  return status;
}

export async function originalResult(
  server: ServerAccess,
  { as, resource, namespace, write }: PolicyCase,
): Promise<PolicyResult> {
  const { name, groups } = users[as];
  const headers = { 'impersonate-user': name, 'impersonate-group': groups };
  const path = collection(resource, namespace);
  const response =
    'create' in write
      ? await send(server, 'POST', `${path}?dryRun=All`, { body: write.create, headers })
      : await send(server, 'PATCH', `${path}/${encodeURIComponent(write.of)}?dryRun=All`, {
          body: JSON.stringify(write.patch),
          headers: { ...headers, 'content-type': 'application/merge-patch+json' },
        });
  return response.status < 300 ? ACCEPTED : refusedAs(response.json() as object);
}

function collection(resource: RbacResource, namespace: string | undefined): string {
  return namespace === undefined
    ? `${RBAC}/${resource}`
    : `${RBAC}/namespaces/${namespace}/${resource}`;
}

async function create(server: ServerAccess, path: string, body: unknown): Promise<void> {
  const response = await send(server, 'POST', path, { body });
  if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${response.body}`);
}

function send(
  { url, ca, admin }: ServerAccess,
  method: string,
  path: string,
  options: { body: unknown; headers?: Record<string, string | readonly string[]> },
): Promise<Response> {
  return httpsRequest(url + path, { method, ca, ...admin, ...options });
}
