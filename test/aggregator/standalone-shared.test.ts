/** A shared stand-alone aggregator: the cluster authenticates and authorizes its users. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createAuthority, eventually, httpsRequest, temporaryDirectory } from '../harness/index.ts';
import { startEcho } from './echo-server.ts';
import { type Gateway, must, startGateway } from './gateway-program.ts';
import { APISERVICES } from './registration-objects.ts';
import { createUser, NAMESPACE, USER, urlService } from './standalone-objects.ts';
import { startShared } from './standalone-program.ts';

const OWN = 'own.example.com';
const CONFIGMAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
const ROLES = '/apis/rbac.authorization.k8s.io/v1';
const ECHO = `/apis/${OWN}/v1/namespaces/${NAMESPACE}/echoes/a`;

test('an aggregator for many', async (t) => {
  const cluster = await startGateway(t);
  const user = await createUser(t, cluster, { '': ['configmaps'], [OWN]: ['echoes'] });
  const operator = await createOperator(cluster);
  const echo = await startEcho(t, { groups: [OWN] });
  const authority = createAuthority('front-ca');
  const directory = await temporaryDirectory(t, 'shared-');
  const pair = authority.issue({ commonName: 'front', names: ['127.0.0.1'], usage: 'server' });
  const tlsCertFile = join(directory, 'tls.crt');
  const tlsKeyFile = join(directory, 'tls.key');
  await writeFile(tlsCertFile, pair.cert);
  await writeFile(tlsKeyFile, pair.key, { mode: 0o600 });
  const kubeconfig = join(directory, 'operator.kubeconfig');
  const text = (await readFile(user.kubeconfig, 'utf8')).replace(user.token, operator);
  await writeFile(kubeconfig, text, { mode: 0o600 });
  const url = await startShared(t, { kubeconfig, tlsCertFile, tlsKeyFile });
  const ask = (path: string, options: Parameters<typeof httpsRequest>[1] = {}) =>
    httpsRequest(url + path, { ca: authority.cert, ...options });
  const { cert, key } = cluster.credentials;
  const asUser = { headers: { authorization: `Bearer ${user.token}` } };

  await t.test('an administrator of the cluster registers', async () => {
    const body = urlService({ group: OWN, version: 'v1' }, echo);
    const { status } = await ask(APISERVICES, { method: 'POST', body, cert, key });
    assert.equal(status, 201);
    const isServed = async () => (await ask(`/apis/${OWN}/v1`, asUser)).status === 200;
    await eventually(`${OWN} is served`, isServed);
  });

  const rows = [
    { name: 'nobody', path: CONFIGMAPS, credential: {}, want: 401 },
    {
      name: 'a token that the cluster does not know',
      path: CONFIGMAPS,
      credential: { headers: { authorization: 'Bearer invented' } },
      want: 401,
    },
    {
      name: 'headers of a front proxy without its certificate',
      path: CONFIGMAPS,
      credential: { headers: { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' } },
      want: 401,
    },
    { name: 'the user, where the user may', path: CONFIGMAPS, credential: asUser, want: 200 },
    { name: 'the user, elsewhere', path: '/api/v1/secrets', credential: asUser, want: 403 },
    { name: 'the user, registrations', path: APISERVICES, credential: asUser, want: 403 },
    { name: 'the user, a server behind', path: ECHO, credential: asUser, want: 404 },
    {
      name: 'the user, a server behind, elsewhere',
      path: ECHO.replace(NAMESPACE, 'default'),
      credential: asUser,
      want: 403,
    },
    { name: 'an administrator', path: '/api/v1/secrets', credential: { cert, key }, want: 200 },
    {
      name: 'the user, in the name of an administrator',
      path: '/api/v1/secrets',
      credential: {
        headers: {
          ...asUser.headers,
          'impersonate-user': 'a',
          'impersonate-group': 'system:masters',
        },
      },
      want: 403,
    },
    {
      name: 'an administrator, in the name of the user',
      path: '/api/v1/secrets',
      credential: { cert, key, headers: { 'impersonate-user': USER } },
      want: 403,
    },
  ];
  for (const { name, path, credential, want } of rows) {
    await t.test(`${name}: ${want}`, async () => {
      const { status, body } = await ask(path, credential);
      assert.equal(status, want, body);
    });
  }

  await t.test('the cluster is asked in the name of who asks', async () => {
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const { body } = await ask(path, { method: 'POST', body: review, ...asUser });
    const { status } = JSON.parse(body) as {
      status: { userInfo: { username: string; groups: string[] } };
    };
    assert.equal(status.userInfo.username, USER);
    assert.deepEqual(status.userInfo.groups.sort(), [
      'system:authenticated',
      'system:serviceaccounts',
      `system:serviceaccounts:${NAMESPACE}`,
    ]);
  });

  await t.test('the server behind hears of the user, and gets no token', async () => {
    await ask(ECHO, asUser);
    const { headers } = echo.received.findLast(({ path }) => path === ECHO) ?? {};
    assert.equal(headers?.['x-remote-user'], USER);
    assert.equal(headers?.authorization, undefined);
  });
});

/** The account of the aggregator itself, with the rights that the guide lists; gives its token. */
async function createOperator({ send }: Gateway): Promise<string> {
  const name = 'aggregator';
  const namespace = 'kube-system';
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io' };
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  await must(send('POST', accounts, { metadata: { name } }));
  const rules = [
    { apiGroups: [''], resources: ['users', 'groups', 'serviceaccounts'], verbs: ['impersonate'] },
    { apiGroups: ['authentication.k8s.io'], resources: ['*'], verbs: ['impersonate'] },
  ];
  await must(send('POST', `${ROLES}/clusterroles`, { metadata: { name }, rules }));
  for (const role of [name, 'system:auth-delegator']) {
    await must(
      send('POST', `${ROLES}/clusterrolebindings`, {
        metadata: { name: `aggregator:${role}` },
        roleRef: { ...roleRef, kind: 'ClusterRole', name: role },
        subjects,
      }),
    );
  }
  await must(
    send('POST', `${ROLES}/namespaces/${namespace}/rolebindings`, {
      metadata: { name },
      roleRef: { ...roleRef, kind: 'Role', name: 'extension-apiserver-authentication-reader' },
      subjects,
    }),
  );
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const { status } = (await must(send('POST', `${accounts}/${name}/token`, request))) as {
    readonly status: { readonly token: string };
  };
  return status.token;
}
