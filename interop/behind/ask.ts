/** Requests to both servers of a site: through the aggregator, and past it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { httpsRequest, type RequestOptions, type Response } from '../../test/harness/index.ts';
import { within } from '../delegation/suite.ts';
import { GROUP, type Site } from './site.ts';

export { within };
export const VERSIONS: readonly string[] = ['v1alpha1', 'v1beta1'];

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const SUBJECT_GROUP = 'rbac.authorization.k8s.io';

/** As the administrator, unless the options name another user. */
export function askFront(
  { front }: Site,
  path: string,
  options: RequestOptions = {},
): Promise<Response> {
  return httpsRequest(front.url + path, { ca: front.ca, ...front.admin, ...options });
}

/** Anonymous, unless the options name a user. */
export async function askBackend(
  site: Site,
  path: string,
  options: RequestOptions = {},
): Promise<Response> {
  const ca = await readFile(join(certificatesOf(site), 'ca.crt'), 'utf8');
  return httpsRequest(site.backend.url() + path, { ca, servername: serverName(site), ...options });
}

/** The same, of which only success is expected. */
export async function must(asked: Promise<Response>): Promise<Response> {
  const response = await asked;
  assert.ok(
    response.status >= 200 && response.status <= 299,
    `${response.status}: ${response.body}`,
  );
  return response;
}

export function post(site: Site, path: string, body: object): Promise<Response> {
  return must(askFront(site, path, { method: 'POST', body }));
}

export function certificatesOf({ backend }: Site): string {
  return join(backend.directory, '.tributary', 'pki', 'servers', GROUP);
}

/** The DNS name in the certificate of the extension server. */
export function serverName({ service }: Pick<Site, 'service'>): string {
  return `${service.name}.${service.namespace}.svc`;
}

/** The fingerprint of the certificate that an extension server shows, which must be signed by the CA for its Service. */
export function servedCertificate(server: {
  readonly url: string;
  readonly ca: string;
  readonly service: Site['service'];
}): Promise<string> {
  const { hostname: host, port } = new URL(server.url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { ca } = server;
  const socket = connect({ host, port: Number(port), servername: serverName(server), ca });
  socket.once('secureConnect', () =>
    resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? ''),
  );
  socket.once('error', reject);
  return promise.finally(() => socket.destroy());
}

export async function makeNamespace(site: Site, name: string): Promise<void> {
  await post(site, '/api/v1/namespaces', { metadata: { name } });
}

export function flundersPath(namespace: string, version = 'v1alpha1'): string {
  return `/apis/${GROUP}/${version}/namespaces/${namespace}/flunders`;
}

export function flunder(name: string, metadata: object = {}): object {
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'Flunder',
    metadata: { name, ...metadata },
    spec: { reference: 'pond', referenceType: 'Flunder' },
  };
}

export interface Grant {
  readonly namespace: string;
  readonly name: string;
  readonly verbs: readonly string[];
  readonly subject: { readonly kind: 'User' | 'Group'; readonly name: string };
}

/** Grants verbs on the Flunders of one namespace. */
export async function grant(site: Site, { namespace, name, verbs, subject }: Grant): Promise<void> {
  const place = `${RBAC}/namespaces/${namespace}`;
  await post(site, `${place}/roles`, {
    metadata: { name },
    rules: [{ apiGroups: [GROUP], resources: ['flunders'], verbs }],
  });
  await post(site, `${place}/rolebindings`, {
    metadata: { name },
    subjects: [{ apiGroup: SUBJECT_GROUP, ...subject }],
    roleRef: { apiGroup: SUBJECT_GROUP, kind: 'Role', name },
  });
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/**
 * Until the control plane reports every version of the group as available, or not. The original's proxy follows a
 * moment later, and responds with 503 until then.
 */
export async function untilAvailable(
  site: Site,
  { status, withinMs }: { status: 'True' | 'False'; withinMs: number },
): Promise<void> {
  await within(withinMs, async () => {
    for (const version of VERSIONS) {
      const response = await must(askFront(site, apiServicePath(version)));
      const { conditions = [] } = (response.json() as { status: { conditions?: Condition[] } })
        .status;
      const available = conditions.find(({ type }) => type === 'Available');
      assert.equal(available?.status, status, `${version}: ${JSON.stringify(available)}`);
      if (status === 'True')
        await must(askFront(site, `/apis/${GROUP}/${version}/flunders?limit=1`));
    }
  });
}

export function apiServicePath(version: string): string {
  return `/apis/apiregistration.k8s.io/v1/apiservices/${version}.${GROUP}`;
}
