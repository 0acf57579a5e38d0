/** Addresses and ports of Services in a store are unique. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { defineApi } from '@tributary/server/definition';
import { startTestServer, type TestServer } from '@tributary/server/testing';
import { addressPool } from '../src/addresses/address-pool.ts';
import { namespaceKind } from '../src/kinds/core/namespace/kind.ts';
import { serviceKind } from '../src/kinds/core/service/kind.ts';

/** Picks the smallest number and gets no notifications: the store alone must prevent conflicts. */
const pool = addressPool({
  range: '10.0.0.0/24',
  nodePorts: { first: 30_000, last: 30_009 },
  random: () => 0n,
});
const Service = serviceKind({ addresses: pool });
const core = defineApi({ group: '', builtIn: true, resources: [namespaceKind, Service] });

let server: TestServer;
before(async () => {
  server = await startTestServer(core, { namespaces: namespaceKind });
});
after(() => server.close());
beforeEach(async () => {
  pool.load([]);
  await server.reset();
  await server.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } });
});

const path = '/api/v1/namespaces/default/services';
const addressKey = (ip: string) => `/registry/networking.k8s.io/ipaddresses/${ip}`;
const portKey = (port: number) => `/registry/core/nodeports/${port}`;
interface ServiceResponse {
  message?: string;
  metadata: { resourceVersion: string };
  spec: { clusterIP?: string; ports?: { nodePort?: number }[] };
}

async function create(name: string, spec: object = {}, query = '') {
  const body = { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } };
  return server.request<ServiceResponse>('POST', path + query, { body });
}

async function patch(name: string, spec: object) {
  return server.request<ServiceResponse>('PATCH', `${path}/${name}`, { body: { spec } });
}

async function isStored(key: string): Promise<boolean> {
  return (await server.storage.get(key)) !== undefined;
}

describe('a cluster IP', () => {
  test('is an IPAddress object that is deleted with its Service', async () => {
    const { object } = await create('a');
    assert.equal(object.spec.clusterIP, '10.0.0.17');
    const stored = await server.storage.get(addressKey('10.0.0.17'));
    const { kind, metadata, spec } = JSON.parse(Buffer.from(stored?.value ?? []).toString());
    assert.equal(kind, 'IPAddress');
    assert.deepEqual(metadata.labels, {
      'ipaddress.kubernetes.io/ip-family': 'IPv4',
      'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
    });
    const parentRef = { resource: 'services', namespace: 'default', name: 'a' };
    assert.deepEqual(spec, { parentRef });
    await server.request('DELETE', `${path}/a`);
    assert.equal(await isStored(addressKey('10.0.0.17')), false);
  });

  test('that another writer allocated is replaced by another', async () => {
    const found = await Promise.all(['a', 'b', 'c', 'd'].map((name) => create(name)));
    assert.deepEqual(
      found.map(({ status }) => status),
      [201, 201, 201, 201],
    );
    assert.deepEqual(found.map(({ object }) => object.spec.clusterIP).sort(), [
      '10.0.0.17',
      '10.0.0.18',
      '10.0.0.19',
      '10.0.0.20',
    ]);
  });

  test('that is requested is rejected while it is allocated', async () => {
    await create('a', { clusterIP: '10.0.0.7' });
    const refused = await create('b', { clusterIP: '10.0.0.7' });
    assert.equal(refused.status, 422);
    assert.equal(
      refused.object.message,
      'Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.7"]: failed to allocate IP 10.0.0.7: provided IP is already allocated',
    );
    assert.equal((await server.request('GET', `${path}/b`)).status, 404);
    await server.request('DELETE', `${path}/a`);
    assert.equal((await create('b', { clusterIP: '10.0.0.7' })).status, 201);
  });

  test('is released and allocated when the type changes', async () => {
    await create('a');
    const outside = { type: 'ExternalName', externalName: 'a.b' };
    assert.equal((await patch('a', outside)).status, 200);
    assert.equal(await isStored(addressKey('10.0.0.17')), false);
    const inside = await patch('a', { type: 'ClusterIP', externalName: null });
    assert.equal(inside.object.spec.clusterIP, '10.0.0.17');
    assert.equal(await isStored(addressKey('10.0.0.17')), true);
  });

  test('stays while the Service has a finalizer', async () => {
    const body = {
      metadata: { name: 'a', finalizers: ['example.com/hold'] },
      spec: { ports: [{ port: 80 }] },
    };
    await server.request('POST', path, { body });
    await server.request('DELETE', `${path}/a`);
    assert.equal(await isStored(addressKey('10.0.0.17')), true);
    await server.request('PATCH', `${path}/a`, { body: { metadata: { finalizers: null } } });
    assert.equal(await isStored(addressKey('10.0.0.17')), false);
  });

  test('is not allocated by a dry run', async () => {
    assert.equal((await create('a', {}, '?dryRun=All')).status, 201);
    assert.equal(await isStored(addressKey('10.0.0.17')), false);
  });

  test('without an IPAddress does not prevent deletion of its Service', async () => {
    await create('a', { type: 'NodePort' });
    const writes = [addressKey('10.0.0.17'), portKey(30_000)].map((key) => ({
      kind: 'delete' as const,
      key,
    }));
    await server.storage.commit({ require: [], writes });
    assert.equal((await server.request('DELETE', `${path}/a`)).status, 200);
    assert.equal((await server.request('GET', `${path}/a`)).status, 404);
    assert.equal((await create('a', { type: 'NodePort' })).status, 201);
    assert.equal(await isStored(addressKey('10.0.0.17')), true);
  });

  test('is not available when all are allocated in the store', async () => {
    for (let last = 1; last < 255; last += 1) {
      const key = addressKey(`10.0.0.${last}`);
      await server.storage.commit({
        require: [],
        writes: [{ kind: 'put', key, value: Buffer.of(1) }],
      });
    }
    const refused = await create('a');
    assert.equal(refused.status, 500);
    assert.match(refused.object.message ?? '', /failed to allocate a serviceIP .*: range is full/);
  });
});

