/** Actions: POST to an object, and something is done with it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { defineApi, defineResource, version } from '../../src/index.ts';
import { startTestServer } from '../../src/testing/index.ts';
import { Shelf, Widget } from '../everything-api.ts';
import {
  GROUP,
  type Loose,
  outcomeOf,
  revisionOf,
  startEverything,
  widgetsPath,
} from './fixture.ts';

const path = `${widgetsPath()}/a`;

test('an action with a kind of its own returns that kind, and has changed the object', async (t) => {
  const server = await startEverything(t);
  const client = server.client(Widget);
  await client.create({ metadata: { name: 'a' }, spec: { replicas: 5 } });
  const body = {
    apiVersion: `${GROUP}/v1`,
    kind: 'WidgetReset',
    colour: 'green',
    reason: 'a new start',
  };
  const { status, object } = await server.request('POST', `${path}/reset`, { body });
  assert.deepEqual([status, object], [201, body]);
  const { spec, metadata } = await client.get('a');
  assert.deepEqual(spec, { replicas: 0, colour: 'green' });
  assert.equal(metadata.generation, 2);
});

test('an action that returns the object returns it in the requested version', async (t) => {
  const server = await startEverything(t);
  const client = server.client(Widget);
  await server.request('POST', widgetsPath(), {
    body: '{"metadata":{"name":"a"},"spec":{"serial":9007199254740993}}',
  });
  const beta = (await client.in('v1beta1').run('a', 'paint', { colour: 'blue' })) as Loose;
  assert.equal(beta.apiVersion, `${GROUP}/v1beta1`);
  assert.deepEqual(beta.spec.appearance, { colour: 'blue' });
  assert.equal(beta.spec.serial, 9007199254740993n);
  const { metadata, spec } = await client.get('a');
  assert.equal(spec.colour, 'blue');
  assert.equal(metadata.resourceVersion, beta.metadata.resourceVersion);
});

test('an action that returns nothing gets a success Status', async (t) => {
  const server = await startEverything(t);
  await server.client(Shelf).create({ metadata: { name: 'high' }, room: 'a' });
  const { status, object } = await server.request('POST', `/apis/${GROUP}/v1/shelves/high/dust`);
  assert.equal(status, 201);
  assert.deepEqual(object, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {},
    code: 201,
  });
});

test('whoever acts owns what the action has changed', async (t) => {
  const server = await startEverything(t);
  await server.client(Widget).create({ metadata: { name: 'a' }, spec: { colour: 'red' } });
  await server.request('POST', `${path}/paint?fieldManager=painter`, { body: { colour: 'blue' } });
  const { managedFields = [] } = (await server.client(Widget).get('a')).metadata;
  const painter = managedFields.find(({ manager }) => manager === 'painter');
  assert.deepEqual(painter?.fieldsV1, { 'f:spec': { 'f:colour': {} } });
});

interface Row {
  readonly name: string;
  readonly path?: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly want: { status: number; reason?: string; message?: string };
}
const rows: Row[] = [
  {
    name: 'an object that is not there',
    path: `${widgetsPath()}/b/paint`,
    body: { colour: 'red' },
    want: { status: 404, reason: 'NotFound', message: `widgets.${GROUP} "b" not found` },
  },
  {
    name: 'an action that nobody has defined',
    path: `${path}/polish`,
    body: {},
    want: {
      status: 404,
      reason: 'NotFound',
      message: 'the server could not find the requested resource',
    },
  },
  { name: 'another method', method: 'GET', want: { status: 405, reason: 'MethodNotAllowed' } },
  {
    name: 'what the body must have',
    body: {},
    want: {
      status: 422,
      reason: 'Invalid',
      message: `Widget.${GROUP} "a" is invalid: colour: Required value`,
    },
  },
  {
    name: 'what the body must not be',
    body: { colour: 'pink' },
    want: {
      status: 422,
      reason: 'Invalid',
      message: `Widget.${GROUP} "a" is invalid: colour: Unsupported value: "pink": supported values: "red", "green", "blue"`,
    },
  },
  {
    name: 'an empty reason, of the kind that was sent',
    path: `${path}/reset`,
    body: { reason: '' },
    want: {
      status: 422,
      reason: 'Invalid',
      message: `WidgetReset.${GROUP} "a" is invalid: reason: Invalid value: "": reason in body should be at least 1 chars long`,
    },
  },
  {
    name: 'a body that is no object',
    body: [],
    want: {
      status: 400,
      reason: 'BadRequest',
      message: 'the body of the request must be an object',
    },
  },
  { name: 'a body that is no JSON', body: '{', want: { status: 400, reason: 'BadRequest' } },
  {
    name: 'a body of another type',
    body: 'colour=red',
    contentType: 'application/x-www-form-urlencoded',
    want: { status: 415, reason: 'UnsupportedMediaType' },
  },
];

for (const { name, path: at = `${path}/paint`, method = 'POST', body, contentType, want } of rows) {
  test(`an action is refused for ${name}`, async (t) => {
    const server = await startEverything(t);
    await server.client(Widget).create({ metadata: { name: 'a' }, spec: {} });
    const before = await revisionOf(server);
    const response = await server.request(method, at, {
      ...(body !== undefined && { body }),
      ...(contentType !== undefined && { contentType }),
    });
    const outcome = outcomeOf(response);
    assert.deepEqual({ ...outcome, ...want }, outcome);
    assert.equal(await revisionOf(server), before);
  });
}

test('a dry run of an action changes nothing', async (t) => {
  const server = await startEverything(t);
  await server.client(Widget).create({ metadata: { name: 'a' }, spec: {} });
  const before = await revisionOf(server);
  const body = { colour: 'blue' };
  const { status, object } = await server.request<Loose>('POST', `${path}/paint?dryRun=All`, {
    body,
  });
  assert.deepEqual([status, object.spec.colour], [201, 'blue']);
  assert.equal(await revisionOf(server), before);
});

/** Something that counts, and says what happens between looking and writing. */
function counterApi(meanwhile: () => Promise<void>) {
  const Counter = defineResource({
    kind: 'Counter',
    plural: 'counters',
    scope: 'Namespaced',
    versions: {
      v1: version({ spec: Type.Object({ count: Type.Integer({ minimum: 0, maximum: 10 }) }) }),
    },
    subresources: {
      actions: {
        // One that says what it is sent beside one that does not: the types of both are as they say.
        add: {
          body: Type.Object({ by: Type.Integer() }),
          run: async ({ body, object, update }) => {
            const by: number = body.by;
            let attempts = 0;
            await meanwhile();
            await update((live) => {
              attempts += 1;
              return { ...live, spec: { count: live.spec.count + by } };
            });
            return { attempts, seen: object.spec.count };
          },
        },
        clear: {
          run: async ({ body, update }) => {
            const anything: unknown = body;
            assert.deepEqual(anything, {});
            await update((live) => ({ ...live, spec: { count: 0 } }));
            return undefined;
          },
        },
      },
    },
  });
  return { Counter, api: defineApi({ group: 'count.example.com', resources: [Counter] }) };
}

