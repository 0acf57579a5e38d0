/** The controllers of a running control plane. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type {
  ConfigMap,
  Namespace,
  Pod,
  Secret,
  Service,
  ServiceAccount,
} from '@tributary/api/core-v1';
import type { ClusterRole } from '@tributary/api/rbac-v1';
import { type KubeObject, StatusError } from '@tributary/apimachinery';
import type { Client } from '@tributary/client';
import { LEASES } from '@tributary/client';
import {
  clusterRoles,
  configMaps,
  namespaces,
  pods,
  roleBindings,
  secrets,
  serviceAccounts,
  services,
} from '@tributary/client/controller';
import { emptyNamespace } from '../src/controllers/namespace/empty-namespace.ts';
import { eventually, startTestCore, type TestCore } from './core-fixture.ts';

let core: TestCore;
let admin: Client;
before(async () => {
  core = await startTestCore();
  admin = core.admin;
});
after(async () => {
  await core[Symbol.asyncDispose]();
  // The test sends an invalid token on purpose, which the server logs.
  const problems = core.problems.filter((text) => !text.startsWith('Unable to authenticate'));
  assert.deepEqual(problems, []);
});

const empty = { spec: {}, status: {} };
const named = (name: string) => ({ metadata: { name } });
const all = <T extends KubeObject>(type: typeof namespaces) => admin.resource<T>(type);

async function codeOf(promise: Promise<unknown>): Promise<number> {
  try {
    await promise;
    return 200;
  } catch (error) {
    if (error instanceof StatusError) return error.code;
    throw error;
  }
}

const isGone = (name: string) =>
  eventually(
    () => codeOf(all<Namespace>(namespaces).get(name)),
    (code) => code === 404,
  );

describe('namespaces', () => {
  test('of the system exist and cannot be deleted', async () => {
    const { items } = await all<Namespace>(namespaces).list();
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['default', 'kube-node-lease', 'kube-public', 'kube-system'],
    );
    for (const name of ['default', 'kube-system', 'kube-public']) {
      assert.equal(await codeOf(all<Namespace>(namespaces).delete(name)), 403);
    }
  });

  test('are deleted with their content', async () => {
    await all<Namespace>(namespaces).create({ ...named('full'), ...empty });
    const maps = all<ConfigMap>(configMaps).in('full');
    await Promise.all(
      Array.from({ length: 150 }, (_, index) => maps.create(named(`map-${index}`))),
    );
    await all<Secret>(secrets).in('full').create(named('secret'));
    await all<Namespace>(namespaces).delete('full');
    await isGone('full');
    assert.equal((await maps.list()).items.length, 0);
    assert.equal((await all<Secret>(secrets).in('full').list()).items.length, 0);
  });

  test('wait for finalizers, with a condition', async () => {
    await all<Namespace>(namespaces).create({ ...named('held'), ...empty });
    const maps = all<ConfigMap>(configMaps).in('held');
    await maps.create({ metadata: { name: 'mine', finalizers: ['example.com/hold'] } });
    await all<Namespace>(namespaces).delete('held');
    const { status } = await eventually(
      () => all<Namespace>(namespaces).get('held'),
      ({ status: now }) => (now.conditions ?? []).length === 5,
    );
    assert.equal(await codeOf(maps.create(named('late'))), 403);
    const byType = new Map(status.conditions?.map((one) => [one.type, one]));
    assert.equal(
      byType.get('NamespaceFinalizersRemaining')?.message,
      'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
    );
    assert.equal(
      byType.get('NamespaceContentRemaining')?.message,
      'Some resources are remaining: configmaps. has 1 resource instances',
    );
    await maps.patch('mine', { kind: 'merge', body: { metadata: { finalizers: null } } });
    await isGone('held');
  });

  test('are emptied even with other finalizers', async () => {
    const created = await all<Namespace>(namespaces).create({ ...named('others'), ...empty });
    const maps = all<ConfigMap>(configMaps).in('others');
    await maps.create(named('mine'));
    const finalize = (namespace: Namespace, finalizers: string[]) =>
      all<Namespace>(namespaces).update(
        { ...namespace, spec: { finalizers } },
        { subresource: 'finalize' },
      );
    await finalize(created, ['example.com/hold']);
    await all<Namespace>(namespaces).delete('others');
    await eventually(
      () => codeOf(maps.get('mine')),
      (code) => code === 404,
    );
    const hasConditions = ({ status }: Namespace) => (status.conditions ?? []).length === 5;
    const seen = await eventually(() => all<Namespace>(namespaces).get('others'), hasConditions);
    // Two other namespaces are deleted completely meanwhile: the status is not written again.
    for (const name of ['marker-1', 'marker-2']) {
      await all<Namespace>(namespaces).create({ ...named(name), ...empty });
      await all<Namespace>(namespaces).delete(name);
      await isGone(name);
    }
    const later = await all<Namespace>(namespaces).get('others');
    assert.equal(later.metadata.resourceVersion, seen.metadata.resourceVersion);
    await finalize(later, []);
    await isGone('others');
  });

  test('wait for terminating pods without a failure condition', async () => {
    await all<Namespace>(namespaces).create({ ...named('graceful'), ...empty });
    const own = all<Pod>(pods).in('graceful');
    await eventually(
      () => codeOf(all<ServiceAccount>(serviceAccounts).in('graceful').get('default')),
      (code) => code === 200,
    );
    const containers = [{ name: 'main', image: 'app:1', resources: {} }];
    await own.create({ ...named('a'), spec: { nodeName: 'away', containers }, status: {} });
    await all<Namespace>(namespaces).delete('graceful');
    const { status } = await eventually(
      () => all<Namespace>(namespaces).get('graceful'),
      ({ status: now }) => (now.conditions ?? []).length === 5,
    );
    // Remaining objects are counted after all resources were processed, as upstream.
    assert.deepEqual(new Set(status.conditions?.map((one) => one.status)), new Set(['False']));
    const { signal } = new AbortController();
    const late = { namespace: 'graceful', deletedForMs: 30_000, signal };
    const { failures } = await emptyNamespace(admin, undefined, late);
    assert.deepEqual(failures, [
      'unexpected items still remain in namespace: graceful for gvr: /v1, Resource=pods',
    ]);
    await own.delete('a', { gracePeriodSeconds: 0 });
    await isGone('graceful');
  });
});

describe('every namespace has', () => {
  before(async () => {
    await all<Namespace>(namespaces).create({ ...named('furnished'), ...empty });
  });

  test('a default service account, which is created again', async () => {
    const accounts = all<ServiceAccount>(serviceAccounts).in('furnished');
    const found = () =>
      accounts.get('default').then(
        ({ metadata }) => metadata.uid,
        () => '',
      );
    const uid = await eventually(found, Boolean);
    await accounts.delete('default');
    await eventually(found, (next) => Boolean(next) && next !== uid);
  });

  test('the root CA, which is restored after a change', async () => {
    const maps = all<ConfigMap>(configMaps).in('furnished');
    const data = () =>
      maps.get('kube-root-ca.crt').then(
        (map) => map.data ?? {},
        () => undefined,
      );
    const isRight = (found: Record<string, string> | undefined) =>
      found?.['ca.crt'] === core.pki.servingCa && Object.keys(found).length === 1;
    await eventually(data, isRight);
    await maps.patch('kube-root-ca.crt', {
      kind: 'merge',
      body: { data: { 'ca.crt': 'x', y: 'z' } },
    });
    await eventually(data, isRight);
  });

  test('the root CA with a description', async () => {
    const maps = all<ConfigMap>(configMaps).in('furnished');
    const description = () =>
      maps.get('kube-root-ca.crt').then(
        ({ metadata }) => metadata.annotations?.['kubernetes.io/description'] ?? '',
        () => '',
      );
    const text = await eventually(description, Boolean);
    const annotations = { 'kubernetes.io/description': null };
    await maps.patch('kube-root-ca.crt', { kind: 'merge', body: { metadata: { annotations } } });
    assert.equal(await eventually(description, Boolean), text);
  });
});

test('the ConfigMap extension-apiserver-authentication is published', async () => {
  const maps = all<ConfigMap>(configMaps).in('kube-system');
  const { data = {} } = await eventually(
    () => maps.get('extension-apiserver-authentication').catch(() => ({ data: undefined })),
    (map) => map.data !== undefined,
  );
  assert.equal(data['client-ca-file'], core.pki.clientCa);
  assert.equal(data['requestheader-client-ca-file'], core.pki.frontProxyCa);
  assert.equal(data['requestheader-allowed-names'], '["front-proxy-client"]');
  await maps.delete('extension-apiserver-authentication');
  await eventually(
    () => codeOf(maps.get('extension-apiserver-authentication')),
    (code) => code === 200,
  );
});

test('the Service kubernetes exists', async () => {
  const { spec } = await eventually(
    () =>
      all<Service>(services)
        .in('default')
        .get('kubernetes')
        .catch(() => ({ spec: undefined })),
    (service) => service.spec !== undefined,
  );
  assert.equal(spec?.clusterIP, '10.0.0.1');
  assert.equal(spec?.ports?.[0]?.targetPort, core.server.port);
});

test('ClusterRoles are aggregated', async () => {
  const roles = all<ClusterRole>(clusterRoles);
  const rule = { apiGroups: ['wardle.example.com'], resources: ['flunders'], verbs: ['get'] };
  await roles.create({
    metadata: {
      name: 'flunders-view',
      labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' },
    },
    rules: [rule],
  });
  for (const name of ['view', 'edit', 'admin']) {
    await eventually(
      () => roles.get(name),
      ({ rules }) => JSON.stringify(rules).includes('flunders'),
    );
  }
});

test('a token Secret has a valid token until its service account is deleted', async () => {
  await all<ServiceAccount>(serviceAccounts).in('default').create(named('robot'));
  const annotations = { 'kubernetes.io/service-account.name': 'robot' };
  const own = all<Secret>(secrets).in('default');
  await own.create({
    metadata: { name: 'robot-token', annotations },
    type: 'kubernetes.io/service-account-token',
  });
  const { data = {} } = await eventually(
    () => own.get('robot-token'),
    (secret) => Boolean(secret.data?.token),
  );
  const token = Buffer.from(data.token ?? '', 'base64').toString();
  const robot = core.withToken(token);
  assert.equal(await codeOf(robot.resource(configMaps).in('default').list()), 403);
  await all(roleBindings)
    .in('default')
    .create({
      metadata: { name: 'robot' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'default' }],
    } as never);
  await eventually(
    () => codeOf(robot.resource(configMaps).in('default').list()),
    (code) => code === 200,
  );
  await all<ServiceAccount>(serviceAccounts).in('default').delete('robot');
  // Long before the cached authentication expires.
  await eventually(
    () => codeOf(robot.resource(configMaps).in('default').list()),
    (code) => code === 401,
    2_000,
  );
  await eventually(
    () => codeOf(own.get('robot-token')),
    (code) => code === 404,
  );
});

test('a service account does not refer to a deleted token Secret', async () => {
  const accounts = all<ServiceAccount>(serviceAccounts).in('default');
  const names = ['forgetful-token', 'existing'].map((name) => ({ name }));
  await accounts.create({ ...named('forgetful'), secrets: names });
  const annotations = { 'kubernetes.io/service-account.name': 'forgetful' };
  const own = all<Secret>(secrets).in('default');
  await own.create({
    metadata: { name: 'forgetful-token', annotations },
    type: 'kubernetes.io/service-account-token',
  });
  await eventually(
    () => own.get('forgetful-token'),
    (secret) => Boolean(secret.data?.token),
  );
  await own.delete('forgetful-token');
  const { secrets: left } = await eventually(
    () => accounts.get('forgetful'),
    (account) => account.secrets?.length !== 2,
  );
  assert.deepEqual(left, [{ name: 'existing' }]);
});

test('a running server renews its Lease', async () => {
  const { items } = await eventually(
    () => all(LEASES).in('kube-system').list({ labelSelector: 'apiserver.kubernetes.io/identity' }),
    (list) => list.items.length > 0,
  );
  assert.match(items[0]?.metadata.name ?? '', /^apiserver-[a-z2-7]{26}$/);
});

test('the start date of legacy token tracking is published', async () => {
  const name = 'kube-apiserver-legacy-service-account-token-tracking';
  const maps = all<ConfigMap>(configMaps).in('kube-system');
  const since = () =>
    maps.get(name).then(
      ({ data }) => data?.since ?? '',
      () => '',
    );
  const year = new Date().toISOString().slice(0, 5);
  await eventually(since, (date) => date.startsWith(year));
  await maps.patch(name, { kind: 'merge', body: { data: { since: 'never' } } });
  await eventually(since, (date) => date.startsWith(year));
});
