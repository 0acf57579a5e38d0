import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { createPki, type Pki, temporaryDirectory } from '../../../test/harness/index.ts';
import { KubeconfigError, loadConfig, parseKubeconfig } from '../src/index.ts';

const minimal = `
apiVersion: v1
kind: Config
current-context: main
clusters:
- name: here
  cluster: { server: 'https://example.com:6443/' }
users:
- name: me
  user: { token: secret-token }
contexts:
- name: main
  context: { cluster: here, user: me, namespace: work }
`;

let pki: Pki;
before(async () => {
  pki = await createPki();
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const load = (text: string, context?: string) =>
  parseKubeconfig(text, { file: '/etc/kube/config', ...(context !== undefined && { context }) });

/** The minimal file with another user. */
const withUser = (user: object): string =>
  minimal.replace('{ token: secret-token }', JSON.stringify(user));
const withCluster = (cluster: object): string =>
  minimal.replace("{ server: 'https://example.com:6443/' }", JSON.stringify(cluster));

test('server, token and namespace', async () => {
  assert.deepEqual(await load(minimal), {
    server: 'https://example.com:6443',
    identity: { authorization: { kind: 'token', token: 'secret-token' } },
    namespace: 'work',
  });
});

test('paths are relative to the file, and data have precedence', async () => {
  const cluster = {
    server: 'https://[::1]:6443/k8s/one',
    'certificate-authority': 'ca.crt',
    'tls-server-name': 'kubernetes',
    'disable-compression': true,
  };
  const user = {
    'client-certificate': 'me.crt',
    'client-key': '/keys/me.key',
    'client-key-data': base64(pki.admin.key),
    as: 'jane',
    'as-groups': ['a', 'b'],
    'as-user-extra': { scopes: ['x'] },
  };
  const text = withCluster(cluster).replace('{ token: secret-token }', JSON.stringify(user));
  assert.deepEqual(await load(text.replace(', namespace: work', '')), {
    server: 'https://[::1]:6443/k8s/one',
    ca: { file: '/etc/kube/ca.crt' },
    tlsServerName: 'kubernetes',
    disableCompression: true,
    identity: {
      certificate: { certificate: { file: '/etc/kube/me.crt' }, key: { pem: pki.admin.key } },
      impersonate: { user: 'jane', groups: ['a', 'b'], extra: { scopes: ['x'] } },
    },
    namespace: 'default',
  });
});

test('the ways to authenticate', async () => {
  const rows = [
    { user: {}, identity: {} },
    {
      user: { username: 'u', password: 'p' },
      identity: { authorization: { kind: 'basic', username: 'u', password: 'p' } },
    },
    {
      user: { tokenFile: 'token', token: 'first' },
      identity: { authorization: { kind: 'token-file', file: '/etc/kube/token', token: 'first' } },
    },
    {
      // A plugin runs only when there are no other credentials.
      user: {
        token: 't',
        exec: {
          command: 'c',
          apiVersion: 'client.authentication.k8s.io/v1',
          interactiveMode: 'Never',
        },
      },
      identity: { authorization: { kind: 'token', token: 't' } },
    },
    {
      user: {
        exec: {
          command: './plugin',
          args: ['a'],
          env: [{ name: 'A', value: 'b' }],
          apiVersion: 'client.authentication.k8s.io/v1beta1',
          installHint: 'get it',
          provideClusterInfo: true,
        },
      },
      identity: {
        authorization: {
          kind: 'exec',
          exec: {
            apiVersion: 'client.authentication.k8s.io/v1beta1',
            command: '/etc/kube/plugin',
            args: ['a'],
            env: [{ name: 'A', value: 'b' }],
            installHint: 'get it',
            cluster: { server: 'https://example.com:6443', config: null },
          },
        },
      },
    },
  ];
  for (const { user, identity } of rows) {
    assert.deepEqual((await load(withUser(user))).identity, identity);
  }
});

test('an exec plugin gets the extension of the cluster', async () => {
  const cluster = {
    server: 'https://example.com',
    'certificate-authority-data': base64(pki.ca.cert),
    extensions: [
      { name: 'other', extension: 1 },
      { name: 'client.authentication.k8s.io/exec', extension: { audience: 'me' } },
    ],
  };
  const exec = {
    command: 'plugin',
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'IfAvailable',
    provideClusterInfo: true,
  };
  const text = withCluster(cluster).replace('{ token: secret-token }', JSON.stringify({ exec }));
  const { authorization } = (await load(text)).identity;
  assert.ok(authorization?.kind === 'exec');
  assert.equal(authorization.exec.command, 'plugin');
  assert.deepEqual(authorization.exec.cluster, {
    server: 'https://example.com',
    'certificate-authority-data': base64(pki.ca.cert),
    config: { audience: 'me' },
  });
});

test('credentials are not sent in clear text', async () => {
  const config = await load(minimal.replace('https:', 'http:'));
  assert.deepEqual(config.identity, {});
});

suite('complaints name file and field', () => {
  const exec = {
    command: 'c',
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'Never',
  };
  const rows: { name: string; text: string | (() => string); field: string; message: RegExp }[] = [
    { name: 'no YAML', text: 'users: [', field: '', message: /is not valid YAML/ },
    { name: 'no mapping', text: '- a', field: '', message: /must be a mapping, not a list/ },
    {
      name: 'no current context',
      text: minimal.replace('current-context: main', ''),
      field: 'current-context',
      message: /is not set/,
    },
    {
      name: 'a context that is not there',
      text: minimal.replace('current-context: main', 'current-context: other'),
      field: 'current-context',
      message: /there is no context "other", only "main"/,
    },
    {
      name: 'a cluster that is not there',
      text: minimal.replace('cluster: here', 'cluster: there'),
      field: 'contexts["main"].context.cluster',
      message: /there is no cluster "there", only "here"/,
    },
    {
      name: 'a token that is a number',
      text: withUser({ token: 12345 }),
      field: 'users["me"].user.token',
      message: /must be a string, not a number/,
    },
    {
      name: 'bad base64',
      text: withCluster({ server: 'https://a', 'certificate-authority-data': '-----BEGIN' }),
      field: 'clusters["here"].cluster.certificate-authority-data',
      message: /is not valid base64/,
    },
    {
      name: 'base64 of something else',
      text: withCluster({ server: 'https://a', 'certificate-authority-data': base64('hello') }),
      field: 'clusters["here"].cluster.certificate-authority-data',
      message: /holds no PEM/,
    },
    {
      name: 'no server',
      text: withCluster({ 'tls-server-name': 'x' }),
      field: 'clusters["here"].cluster.server',
      message: /is not set/,
    },
    {
      name: 'a server without a scheme',
      text: withCluster({ server: 'example.com:6443' }),
      field: 'clusters["here"].cluster.server',
      message: /must be a URL such as/,
    },
    {
      name: 'a proxy',
      text: withCluster({ server: 'https://a', 'proxy-url': 'http://proxy' }),
      field: 'clusters["here"].cluster.proxy-url',
      message: /not supported/,
    },
    {
      name: 'verified and not verified',
      text: () =>
        withCluster({
          server: 'https://a',
          'insecure-skip-tls-verify': true,
          'certificate-authority-data': base64(pki.ca.cert),
        }),
      field: 'clusters["here"].cluster.insecure-skip-tls-verify',
      message: /either the server is verified or it is not/,
    },
    {
      name: 'a certificate without a key',
      text: withUser({ 'client-certificate': 'a' }),
      field: 'users["me"].user.client-key',
      message: /useless without it/,
    },
    {
      name: 'two ways at once',
      text: withUser({ token: 'a', username: 'b' }),
      field: 'users["me"].user',
      message: /only one way/,
    },
    {
      name: 'an auth provider',
      text: withUser({ 'auth-provider': { name: 'gcp' } }),
      field: 'users["me"].user.auth-provider',
      message: /the provider "gcp" is not supported; use an exec plugin/,
    },
    {
      name: 'a plugin of an unknown version',
      text: withUser({ exec: { ...exec, apiVersion: 'client.authentication.k8s.io/v1alpha1' } }),
      field: 'users["me"].user.exec.apiVersion',
      message: /must be client.authentication.k8s.io\/v1 or/,
    },
    {
      name: 'a plugin that needs a terminal',
      text: withUser({ exec: { ...exec, interactiveMode: 'Always' } }),
      field: 'users["me"].user.exec.interactiveMode',
      message: /terminal/,
    },
    {
      name: 'a plugin that does not say',
      text: withUser({ exec: { ...exec, interactiveMode: undefined } }),
      field: 'users["me"].user.exec.interactiveMode',
      message: /must be Never, IfAvailable or Always/,
    },
    {
      name: 'groups without a user',
      text: withUser({ 'as-groups': ['a'] }),
      field: 'users["me"].user.as',
      message: /is not set/,
    },
    {
      name: 'two entries of one name',
      text: minimal.replace('users:', 'users:\n- { name: me, user: {} }'),
      field: 'users[1].name',
      message: /"me" is there twice/,
    },
  ];
  for (const { name, text, field, message } of rows) {
    test(name, async () => {
      await assert.rejects(load(typeof text === 'string' ? text : text()), (error) => {
        assert.ok(error instanceof KubeconfigError, String(error));
        assert.equal(error.field, field);
        assert.equal(error.file, '/etc/kube/config');
        assert.match(error.message, message);
        assert.ok(error.message.startsWith('/etc/kube/config: '));
        return true;
      });
    });
  }

  test('and never show a secret', async () => {
    const broken = minimal.replace('{ token: secret-token }', '{ token: secret-token, "');
    await assert.rejects(load(broken), (error) => {
      assert.doesNotMatch(
        `${(error as Error).stack}${String((error as Error).cause)}`,
        /secret-token/,
      );
      return true;
    });
  });
});

suite('where the configuration comes from', () => {
  test('several files are merged, and the first one with an entry wins', async (t) => {
    const directory = await temporaryDirectory(t);
    const first = join(directory, 'first');
    const second = join(directory, 'second', 'config');
    await mkdir(join(directory, 'second'));
    await writeFile(first, 'contexts:\n- { name: both, context: { cluster: here, user: me } }\n');
    await writeFile(
      second,
      minimal.replaceAll('main', 'both').replace('{ token: secret-token }', '{ tokenFile: token }'),
    );
    const env = { KUBECONFIG: [join(directory, 'missing'), '', first, second, first].join(':') };
    const config = await loadConfig({ env });
    // The context is the one of the first file, which has no namespace; the rest comes from the second.
    assert.equal(config.namespace, 'default');
    assert.deepEqual(config.identity.authorization, {
      kind: 'token-file',
      file: join(directory, 'second', 'token'),
    });
    await assert.rejects(loadConfig({ env, context: 'other' }), /there is no context "other"/);
  });

  test('a given file must exist', async (t) => {
    const kubeconfig = join(await temporaryDirectory(t), 'nothing');
    await assert.rejects(loadConfig({ kubeconfig }), {
      name: 'KubeconfigError',
      message: `${kubeconfig}: does not exist`,
    });
  });

  test('the home directory is the default', async (t) => {
    const home = await temporaryDirectory(t);
    await mkdir(join(home, '.kube'));
    await writeFile(join(home, '.kube', 'config'), minimal);
    assert.equal((await loadConfig({ env: {}, home })).namespace, 'work');
  });

  test('without any file the service account of the pod is used', async (t) => {
    const home = await temporaryDirectory(t);
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443', HOME: home };
    const options = { env, serviceAccountDirectory: home };
    await assert.rejects(loadConfig(options), /token: cannot be read; is there a service account/);
    await writeFile(join(home, 'token'), 't');
    await writeFile(join(home, 'namespace'), 'pod-namespace\n');
    assert.deepEqual(await loadConfig(options), {
      server: 'https://[fd00::1]:443',
      ca: { file: join(home, 'ca.crt') },
      identity: { authorization: { kind: 'token-file', file: join(home, 'token') } },
      namespace: 'pod-namespace',
    });
  });

  test('without any configuration the error says so', async (t) => {
    const home = await temporaryDirectory(t);
    await assert.rejects(loadConfig({ env: {}, home }), /no configuration found; set KUBECONFIG/);
  });
});