test('an action that loses a race is asked again, and loses nothing', async (t) => {
  let meanwhile = async () => {};
  const { Counter, api } = counterApi(() => meanwhile());
  const server = await startTestServer(api);
  t.after(() => server.close());
  const client = server.client(Counter);
  await client.create({ metadata: { name: 'a' }, spec: { count: 1 } });
  await client.get('a');
  const both = await Promise.all([
    client.run('a', 'add', { by: 2 }),
    client.run('a', 'add', { by: 3 }),
  ]);
  assert.equal((await client.get('a')).spec.count, 6);
  const attempts = both.map((response) => (response as { attempts: number }).attempts).sort();
  assert.ok((attempts[1] ?? 0) > 1, `one of them was overtaken: ${attempts}`);
  // A change between the read and the write of the action is not lost.
  meanwhile = async () => {
    meanwhile = async () => {};
    await client.patch('a', { spec: { count: 0 } });
  };
  assert.deepEqual(await client.run('a', 'add', { by: 1 }), { attempts: 1, seen: 6 });
  assert.equal((await client.get('a')).spec.count, 1);
  await client.run('a', 'clear', {});
  assert.equal((await client.get('a')).spec.count, 0);
});

test('what an action makes of an object is judged as what a client sends', async (t) => {
  const { Counter, api } = counterApi(async () => {});
  const server = await startTestServer(api);
  t.after(() => server.close());
  const client = server.client(Counter);
  await client.create({ metadata: { name: 'a' }, spec: { count: 9 } });
  await assert.rejects(client.run('a', 'add', { by: 2 }), {
    code: 422,
    message:
      'Counter.count.example.com "a" is invalid: spec.count: Invalid value: 11: spec.count in body should be less than or equal to 10',
  });
  assert.equal((await client.get('a')).spec.count, 9);
});
