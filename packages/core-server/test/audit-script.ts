/** Requests sent to kube-apiserver and to this server with one audit policy, and the events that both log. */
import { readFile } from 'node:fs/promises';
import { eventually, httpsRequest } from '../../../test/harness/index.ts';

export const TOKENS = [
  'admin-token,admin,uid-of-admin,"system:masters"',
  'alice-token,alice,uid-of-alice,"dev"',
];
/** Credentials that must not appear in any log. */
export const SECRETS = ['admin-token', 'alice-token', 'wrong-token', 'query-token'];

const inAudit = { namespaces: ['audit'] };
const of = (group: string, ...resources: string[]) => ({ resources: [{ group, resources }] });

/** JSON is valid YAML. All levels, some rules with omitted stages and managed fields. */
export const POLICY = JSON.stringify({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitManagedFields: false,
  rules: [
    { level: 'None', userGroups: ['system:serviceaccounts'] },
    { level: 'None', users: ['system:apiserver', 'system:kube-controller-manager'] },
    {
      level: 'RequestResponse',
      ...inAudit,
      ...of('', 'configmaps'),
      omitStages: ['RequestReceived'],
      omitManagedFields: true,
    },
    { level: 'RequestResponse', ...inAudit, ...of('coordination.k8s.io', 'leases') },
    {
      level: 'Request',
      ...inAudit,
      ...of('', 'secrets', 'services'),
      omitStages: ['RequestReceived'],
    },
    { level: 'Metadata', ...inAudit, ...of('', 'serviceaccounts', 'serviceaccounts/*') },
    { level: 'None', ...inAudit, ...of('', 'endpoints') },
    { level: 'Metadata', nonResourceURLs: ['/version', '/api*'], omitStages: ['ResponseComplete'] },
    { level: 'Metadata', ...inAudit, verbs: ['get', 'list', 'watch'] },
  ],
});

interface AuditStep {
  /** The audit ID header of the request. */
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const configMaps = '/api/v1/namespaces/audit/configmaps';
const leases = '/apis/coordination.k8s.io/v1/namespaces/audit/leases';
const merge = { 'content-type': 'application/merge-patch+json' };
const apply = { 'content-type': 'application/apply-patch+yaml' };
const yaml = { 'content-type': 'application/yaml' };
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const configMap = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { k: '<v>' },
  ...more,
});

export const STEPS: readonly AuditStep[] = [
  { name: 'create', method: 'POST', path: configMaps, body: configMap('a') },
  { name: 'create-again', method: 'POST', path: configMaps, body: configMap('a') },
  {
    name: 'create-without-kind',
    method: 'POST',
    path: configMaps,
    body: { metadata: { name: 'b' } },
  },
  {
    name: 'create-generated',
    method: 'POST',
    path: `${configMaps}?dryRun=All`,
    body: { metadata: { generateName: 'g-' } },
  },
  { name: 'create-invalid', method: 'POST', path: configMaps, body: configMap('BAD') },
  { name: 'create-bad-json', method: 'POST', path: configMaps, body: '{' },
  { name: 'get', path: `${configMaps}/a` },
  { name: 'get-missing', path: `${configMaps}/missing` },
  { name: 'get-table', path: `${configMaps}/a`, headers: table },
  { name: 'list-selected', path: `${configMaps}?fieldSelector=metadata.name%3Da` },
  {
    name: 'update',
    method: 'PUT',
    path: `${configMaps}/a`,
    body: configMap('a', { data: { k: 'w' } }),
  },
  {
    name: 'update-conflict',
    method: 'PUT',
    path: `${configMaps}/a`,
    body: configMap('a', { metadata: { name: 'a', resourceVersion: '1' } }),
  },
  {
    name: 'patch',
    method: 'PATCH',
    path: `${configMaps}/a`,
    headers: merge,
    body: { data: { l: 'm' } },
  },
  {
    name: 'apply',
    method: 'PATCH',
    path: `${configMaps}/c?fieldManager=me`,
    headers: apply,
    body: configMap('c'),
  },
  {
    name: 'patch-of-no-type',
    method: 'PATCH',
    path: `${configMaps}/a`,
    headers: { 'content-type': 'text/plain' },
    body: 'x',
  },
  { name: 'denied', path: configMaps, token: 'alice-token' },
  {
    name: 'denied-write',
    method: 'POST',
    path: configMaps,
    token: 'alice-token',
    body: configMap('z'),
  },
  {
    name: 'impersonated',
    path: `${configMaps}/a`,
    headers: { 'impersonate-user': 'eve', 'impersonate-group': 'system:masters' },
  },
  { name: 'impersonated-denied', path: `${configMaps}/a`, headers: { 'impersonate-user': 'eve' } },
  {
    name: 'not-impersonated',
    path: `${configMaps}/a`,
    token: 'alice-token',
    headers: { 'impersonate-user': 'eve' },
  },
  { name: 'unauthenticated', path: configMaps, token: 'wrong-token' },
  { name: 'anonymous', path: configMaps, token: '' },
  {
    name: 'watch',
    path: `${configMaps}?watch=1&timeoutSeconds=1&resourceVersion=0&fieldSelector=metadata.name%3Dnone`,
  },
  { name: 'watch-denied', path: `${configMaps}?watch=1`, token: 'alice-token' },
  {
    name: 'delete',
    method: 'DELETE',
    path: `${configMaps}/b`,
    body: { propagationPolicy: 'Background' },
  },
  {
    name: 'create-yaml',
    method: 'POST',
    path: configMaps,
    headers: yaml,
    body: 'metadata:\n  name: from-yaml\ndata:\n  k: <v>\n',
  },
  {
    name: 'update-yaml',
    method: 'PUT',
    path: `${configMaps}/from-yaml`,
    headers: yaml,
    body: 'metadata:\n  name: from-yaml\ndata:\n  k: w\n',
  },
  { name: 'create-bad-yaml', method: 'POST', path: configMaps, headers: yaml, body: 'a: b: c' },
  {
    name: 'account-yaml',
    method: 'POST',
    path: '/api/v1/namespaces/audit/serviceaccounts',
    headers: yaml,
    body: 'metadata:\n  name: from-yaml\n',
  },
  {
    name: 'delete-yaml',
    method: 'DELETE',
    path: `${configMaps}/from-yaml`,
    headers: yaml,
    body: 'propagationPolicy: Background\n',
  },
  { name: 'delete-missing', method: 'DELETE', path: `${configMaps}/b` },
  {
    name: 'lease',
    method: 'POST',
    path: `${leases}?fieldManager=me`,
    body: { metadata: { name: 'l' }, spec: { holderIdentity: 'x' } },
  },
  { name: 'lease-gone', method: 'DELETE', path: `${leases}/l` },
  { name: 'lease-collection', method: 'DELETE', path: `${leases}?labelSelector=none` },
  {
    name: 'secret',
    method: 'POST',
    path: '/api/v1/namespaces/audit/secrets',
    body: { metadata: { name: 's' }, stringData: { k: 'v' } },
  },
  { name: 'secret-read', path: '/api/v1/namespaces/audit/secrets/s' },
  {
    name: 'token',
    method: 'POST',
    path: '/api/v1/namespaces/audit/serviceaccounts/robot/token',
    body: { spec: { audiences: ['x'] } },
  },
  { name: 'not-audited', path: '/api/v1/namespaces/audit/endpoints' },
  { name: 'only-metadata', path: '/api/v1/namespaces/audit/events?limit=1' },
  { name: 'unknown-resource', path: '/api/v1/namespaces/audit/nonsense/x' },
  { name: 'version', path: '/version' },
  { name: 'query-secret', path: '/version?access_token=query-token' },
  { name: 'no-rule', path: '/healthz' },
];

