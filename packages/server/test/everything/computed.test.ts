/** A kind without storage: its objects are computed per request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Estimate, Widget } from '../everything-api.ts';
import { GROUP, outcomeOf, revisionOf, startEverything, TABLE } from './fixture.ts';

const path = `/apis/${GROUP}/v1/namespaces/default/estimates`;

test('what is computed is read and listed like anything else', async (t) => {
  const server = await startEverything(t);
  const widgets = server.client(Widget);
  await widgets.create({ metadata: { name: 'a' }, spec: { replicas: 3 } });
  await widgets.create({ metadata: { name: 'b' }, spec: { replicas: 5 } });
  await widgets.inNamespace('eu').create({ metadata: { name: 'c' }, spec: { replicas: 1 } });
  const estimates = server.client(Estimate);
  assert.deepEqual(await estimates.get('a'), {
    kind: 'Estimate',
    apiVersion: `${GROUP}/v1`,
    metadata: { name: 'a', namespace: 'default' },
    spec: { replicas: 3 },
    status: { hours: 6 },
  });
  const { items, metadata, kind } = await estimates.list();
  assert.deepEqual([kind, items.map(({ status }) => status?.hours)], ['EstimateList', [6, 10]]);
  assert.equal(metadata.resourceVersion, String(await revisionOf(server)));
  assert.equal((await estimates.inNamespace('').list()).items.length, 3);
  await widgets.patch('a', { spec: { replicas: 4 } });
  assert.equal((await estimates.get('a')).status?.hours, 8, 'as new as what it is made of');
});

test('a create of a computed kind gets a response, and nothing is stored', async (t) => {
  const server = await startEverything(t);
  const before = await revisionOf(server);
  const response = await server
    .client(Estimate)
    .create({ metadata: { name: 'q' }, spec: { replicas: 10 } });
  assert.equal(response.status?.hours, 20);
  assert.equal(await revisionOf(server), before);
  await assert.rejects(server.client(Estimate).get('q'), { code: 404 });
});

const selections = [
  { query: { fieldSelector: 'metadata.name=a' }, names: ['a'] },
  { query: { fieldSelector: 'metadata.name!=a' }, names: ['b'] },
  { query: { fieldSelector: 'metadata.namespace=eu' }, names: [] },
  { query: { labelSelector: 'x' }, names: [] },
  { query: { labelSelector: '!x' }, names: ['a', 'b'] },
];

test('computed lists are selected from', async (t) => {
  const server = await startEverything(t);
  for (const name of ['a', 'b']) {
    await server.client(Widget).create({ metadata: { name }, spec: {} });
  }
  for (const { query, names } of selections) {
    const { items } = await server.client(Estimate).list(query);
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      names,
      JSON.stringify(query),
    );
  }
});

test('a Table says nothing of a time that never was', async (t) => {
  const server = await startEverything(t);
  await server.client(Widget).create({ metadata: { name: 'a' }, spec: {} });
  const { object } = await server.request<{
    columnDefinitions: { name: string }[];
    rows: { cells: unknown[] }[];
  }>('GET', path, { headers: { Accept: TABLE } });
  const names = object.columnDefinitions.map(({ name }) => name);
  assert.deepEqual(
    [names, object.rows[0]?.cells],
    [
      ['Name', 'Created At'],
      ['a', '<unknown>'],
    ],
  );
});

const notAllowed = 'the server does not allow this method on the requested resource';
const rows = [
  { name: 'an update', method: 'PUT', at: '/a', status: 405, message: notAllowed },
  { name: 'a patch', method: 'PATCH', at: '/a', status: 405, message: notAllowed },
  { name: 'a delete', method: 'DELETE', at: '/a', status: 405, message: notAllowed },
  { name: 'the delete of all', method: 'DELETE', at: '', status: 405, message: notAllowed },
  {
    name: 'a watch',
    method: 'GET',
    at: '?watch=true',
    status: 405,
    message: `watch is not supported on resources of kind "estimates.${GROUP}"`,
  },
  {
    name: 'a status',
    method: 'GET',
    at: '/a/status',
    status: 404,
    message: 'the server could not find the requested resource',
  },
  {
    name: 'an unknown field selector',
    method: 'GET',
    at: '?fieldSelector=spec.replicas%3D1',
    status: 400,
    message:
      '"spec.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"',
  },
  {
    name: 'a question that the schema refuses',
    method: 'POST',
    at: '',
    body: { metadata: { name: 'q' }, spec: { replicas: -1 } },
    status: 422,
    message: `Estimate.${GROUP} "q" is invalid: spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0`,
  },
];

for (const { name, method, at, body, status, message } of rows) {
  test(`of what is computed, ${name} is refused`, async (t) => {
    const server = await startEverything(t);
    const response = await server.request(method, path + at, body === undefined ? {} : { body });
    const outcome = outcomeOf(response);
    assert.deepEqual({ status: outcome.status, message: outcome.message }, { status, message });
  });
}

test('discovery tells what can be done with it', async (t) => {
  const server = await startEverything(t);
  const { object } = await server.request<{ resources: { name: string; verbs: string[] }[] }>(
    'GET',
    `/apis/${GROUP}/v1`,
  );
  const verbs = new Map(object.resources.map((one) => [one.name, one.verbs]));
  assert.deepEqual(verbs.get('estimates'), ['create', 'get', 'list']);
  assert.deepEqual(verbs.get('shelves'), ['create', 'delete', 'get', 'list', 'watch']);
  assert.deepEqual(verbs.get('widgets/status'), ['get', 'patch', 'update']);
  assert.deepEqual(verbs.get('widgets/scale'), ['get', 'patch', 'update']);
  assert.deepEqual(verbs.get('widgets/reset'), ['create']);
  assert.deepEqual(verbs.get('widgets/console'), ['create', 'get']);
});
