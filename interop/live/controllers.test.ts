/** The controllers of kube-controller-manager in place of ours. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { type Gateway, must } from '../../test/aggregator/gateway-program.ts';
import { conditionsOf } from '../../test/aggregator/registration-objects.ts';
import { eventually, httpsRequest, requireProgram } from '../../test/harness/index.ts';
import {
  pkiFile,
  startRealControllers,
  startWithoutControllers,
} from '../controllers/control-plane.ts';
import { cascades, HOLD, makeFamily } from '../controllers/families.ts';
import {
  collectionPath,
  configMap,
  flunder,
  make,
  makeNamespace,
  NAMESPACES,
  namesIn,
  read,
  release,
  remove,
  secret,
  untilGone,
} from '../controllers/objects.ts';

test('the real controllers on our control plane', async (t) => {
  if ((await requireProgram(t, 'go')) === undefined) return;
  const { gateway } = await startWithoutControllers(t);
  await nothingWithoutThem(t, gateway);
  for (const kind of [configMap, flunder]) await cascades(t, gateway, kind);
  await namespaces(t, gateway);
  await serviceAccounts(t, gateway);
  await clusterRoles(t, gateway);
});

async function nothingWithoutThem(t: TestContext, gateway: Gateway): Promise<void> {
  await makeNamespace(gateway, 'idle');
  const inIdle = await makeFamily(gateway, { namespace: 'idle', kind: configMap });
  await makeNamespace(gateway, 'kept');
  const inRetained = await makeFamily(gateway, { namespace: 'kept', kind: flunder });
  await remove(gateway, `${NAMESPACES}/idle`);
  await remove(gateway, inRetained.owner.path);
  const leaving = [inIdle.owner, ...inIdle.dependents, ...inRetained.dependents];
  const account = `${NAMESPACES}/kept/serviceaccounts/default`;

  await t.test('nothing happens by itself', async () => {
    await passOurControllers(gateway);
    assert.equal((await read(gateway, `${NAMESPACES}/idle`))?.status?.phase, 'Terminating');
    for (const { path } of leaving) assert.ok(await read(gateway, path), `${path} is there`);
    assert.equal(await read(gateway, account), undefined);
  });

  await startRealControllers(t, gateway);
  await t.test('it happens once they run', async () => {
    await untilGone(gateway, `${NAMESPACES}/idle`);
    for (const { path } of leaving) await untilGone(gateway, path);
    await eventually('default exists', () => read(gateway, account));
  });

  await t.test('each of them works with an account of its own', async () => {
    for (const name of ['generic-garbage-collector', 'namespace-controller']) {
      assert.ok(await read(gateway, `${NAMESPACES}/kube-system/serviceaccounts/${name}`), name);
    }
  });
}

/** The controllers of the aggregator, which run, see an APIService and write its status. */
async function passOurControllers(gateway: Gateway): Promise<void> {
  const path = '/apis/apiregistration.k8s.io/v1/apiservices';
  const group = 'marker.example.com';
  const spec = { group, version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 };
  await must(gateway.send('POST', path, { metadata: { name: `v1.${group}` }, spec }));
  await eventually('the marker has a status', async () => {
    const { body } = await gateway.send('GET', `${path}/v1.${group}`);
    return conditionsOf(body).length > 0;
  });
  await remove(gateway, `${path}/v1.${group}`);
}