/** Objects that must exist, created by requests that the policy does not log. */
const PREPARATION: readonly AuditStep[] = [
  {
    name: 'prepare',
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { metadata: { name: 'audit' } },
  },
  {
    name: 'prepare-account',
    method: 'POST',
    path: '/api/v1/namespaces/audit/serviceaccounts',
    body: { metadata: { name: 'robot' } },
  },
];

/** The events of each step as normalized JSON. */
export type AuditEvents = Readonly<Record<string, readonly string[]>>;

export async function auditEvents(server: {
  url: string;
  ca: string;
  logFile: string;
}): Promise<AuditEvents> {
  for (const step of [...PREPARATION, ...STEPS]) await send(server, step);
  const wanted = new Set(STEPS.map(({ name }) => name));
  let seen = -1;
  // The last event of a watch may be late, and the log is asynchronous: it is complete when no more lines arrive.
  return eventually(
    () => `both events of the watch, has ${seen} of all`,
    async () => {
      const events = await eventsIn(server.logFile, wanted);
      const before = seen;
      seen = Object.values(events).flat().length;
      return (events.watch?.length ?? 0) >= 2 && seen === before && events;
    },
    { everyMs: 100 },
  );
}

async function send(
  { url, ca }: { url: string; ca: string },
  { name, method = 'GET', path, token = 'admin-token', headers = {}, body }: AuditStep,
): Promise<void> {
  const { 'content-type': type = 'application/json' } = headers as Record<string, string>;
  await httpsRequest(url + path, {
    method,
    ca,
    ...(token !== '' && { token }),
    headers: {
      'audit-id': name,
      'user-agent': 'audit-test',
      ...headers,
      ...(body !== undefined && { 'content-type': type }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

async function eventsIn(
  file: string,
  wanted: ReadonlySet<string>,
): Promise<Record<string, string[]>> {
  const events: Record<string, string[]> = Object.fromEntries(
    [...wanted].map((name) => [name, []]),
  );
  for (const line of (await readFile(file, 'utf8')).split('\n')) {
    if (line === '') continue;
    const event = JSON.parse(line) as { auditID: string };
    if (wanted.has(event.auditID)) events[event.auditID]?.push(normalised(line));
  }
  return events;
}

/** The same JSON without values that differ between runs, with fields in their order. */
function normalised(line: string): string {
  return line
    .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"<time>"')
    .replace(/"(uid|resourceVersion)":"(?!uid-of)[^"]+"/g, '"$1":"<$1>"')
    .replace(/"g-[a-z0-9]{5}"/g, '"<generated>"')
    .replace(/"\d+s"\]/g, '"<age>"]')
    .replace(/"apiserver\.latency\.k8s\.io\/[^"]*":"[^"]*",?/g, '')
    .replace(/JTI=[0-9a-f-]{36}/g, 'JTI=<id>')
    .replace(/"description":"(?:[^"\\]|\\.)*"/g, '"description":"<words>"');
}