describe('a node port', () => {
  test('belongs to one Service, for both protocols', async () => {
    const ports = [
      { name: 'a', port: 53 },
      { name: 'b', port: 53, protocol: 'UDP' },
    ];
    const { object } = await create('a', { type: 'NodePort', ports });
    assert.deepEqual(
      object.spec.ports?.map(({ nodePort }) => nodePort),
      [30_000, 30_000],
    );
    const next = await create('b', { type: 'NodePort' });
    assert.equal(next.object.spec.ports?.[0]?.nodePort, 30_001);
    await server.request('DELETE', `${path}/a`);
    assert.equal(await isStored(portKey(30_000)), false);
    assert.equal(await isStored(portKey(30_001)), true);
  });

  test('that is requested is rejected while it is allocated', async () => {
    const spec = { type: 'NodePort', ports: [{ port: 80, nodePort: 30_005 }] };
    await create('a', spec);
    const refused = await create('b', spec);
    assert.equal(
      refused.object.message,
      'Service "b" is invalid: spec.ports[0].nodePort: Invalid value: 30005: provided port is already allocated',
    );
    assert.equal(await isStored(addressKey('10.0.0.18')), false);
  });

  test('for health checks is rejected while it is allocated', async () => {
    await create('a', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_005 }] });
    const refused = await create('b', {
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: 30_005,
    });
    assert.equal(refused.status, 500);
    assert.equal(
      refused.object.message,
      'Internal error occurred: failed to allocate requested HealthCheck NodePort 30005: provided port is already allocated',
    );
  });

  test('is released when the type changes, and another is allocated', async () => {
    await create('a', { type: 'NodePort' });
    await patch('a', { type: 'ClusterIP' });
    assert.equal(await isStored(portKey(30_000)), false);
    await create('b', { type: 'NodePort' });
    const again = await patch('a', { type: 'NodePort' });
    assert.equal(again.object.spec.ports?.[0]?.nodePort, 30_001);
  });

  test('is not allocated to an ExternalName Service', async () => {
    const ports = [{ port: 80, nodePort: 30_005 }];
    const outside = { type: 'ExternalName', externalName: 'a.b', ports };
    const inside = { type: 'NodePort', externalName: null };
    assert.equal((await create('a', outside)).status, 201);
    assert.equal((await create('b', outside)).status, 201);
    assert.equal(await isStored(portKey(30_005)), false);
    assert.equal((await create('c', { type: 'NodePort', ports })).status, 201);
    await server.request('DELETE', `${path}/a`);
    assert.equal(await isStored(portKey(30_005)), true);
    assert.equal(
      (await patch('b', inside)).object.message,
      'Service "b" is invalid: spec.ports[0].nodePort: Invalid value: 30005: provided port is already allocated',
    );
    assert.equal((await patch('c', outside)).status, 200);
    assert.equal(await isStored(portKey(30_005)), false);
    assert.equal((await patch('b', inside)).status, 200);
    assert.equal(await isStored(portKey(30_005)), true);
  });
});

test('concurrently created Services never share an address', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `s${index}`);
  const found = await Promise.all(names.map((name) => create(name)));
  const addresses = found.map(({ object }) => object.spec.clusterIP);
  assert.equal(new Set(addresses).size, names.length);
  assert.equal(server.bugs.length, 0);
  assert.ok(!addresses.includes(undefined));
});
