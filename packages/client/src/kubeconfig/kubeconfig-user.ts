import { dirname, resolve, sep } from 'node:path';
import type { Authorization, ExecPlugin, Identity, Impersonation } from './client-config.ts';
import { clusterForPlugin, pemSource } from './kubeconfig-cluster.ts';
import { KubeconfigFields } from './kubeconfig-fields.ts';

/** The credentials of a `user` entry. `cluster` is for exec plugins that request it. */
export async function userIdentity(
  user: KubeconfigFields,
  cluster: KubeconfigFields,
): Promise<Identity> {
  refuseAuthProvider(user);
  const certificate = clientCertificate(user);
  const plugin = user.fields('exec');
  // A plugin runs only when there are no other credentials, as in client-go.
  const authorization =
    staticAuthorization(user) ??
    (plugin === undefined || certificate !== undefined
      ? undefined
      : ({ kind: 'exec', exec: await execPlugin(plugin, cluster) } as const));
  const impersonate = impersonation(user);
  return {
    ...(certificate !== undefined && { certificate }),
    ...(authorization !== undefined && { authorization }),
    ...(impersonate !== undefined && { impersonate }),
  };
}

function refuseAuthProvider(user: KubeconfigFields): void {
  const provider = user.fields('auth-provider');
  if (provider === undefined) return;
  const name = provider.string('name') ?? '';
  throw user.error(
    'auth-provider',
    `the provider "${name}" is not supported; use an exec plugin, which replaced auth providers`,
  );
}

function clientCertificate(user: KubeconfigFields): Identity['certificate'] {
  const certificate = pemSource(user, 'client-certificate');
  const key = pemSource(user, 'client-key');
  if (certificate === undefined && key === undefined) return undefined;
  if (key === undefined) {
    throw user.error('client-key', 'is not set, and the client-certificate is useless without it');
  }
  if (certificate === undefined) {
    throw user.error('client-certificate', 'is not set, and the client-key is useless without it');
  }
  return { certificate, key };
}

function staticAuthorization(user: KubeconfigFields): Authorization | undefined {
  const token = user.string('token');
  const file = user.filePath('tokenFile');
  const basic = user.has('username') || user.has('password');
  if (basic && (token !== undefined || file !== undefined)) {
    throw user.error('', 'has a token and a username; only one way to authenticate is possible');
  }
  if (file !== undefined) {
    return { kind: 'token-file', file, ...(token !== undefined && { token }) };
  }
  if (token !== undefined) return { kind: 'token', token };
  if (!basic) return undefined;
  return {
    kind: 'basic',
    username: user.string('username') ?? '',
    password: user.string('password') ?? '',
  };
}

const PLUGIN_VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

async function execPlugin(
  plugin: KubeconfigFields,
  cluster: KubeconfigFields,
): Promise<ExecPlugin> {
  const command = plugin.string('command');
  if (command === undefined) throw plugin.error('command', 'is not set');
  const apiVersion = plugin.string('apiVersion') ?? '';
  if (!PLUGIN_VERSIONS.includes(apiVersion)) {
    throw plugin.error('apiVersion', `must be ${PLUGIN_VERSIONS.join(' or ')}`);
  }
  checkInteractiveMode(plugin, apiVersion);
  const installHint = plugin.string('installHint');
  return {
    apiVersion,
    // A bare name is looked up in PATH; anything else is relative to the kubeconfig.
    command: command.includes(sep) ? resolve(dirname(plugin.file), command) : command,
    args: plugin.strings('args'),
    env: plugin.array('env').map((entry, index) => environmentEntry(plugin, entry, index)),
    ...(installHint !== undefined && { installHint }),
    ...(plugin.boolean('provideClusterInfo') && { cluster: await clusterForPlugin(cluster) }),
  };
}

function checkInteractiveMode(plugin: KubeconfigFields, apiVersion: string): void {
  const mode = plugin.string('interactiveMode');
  if (mode === 'Never' || mode === 'IfAvailable') return;
  if (mode === 'Always') {
    throw plugin.error('interactiveMode', 'a plugin that needs a terminal is not supported');
  }
  // The beta version has a default.
  if (mode === undefined && apiVersion !== PLUGIN_VERSIONS[0]) return;
  throw plugin.error('interactiveMode', 'must be Never, IfAvailable or Always');
}

function environmentEntry(
  plugin: KubeconfigFields,
  entry: unknown,
  index: number,
): { name: string; value: string } {
  const fields = new KubeconfigFields(plugin.file, `${plugin.path}.env[${index}]`, entry);
  const name = fields.string('name');
  if (name === undefined) throw fields.error('name', 'is not set');
  return { name, value: fields.string('value') ?? '' };
}

function impersonation(user: KubeconfigFields): Impersonation | undefined {
  const name = user.string('as');
  const uid = user.string('as-uid');
  const groups = user.strings('as-groups');
  const extra = user.fields('as-user-extra');
  if (name === undefined) {
    if (uid === undefined && groups.length === 0 && extra === undefined) return undefined;
    throw user.error('as', 'is not set, but impersonation needs it');
  }
  const extraEntries = extra?.names().map((key) => [key, extra.strings(key)] as const) ?? [];
  return {
    user: name,
    ...(uid !== undefined && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(extraEntries.length > 0 && { extra: Object.fromEntries(extraEntries) }),
  };
}
