/** The status is written apart from everything else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Widget } from '../everything-api.ts';
import { type Loose, outcomeOf, revisionOf, startEverything, widgetsPath } from './fixture.ts';

const path = `${widgetsPath()}/a`;
const status = { subresource: 'status' };

test('an update of the status changes nothing else', async (t) => {
  const client = (await startEverything(t)).client(Widget);
  const before = await client.create({
    metadata: { name: 'a', labels: { stays: 'yes' } },
    spec: { colour: 'green' },
  });
  const sent = {
    ...before,
    metadata: {
      name: 'a',
      resourceVersion: before.metadata.resourceVersion ?? '',
      labels: { other: 'x' },
      finalizers: ['example.com/x'],
    },
    spec: { colour: 'blue' as const },
    status: { phase: 'Ready' },
  };
  const after = await client.update(sent, status);
  assert.deepEqual(after.status, { phase: 'Ready' });
  assert.deepEqual(after.spec, before.spec);
  assert.deepEqual(after.metadata.labels, { stays: 'yes' });
  assert.equal(after.metadata.finalizers, undefined);
  assert.equal(after.metadata.generation, 1);
  assert.notEqual(after.metadata.resourceVersion, before.metadata.resourceVersion);
  assert.deepEqual(await client.get('a', status), after);
});

const patches = [
  { type: 'merge', body: { spec: { colour: 'blue' }, status: { phase: 'Ready' } } },
  {
    type: 'json',
    body: [
      { op: 'add', path: '/spec/colour', value: 'blue' },
      { op: 'add', path: '/status', value: { phase: 'Ready' } },
    ],
  },
  { type: 'strategic', body: { spec: { colour: 'blue' }, status: { phase: 'Ready' } } },
] as const;

for (const { type, body } of patches) {
  test(`a ${type} patch of the status changes nothing else`, async (t) => {
    const client = (await startEverything(t)).client(Widget);
    const before = await client.create({ metadata: { name: 'a' }, spec: {} });
    const after = await client.patch('a', body, { ...status, type });
    assert.deepEqual(after.spec, before.spec);
    assert.deepEqual(after.status, { phase: 'Ready' });
    assert.equal(after.metadata.generation, 1);
  });
}

test('everything else changes without the status, and a new object has none', async (t) => {
  const client = (await startEverything(t)).client(Widget);
  const made = await client.create({
    metadata: { name: 'a' },
    spec: {},
    status: { phase: 'Mine' },
  });
  assert.equal(made.status, undefined);
  const known = await client.patch('a', { status: { phase: 'Ready' } }, status);
  const updated = await client.update({ ...known, spec: { replicas: 3 }, status: { phase: 'No' } });
  assert.deepEqual(updated.status, { phase: 'Ready' });
  assert.equal(updated.metadata.generation, 2);
  const patched = await client.patch('a', { status: null, spec: { replicas: 4 } });
  assert.deepEqual(patched.status, { phase: 'Ready' });
  assert.equal(patched.metadata.generation, 3);
  const { metadata } = await client.patch('a', { metadata: { labels: { a: 'b' } } });
  assert.equal(metadata.generation, 3, 'metadata is not counted');
});

test('the status of one version is that of all', async (t) => {
  const client = (await startEverything(t)).client(Widget);
  await client.create({ metadata: { name: 'a' }, spec: { size: 1 } });
  await client.in('v1alpha1').patch('a', { status: { phase: 'Ready' } }, status);
  const { spec, status: stored } = await client.get('a');
  assert.deepEqual([spec.size, stored], [1, { phase: 'Ready' }]);
});

test('a write of the same status is none', async (t) => {
  const server = await startEverything(t);
  const client = server.client(Widget);
  await client.create({ metadata: { name: 'a' }, spec: {} });
  const { metadata } = await client.patch('a', { status: { phase: 'Ready' } }, status);
  await server.clock.advance(60_000);
  const again = await client.patch('a', { status: { phase: 'Ready' } }, status);
  assert.equal(again.metadata.resourceVersion, metadata.resourceVersion);
});

interface Row {
  readonly name: string;
  readonly method?: string;
  readonly path?: string;
  readonly body: object;
  readonly want: object;
}
const rows: Row[] = [
  {
    name: 'an object that is not there',
    path: `${widgetsPath()}/b/status`,
    body: { metadata: { name: 'b' }, status: {} },
    want: {
      status: 404,
      reason: 'NotFound',
      message: 'widgets.everything.example.com "b" not found',
    },
  },
  {
    name: 'an old resourceVersion',
    body: { metadata: { name: 'a', resourceVersion: '1' }, status: { phase: 'x' } },
    want: {
      status: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on widgets.everything.example.com "a": the object has been modified; please apply your changes to the latest version and try again',
    },
  },
  {
    name: 'another name',
    body: { metadata: { name: 'b' }, status: {} },
    want: {
      status: 400,
      reason: 'BadRequest',
      message: 'the name of the object (b) does not match the name on the URL (a)',
    },
  },
  {
    name: 'a status that the schema refuses',
    body: {
      metadata: { name: 'a', resourceVersion: '2' },
      status: { conditions: [{ type: 'Ready', status: 'Maybe' }] },
    },
    want: {
      status: 422,
      reason: 'Invalid',
      message:
        'Widget.everything.example.com "a" is invalid: status.conditions[0].status: Unsupported value: "Maybe": supported values: "True", "False", "Unknown"',
    },
  },
  {
    name: 'a status of the wrong type, by patch',
    method: 'PATCH',
    body: { status: { replicas: 'many' } },
    want: {
      status: 422,
      reason: 'Invalid',
      message:
        'Widget.everything.example.com "a" is invalid: status.replicas: Invalid value: "string": status.replicas in body must be of type integer: "string"',
    },
  },
  { name: 'another method', method: 'POST', body: {}, want: { status: 405 } },
];

for (const { name, method = 'PUT', path: at = `${path}/status`, body, want } of rows) {
  test(`a write of the status is refused for ${name}`, async (t) => {
    const server = await startEverything(t);
    await server.client(Widget).create({ metadata: { name: 'a' }, spec: {} });
    const before = await revisionOf(server);
    const outcome = outcomeOf(await server.request(method, at, { body }));
    assert.deepEqual({ ...outcome, ...want }, outcome);
    assert.equal(await revisionOf(server), before);
  });
}

test('what an object must have elsewhere may be left out of a status', async (t) => {
  const server = await startEverything(t);
  const { metadata } = await server.client(Widget).create({ metadata: { name: 'a' }, spec: {} });
  const body = {
    metadata: { name: 'a', resourceVersion: metadata.resourceVersion },
    status: { phase: 'Ready' },
  };
  const { object, status: code } = await server.request<Loose>('PUT', `${path}/status`, { body });
  assert.equal(code, 200);
  assert.deepEqual([object.spec.colour, object.status], ['red', { phase: 'Ready' }]);
});

test('a dry run writes no status', async (t) => {
  const server = await startEverything(t);
  const client = server.client(Widget);
  const made = await client.create({ metadata: { name: 'a' }, spec: {} });
  const before = await revisionOf(server);
  const dry = { ...status, query: { dryRun: 'All' } };
  const response = await client.patch('a', { status: { phase: 'Ready' } }, dry);
  assert.deepEqual(response.status, { phase: 'Ready' });
  assert.equal(response.metadata.resourceVersion, made.metadata.resourceVersion);
  assert.equal((await client.get('a')).status, undefined);
  assert.equal(await revisionOf(server), before);
});
