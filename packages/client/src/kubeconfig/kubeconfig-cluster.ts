import { readFile } from 'node:fs/promises';
import type { ClientConfig, PemSource } from './client-config.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import type { KubeconfigFields } from './kubeconfig-fields.ts';

/** The settings of a `cluster` entry. */
export function clusterSettings(
  cluster: KubeconfigFields,
): Omit<ClientConfig, 'identity' | 'namespace'> {
  if (cluster.has('proxy-url')) {
    throw cluster.error('proxy-url', 'connections through a proxy are not supported');
  }
  const ca = pemSource(cluster, 'certificate-authority');
  const insecure = cluster.boolean('insecure-skip-tls-verify');
  if (insecure && ca !== undefined) {
    throw cluster.error(
      'insecure-skip-tls-verify',
      'cannot be combined with a certificate-authority: either the server is verified or it is not',
    );
  }
  const tlsServerName = cluster.string('tls-server-name');
  return {
    server: serverUrl(cluster),
    ...(ca !== undefined && { ca }),
    ...(tlsServerName !== undefined && { tlsServerName }),
    ...(insecure && { insecureSkipTlsVerify: true }),
    ...(cluster.boolean('disable-compression') && { disableCompression: true }),
  };
}

/** `name` with a path or `name-data` with the PEM itself, which has precedence. */
export function pemSource(fields: KubeconfigFields, name: string): PemSource | undefined {
  const pem = fields.pem(`${name}-data`);
  if (pem !== undefined) return { pem };
  const file = fields.filePath(name);
  return file === undefined ? undefined : { file };
}

/** The cluster for an exec plugin: like the kubeconfig, but with the bytes of the authority. */
export async function clusterForPlugin(
  cluster: KubeconfigFields,
): Promise<Readonly<Record<string, unknown>>> {
  const { server, ca, tlsServerName, insecureSkipTlsVerify, disableCompression } =
    clusterSettings(cluster);
  const pem = ca === undefined ? undefined : await readPem(cluster, ca);
  const config = pluginExtension(cluster);
  return {
    server,
    ...(tlsServerName !== undefined && { 'tls-server-name': tlsServerName }),
    ...(insecureSkipTlsVerify && { 'insecure-skip-tls-verify': true }),
    ...(pem !== undefined && {
      'certificate-authority-data': Buffer.from(pem).toString('base64'),
    }),
    ...(disableCompression && { 'disable-compression': true }),
    config: config ?? null,
  };
}

function serverUrl(cluster: KubeconfigFields): string {
  const server = cluster.string('server');
  if (server === undefined) throw cluster.error('server', 'is not set');
  const url = URL.parse(server);
  if (url === null || !['https:', 'http:'].includes(url.protocol)) {
    throw cluster.error('server', 'must be a URL such as https://host:6443');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

async function readPem(cluster: KubeconfigFields, source: PemSource): Promise<string> {
  if ('pem' in source) return source.pem;
  try {
    return await readFile(source.file, 'utf8');
  } catch (cause) {
    const field = `${cluster.path}.certificate-authority`;
    throw new KubeconfigError({ file: cluster.file, field }, `cannot read ${source.file}`, {
      cause,
    });
  }
}

const PLUGIN_EXTENSION = 'client.authentication.k8s.io/exec';

function pluginExtension(cluster: KubeconfigFields): unknown {
  for (const entry of cluster.array('extensions')) {
    if (typeof entry !== 'object' || entry === null) continue;
    if ('name' in entry && entry.name === PLUGIN_EXTENSION && 'extension' in entry) {
      return entry.extension;
    }
  }
  return undefined;
}
