/** Namespaces and other kinds of the core group, through the API. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { defineApi } from '@tributary/server/definition';
import { startTestServer, type TestServer } from '@tributary/server/testing';
import { componentStatusKind } from '../src/kinds/core/component-status/kind.ts';
import { configMapKind } from '../src/kinds/core/config-map/kind.ts';
import { endpointsKind } from '../src/kinds/core/endpoints/kind.ts';
import { namespaceKind } from '../src/kinds/core/namespace/kind.ts';
import { secretKind } from '../src/kinds/core/secret/kind.ts';
import { serviceAccountKind } from '../src/kinds/core/service-account/kind.ts';
import { endpointSliceKind } from '../src/kinds/discovery/endpoint-slice/kind.ts';

const core = defineApi({
  group: '',
  builtIn: true,
  resources: [
    namespaceKind,
    configMapKind,
    secretKind,
    endpointsKind(),
    serviceAccountKind({
      requestToken: async ({ serviceAccount, request }) => ({
        ...request,
        kind: 'TokenRequest',
        apiVersion: 'authentication.k8s.io/v1',
        metadata: { name: serviceAccount.metadata.name ?? '' },
        status: { token: 'secret', expirationTimestamp: null },
      }),
    }),
    componentStatusKind({ componentHealth: async () => [{ name: 'store', status: 'Healthy' }] }),
  ],
});
const discovery = defineApi({
  group: 'discovery.k8s.io',
  builtIn: true,
  resources: [endpointSliceKind()],
});

let server: TestServer;
before(async () => {
  server = await startTestServer([core, discovery], { namespaces: namespaceKind });
});
after(() => server.close());
beforeEach(async () => {
  await server.reset();
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
});

interface ResponseObject {
  kind: string;
  message: string;
  metadata: Record<string, unknown>;
  spec: { finalizers?: string[] };
  status: { phase?: string; token?: string };
  data: Record<string, string>;
  items: { metadata: { name: string } }[];
  resources: { name: string; singularName: string; shortNames?: string[]; verbs: string[] }[];
}

async function send(method: string, path: string, body?: object) {
  const { status, object } = await server.request<ResponseObject>(method, path, { body });
  return { ...object, code: status };
}

describe('a namespace', () => {
  test('is created with its label, finalizer and phase', async () => {
    const made = await send('POST', '/api/v1/namespaces', {
      metadata: { generateName: 'a-', labels: { 'kubernetes.io/metadata.name': 'other' } },
      spec: { finalizers: ['example.com/hold'] },
      status: { phase: 'Terminating' },
    });
    assert.deepEqual(made.metadata.labels, { 'kubernetes.io/metadata.name': made.metadata.name });
    assert.deepEqual(made.spec.finalizers, ['example.com/hold', 'kubernetes']);
    assert.equal(made.status.phase, 'Active');
    assert.equal(made.metadata.generation, undefined);
  });

  test('keeps label, finalizers and status over an update', async () => {
    const changed = await send('PUT', '/api/v1/namespaces/default', {
      metadata: { name: 'default', labels: { x: 'y' } },
      spec: { finalizers: ['example.com/hold'] },
      status: { phase: 'Terminating' },
    });
    const labels = { 'kubernetes.io/metadata.name': 'default', x: 'y' };
    assert.deepEqual(changed.metadata.labels, labels);
    assert.deepEqual(changed.spec.finalizers, ['kubernetes']);
    assert.equal(changed.status.phase, 'Active');
  });

  test('is terminating until its last finalizer is removed', async () => {
    await send('POST', '/api/v1/namespaces', { metadata: { name: 'a' } });
    const marked = await send('DELETE', '/api/v1/namespaces/a');
    assert.equal(marked.status.phase, 'Terminating');
    assert.ok(marked.metadata.deletionTimestamp);
    assert.equal(marked.metadata.deletionGracePeriodSeconds, undefined);
    const again = await send('DELETE', '/api/v1/namespaces/a');
    assert.deepEqual(again.metadata, marked.metadata);
    const body = { metadata: { name: 'a' }, spec: { finalizers: [] } };
    assert.equal((await send('PUT', '/api/v1/namespaces/a/finalize', body)).code, 200);
    assert.equal((await send('GET', '/api/v1/namespaces/a')).code, 404);
  });

  test('without finalizers needs a second delete', async () => {
    await send('POST', '/api/v1/namespaces', { metadata: { name: 'a' } });
    await send('PUT', '/api/v1/namespaces/a/finalize', { metadata: { name: 'a' } });
    assert.equal((await send('DELETE', '/api/v1/namespaces/a')).status.phase, 'Terminating');
    assert.equal((await send('GET', '/api/v1/namespaces/a')).code, 200);
    assert.equal((await send('DELETE', '/api/v1/namespaces/a')).kind, 'Namespace');
    assert.equal((await send('GET', '/api/v1/namespaces/a')).code, 404);
  });

  for (const name of ['default', 'kube-system', 'kube-public']) {
    test(`named ${name} cannot be deleted`, async () => {
      await send('POST', '/api/v1/namespaces', { metadata: { name } });
      const refused = await send('DELETE', `/api/v1/namespaces/${name}`);
      assert.equal(refused.code, 403);
      assert.equal(
        refused.message,
        `namespaces "${name}" is forbidden: this namespace may not be deleted`,
      );
    });
  }

  test('has the phase Terminating when it is being deleted', async () => {
    const body = { metadata: { name: 'default' }, status: { phase: 'Terminating' } };
    const refused = await send('PUT', '/api/v1/namespaces/default/status', body);
    assert.equal(
      refused.message,
      `Namespace "default" is invalid: status.Phase: Invalid value: "Terminating": may only be 'Active' if \`deletionTimestamp\` is empty`,
    );
  });

  test('rejects an unknown finalizer', async () => {
    const body = { metadata: { name: 'default' }, spec: { finalizers: ['kubernetes', 'hold'] } };
    const refused = await send('PUT', '/api/v1/namespaces/default/finalize', body);
    assert.equal(
      refused.message,
      'Namespace "default" is invalid: spec.finalizers[1]: Invalid value: "hold": name is neither a standard finalizer name nor is it fully qualified',
    );
  });
});

describe('field selectors', () => {
  const cases = [
    { path: '/api/v1/namespaces', selector: 'status.phase=Active', want: ['default'] },
    { path: '/api/v1/namespaces', selector: 'metadata.name=default', want: ['default'] },
    { path: '/api/v1/namespaces', selector: 'name=x', want: 'field label not supported: name' },
    {
      path: '/api/v1/namespaces',
      selector: 'metadata.namespace=x',
      want: 'field label not supported: metadata.namespace',
    },
    { path: '/api/v1/secrets', selector: 'type=Opaque', want: [] },
    { path: '/api/v1/secrets', selector: 'metadata.namespace=x', want: [] },
    { path: '/api/v1/secrets', selector: 'data=x', want: 'field label not supported: data' },
    {
      path: '/api/v1/configmaps',
      selector: 'data=x',
      want: '"data" is not a known field selector: only "metadata.name", "metadata.namespace"',
    },
  ];
  for (const { path, selector, want } of cases) {
    test(`${path} by ${selector}`, async () => {
      const found = await send('GET', `${path}?fieldSelector=${encodeURIComponent(selector)}`);
      if (typeof want === 'string') assert.equal(found.message, want);
      else
        assert.deepEqual(
          found.items.map(({ metadata }) => metadata.name),
          want,
        );
    });
  }
});

test('names and verbs', async () => {
  const { resources } = await send('GET', '/api/v1');
  const found = resources.map(({ name, singularName, shortNames = [], verbs }) =>
    [name, singularName, shortNames.join(), verbs.includes('deletecollection')].join(' '),
  );
  assert.deepEqual(found, [
    'componentstatuses componentstatus cs false',
    'configmaps configmap cm true',
    'endpoints endpoints ep true',
    'namespaces namespace ns false',
    'namespaces/finalize   false',
    'namespaces/status   false',
    'secrets secret  true',
    'serviceaccounts serviceaccount sa true',
    'serviceaccounts/token   false',
  ]);
});

test('TokenRequest is created by the subresource token', async () => {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await send('POST', accounts, { metadata: { name: 'a' } });
  const response = await send('POST', `${accounts}/a/token`, { spec: { audiences: ['x'] } });
  assert.equal(response.code, 201);
  assert.equal(response.kind, 'TokenRequest');
  assert.equal(response.status.token, 'secret');
});

test('an unknown ComponentStatus is not found', async () => {
  assert.equal((await send('GET', '/api/v1/componentstatuses/store')).code, 200);
  const missing = await send('GET', '/api/v1/componentstatuses/x');
  assert.equal(missing.message, 'componentstatus "x" not found');
});

test('stringData of a Secret is stored as data', async () => {
  const secrets = '/api/v1/namespaces/default/secrets';
  await send('POST', secrets, { metadata: { name: 'a' }, stringData: { a: '1' } });
  await send('PATCH', `${secrets}/a`, { stringData: { b: '2' } });
  assert.deepEqual((await send('GET', `${secrets}/a`)).data, { a: 'MQ==', b: 'Mg==' });
});