async function namespaces(t: TestContext, gateway: Gateway): Promise<void> {
  await t.test('a namespace waits for what is held, says so, and goes', async () => {
    await makeNamespace(gateway, 'held');
    const finalizers = [HOLD];
    const held = await make(gateway, flunder, { namespace: 'held', name: 'a', finalizers });
    await make(gateway, secret, { namespace: 'held', name: 'b' });
    await remove(gateway, `${NAMESPACES}/held`);
    const said = await eventually('the namespace says what it waits for', async () => {
      const { body } = await gateway.send('GET', `${NAMESPACES}/held`);
      const waiting = conditionsOf(body).filter(({ status }) => status === 'True');
      return waiting.length === 2 && waiting.map(({ type, message }) => `${type}: ${message}`);
    });
    assert.deepEqual(said.toSorted(), [
      'NamespaceContentRemaining: Some resources are remaining: flunders.wardle.example.com has 1 resource instances',
      `NamespaceFinalizersRemaining: Some content in the namespace has finalizers remaining: ${HOLD} in 1 resource instances`,
    ]);
    assert.deepEqual(await namesIn(gateway, collectionPath(secret, 'held')), []);
    await release(gateway, held.path, HOLD);
    // Its controller looks again after half of the fifteen seconds that it grants to finalizers.
    await untilGone(gateway, `${NAMESPACES}/held`, 20_000);
  });
}

async function serviceAccounts(t: TestContext, gateway: Gateway): Promise<void> {
  await makeNamespace(gateway, 'accounts');
  const accounts = `${NAMESPACES}/accounts/serviceaccounts`;
  const authority = `${collectionPath(configMap, 'accounts')}/kube-root-ca.crt`;
  const secrets = collectionPath(secret, 'accounts');

  await t.test(
    'a namespace has its account and its authority, also when they are deleted',
    async () => {
      for (const path of [`${accounts}/default`, authority]) {
        const first = await eventually(`${path} exists`, () => read(gateway, path));
        await remove(gateway, path);
        await eventually(`${path} is made again`, async () => {
          const again = await read(gateway, path);
          return again !== undefined && again.metadata.uid !== first.metadata.uid;
        });
      }
      const published = (await must(gateway.send('GET', authority))) as { data: object };
      const pem = await readFile(pkiFile(gateway, 'server-ca.crt'), 'utf8');
      assert.deepEqual(published.data, { 'ca.crt': pem });
    },
  );

  await t.test('a token that they sign is believed, and goes with its account', async () => {
    await must(gateway.send('POST', accounts, { metadata: { name: 'clerk' } }));
    const annotations = { 'kubernetes.io/service-account.name': 'clerk' };
    const type = 'kubernetes.io/service-account-token';
    await must(gateway.send('POST', secrets, { metadata: { name: 'clerk', annotations }, type }));
    const token = await eventually('the token is there', async () => {
      const { body } = await gateway.send('GET', `${secrets}/clerk`);
      return (body as { data?: { token?: string } }).data?.token;
    });
    const user = await userOf(gateway, Buffer.from(token, 'base64').toString('utf8'));
    assert.equal(user, 'system:serviceaccount:accounts:clerk');
    await remove(gateway, `${accounts}/clerk`);
    await untilGone(gateway, `${secrets}/clerk`);
  });
}

async function clusterRoles(t: TestContext, gateway: Gateway): Promise<void> {
  await t.test('the rules of cluster roles are collected', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    const labels = { 'example.com/collect': 'true' };
    const rules = [{ apiGroups: ['example.com'], resources: ['things'], verbs: ['get'] }];
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: labels }] };
    const collecting = { metadata: { name: 'collecting' }, aggregationRule };
    await must(gateway.send('POST', roles, collecting));
    await must(gateway.send('POST', roles, { metadata: { name: 'collected', labels }, rules }));
    const seen = await eventually('the rules are there', async () => {
      const { body } = await gateway.send('GET', `${roles}/collecting`);
      return (body as { rules?: readonly unknown[] | null }).rules ?? undefined;
    });
    assert.deepEqual(seen, rules);
  });
}

async function userOf({ url, credentials }: Gateway, token: string): Promise<string | undefined> {
  const response = await httpsRequest(`${url}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
    method: 'POST',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    ca: credentials.ca,
    token,
  });
  const { status } = response.json() as { status?: { userInfo?: { username?: string } } };
  return status?.userInfo?.username;
}
