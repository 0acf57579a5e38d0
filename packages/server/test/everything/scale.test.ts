/** Scale: one number of any kind, as autoscalers read and write it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestServer } from '../../src/testing/index.ts';
import { Widget } from '../everything-api.ts';
import {
  GROUP,
  type Loose,
  outcomeOf,
  revisionOf,
  startEverything,
  TABLE,
  VERSIONS,
  widgetsPath,
} from './fixture.ts';

const path = `${widgetsPath()}/a/scale`;

async function withWidget(server: TestServer): Promise<Loose> {
  const client = server.client(Widget);
  await client.create({ metadata: { name: 'a' }, spec: { replicas: 3, colour: 'green' } });
  const status = { replicas: 2, selector: 'app=a' };
  return (await client.patch('a', { status }, { subresource: 'status' })) as unknown as Loose;
}

function scale(widget: Loose, spec: object, metadata: object = {}): object {
  const { uid, resourceVersion } = widget.metadata;
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'a', namespace: 'default', uid, resourceVersion, ...metadata },
    spec,
  };
}

test('the numbers of an object are read from where its kind keeps them, in every version', async (t) => {
  const server = await startEverything(t);
  const { metadata } = await withWidget(server);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  for (const version of VERSIONS) {
    const { object } = await server.request('GET', `${widgetsPath(version)}/a/scale`);
    assert.deepEqual(object, {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
      spec: { replicas: 3 },
      status: { replicas: 2, selector: 'app=a' },
    });
  }
});

test('a PUT changes the number, counts as a change of the spec, and nothing else', async (t) => {
  const server = await startEverything(t);
  const before = await withWidget(server);
  const body = scale(before, { replicas: 8 });
  const { status, object } = await server.request<Loose>('PUT', path, { body });
  assert.deepEqual([status, object.spec, object.status?.replicas], [200, { replicas: 8 }, 2]);
  const after = await server.client(Widget).get('a');
  assert.deepEqual([after.spec.replicas, after.spec.colour], [8, 'green']);
  assert.equal(after.metadata.generation, 2);
  assert.equal(object.metadata.resourceVersion, after.metadata.resourceVersion);
});

for (const { contentType, body } of [
  { contentType: 'application/merge-patch+json', body: { spec: { replicas: 0 } } },
  {
    contentType: 'application/json-patch+json',
    body: [{ op: 'replace', path: '/spec/replicas', value: 0 }],
  },
]) {
  test(`a ${contentType} changes the number; none at all is an empty spec`, async (t) => {
    const server = await startEverything(t);
    await withWidget(server);
    const { status, object } = await server.request<Loose>('PATCH', path, { body, contentType });
    assert.deepEqual([status, object.spec], [200, {}]);
    assert.equal((await server.client(Widget).get('a')).spec.replicas, 0);
  });
}

interface Row {
  readonly name: string;
  readonly body: (widget: Loose) => unknown;
  readonly method?: string;
  readonly want: { status: number; reason?: string; message?: string };
}
const rows: Row[] = [
  {
    name: 'fewer than none',
    body: (widget) => scale(widget, { replicas: -1 }),
    want: {
      status: 422,
      reason: 'Invalid',
      message:
        'Scale.autoscaling "a" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    },
  },
  {
    name: 'more than the kind allows',
    body: (widget) => scale(widget, { replicas: 1001 }),
    want: {
      status: 422,
      reason: 'Invalid',
      message: `Widget.${GROUP} "a" is invalid: spec.replicas: Invalid value: 1001: spec.replicas in body should be less than or equal to 1000`,
    },
  },
  {
    name: 'an old resourceVersion',
    body: (widget) => scale(widget, { replicas: 4 }, { resourceVersion: '2' }),
    want: {
      status: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on widgets.${GROUP} "a": the object has been modified; please apply your changes to the latest version and try again`,
    },
  },
  {
    name: 'another uid',
    body: (widget) => scale(widget, { replicas: 4 }, { uid: 'other' }),
    want: {
      status: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on widgets.${GROUP} "a": StorageError: invalid object, Code: 4, Key: /registry/${GROUP}/widgets/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: 00000000-0000-4000-8000-000000000001`,
    },
  },
  {
    name: 'another name',
    body: (widget) => scale(widget, { replicas: 4 }, { name: 'b' }),
    want: {
      status: 400,
      reason: 'BadRequest',
      message: 'the name of the object (b) does not match the name on the URL (a)',
    },
  },
  {
    name: 'another kind',
    body: (widget) => ({ ...scale(widget, {}), kind: 'Widget' }),
    want: { status: 400, reason: 'BadRequest' },
  },
  {
    name: 'another version of it',
    body: (widget) => ({ ...scale(widget, {}), apiVersion: 'autoscaling/v2' }),
    want: { status: 400, reason: 'BadRequest' },
  },
  {
    name: 'a number that is text',
    body: (widget) => scale(widget, { replicas: 'many' }),
    want: { status: 422, reason: 'Invalid' },
  },
  { name: 'another method', method: 'DELETE', body: () => undefined, want: { status: 405 } },
];

for (const { name, method = 'PUT', body, want } of rows) {
  test(`a scale is refused for ${name}`, async (t) => {
    const server = await startEverything(t);
    const widget = await withWidget(server);
    const before = await revisionOf(server);
    const sent = body(widget);
    const outcome = outcomeOf(
      await server.request(method, path, sent === undefined ? {} : { body: sent }),
    );
    assert.deepEqual({ ...outcome, ...want }, outcome);
    assert.equal(await revisionOf(server), before);
  });
}

test('a scale has columns of its own, and what is not there has no scale', async (t) => {
  const server = await startEverything(t);
  await withWidget(server);
  await server.clock.advance(60_000);
  const { object } = await server.request<{
    columnDefinitions: { name: string }[];
    rows: { cells: unknown[] }[];
  }>('GET', path, { headers: { Accept: TABLE } });
  assert.deepEqual(
    object.columnDefinitions.map(({ name }) => name),
    ['Name', 'Desired', 'Available', 'Age'],
  );
  assert.deepEqual(object.rows[0]?.cells, ['a', 3, 2, '60s']);
  const missing = await server.request('GET', `${widgetsPath()}/b/scale`);
  assert.deepEqual(outcomeOf(missing), {
    status: 404,
    reason: 'NotFound',
    message: `widgets.${GROUP} "b" not found`,
  });
});

test('an object without the field cannot be read as a scale', async (t) => {
  const server = await startEverything(t);
  const value = Buffer.from(
    `{"kind":"Widget","apiVersion":"${GROUP}/v1","metadata":{"name":"b","namespace":"default","uid":"u"},"spec":{}}`,
  );
  const key = `/registry/${GROUP}/widgets/default/b`;
  await server.storage.commit({ require: [], writes: [{ kind: 'put', key, value }] });
  assert.deepEqual(outcomeOf(await server.request('GET', `${widgetsPath()}/b/scale`)), {
    status: 500,
    reason: 'InternalError',
    message: 'Internal error occurred: the spec replicas field ".spec.replicas" does not exist',
  });
});

test('who scales owns the number, and whoever had it does not', async (t) => {
  const server = await startEverything(t);
  const { metadata } = await withWidget(server);
  const ownersOf = (entries = metadata.managedFields ?? []) =>
    entries
      .filter(({ fieldsV1 }) => JSON.stringify(fieldsV1).includes('"f:replicas":{}'))
      .filter(({ subresource }) => subresource !== 'status')
      .map(({ manager, subresource }) => [manager, subresource]);
  assert.deepEqual(ownersOf(), [['test-client', undefined]]);
  const body = { spec: { replicas: 7 } };
  await server.request('PATCH', `${path}?fieldManager=autoscaler`, { body });
  const after = await server.client(Widget).get('a');
  assert.deepEqual(ownersOf(after.metadata.managedFields), [['autoscaler', 'scale']]);
  const { object } = await server.request<Loose>('GET', path);
  assert.equal(object.metadata.managedFields, undefined);
});

test('an apply to the scale is held back by who owns the number', async (t) => {
  const server = await startEverything(t);
  await withWidget(server);
  const body = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'a' },
    spec: { replicas: 9 },
  };
  const send = (query: string) =>
    server.request('PATCH', `${path}?fieldManager=other${query}`, {
      body,
      contentType: 'application/apply-patch+yaml',
    });
  const refused = outcomeOf(await send(''));
  assert.deepEqual([refused.status, refused.reason], [409, 'Conflict']);
  assert.match(refused.message ?? '', /conflict with "test-client" .*: \.spec\.replicas/);
  assert.equal((await send('&force=true')).status, 200);
  assert.equal((await server.client(Widget).get('a')).spec.replicas, 9);
});

test('a dry run scales nothing', async (t) => {
  const server = await startEverything(t);
  const widget = await withWidget(server);
  const before = await revisionOf(server);
  const body = scale(widget, { replicas: 9 });
  const { object } = await server.request<Loose>('PUT', `${path}?dryRun=All`, { body });
  assert.deepEqual(object.spec, { replicas: 9 });
  assert.equal(await revisionOf(server), before);
});
