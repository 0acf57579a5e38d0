/** Settings of an author: hooks, graceful deletion, verbs and others. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { KubeObject } from '@tributary/apimachinery';
import Type from 'typebox';
import { defineApi, defineResource, fieldError, root, version } from '../../src/index.ts';
import { startTestServer } from '../../src/testing/index.ts';
import { Shelf } from '../everything-api.ts';
import { GROUP, outcomeOf, startEverything } from './fixture.ts';

const asked: string[] = [];
const Task = defineResource({
  kind: 'Task',
  plural: 'tasks',
  scope: 'Namespaced',
  allowUnconditionalUpdate: true,
  allowCreateOnUpdate: true,
  deletionGraceSeconds: ({ spec }) => spec.grace ?? 30,
  versions: {
    v1: version({
      spec: Type.Object({
        owner: Type.Optional(Type.String()),
        grace: Type.Optional(Type.Integer()),
        tags: Type.Optional(Type.Array(Type.String())),
        rank: Type.Optional(Type.Integer()),
      }),
      applyDefaults: ({ spec }) => {
        spec.rank ??= 1;
      },
      prepareForCreate: ({ spec }) => {
        asked.push('prepareForCreate');
        spec.owner ??= 'nobody';
      },
      prepareForUpdate: (next, live) => {
        asked.push(`prepareForUpdate ${live.spec.rank}-${next.spec.rank}`);
        next.spec.owner ??= live.spec.owner ?? 'nobody';
      },
      validate: ({ spec }) => {
        asked.push('validate');
        return spec.owner === 'root'
          ? [fieldError.invalid(root('spec').child('owner'), 'root', 'is not a person')]
          : [];
      },
      validateUpdate: (next, live) => {
        asked.push('validateUpdate');
        return (next.spec.rank ?? 0) < (live.spec.rank ?? 0)
          ? [fieldError.forbidden(root('spec').child('rank'), 'only rises')]
          : [];
      },
      warnings: ({ spec }) => (spec.tags?.includes('') ? ['spec.tags: one is empty'] : []),
      canonicalise: ({ spec }) => {
        spec.tags?.sort();
      },
    }),
  },
});
const Plain = defineResource({
  kind: 'Plain',
  plural: 'plains',
  scope: 'Namespaced',
  tracksGeneration: false,
  versions: { v1: version({ spec: Type.Object({ a: Type.Optional(Type.Integer()) }) }) },
});
const api = defineApi({ group: 'hooks.example.com', resources: [Task, Plain] });
const path = '/apis/hooks.example.com/v1/namespaces/default/tasks';

async function start(t: TestContext) {
  const server = await startTestServer(api);
  t.after(() => server.close());
  asked.length = 0;
  return { server, tasks: server.client(Task) };
}

test('a new object is completed, judged and brought into its one form', async (t) => {
  const { server } = await start(t);
  const body = { metadata: { name: 'a' }, spec: { tags: ['b', '', 'a'] } };
  const { object, warnings } = await server.request<KubeObject>('POST', path, { body });
  assert.deepEqual(object.spec, { tags: ['', 'a', 'b'], rank: 1, owner: 'nobody' });
  assert.deepEqual(warnings, ['spec.tags: one is empty']);
  assert.deepEqual(asked, ['prepareForCreate', 'validate']);
  const refused = await server.request('POST', path, {
    body: { metadata: { name: 'b' }, spec: { owner: 'root' } },
  });
  assert.deepEqual(outcomeOf(refused), {
    status: 422,
    reason: 'Invalid',
    message:
      'Task.hooks.example.com "b" is invalid: spec.owner: Invalid value: "root": is not a person',
  });
});

test('an update is judged by what it changes', async (t) => {
  const { tasks } = await start(t);
  await tasks.create({ metadata: { name: 'a' }, spec: { rank: 3, owner: 'me' } });
  await tasks.get('a');
  asked.length = 0;
  const after = await tasks.update({ metadata: { name: 'a' }, spec: { rank: 4 } });
  assert.deepEqual(after.spec, { rank: 4, owner: 'me' });
  assert.deepEqual(asked, ['prepareForUpdate 3-4', 'validateUpdate']);
  await assert.rejects(tasks.patch('a', { spec: { rank: 2 } }), {
    code: 422,
    message: 'Task.hooks.example.com "a" is invalid: spec.rank: Forbidden: only rises',
  });
});

test('an order that means nothing is no change', async (t) => {
  const { tasks } = await start(t);
  const made = await tasks.create({ metadata: { name: 'a' }, spec: { tags: ['a', 'b'] } });
  const same = await tasks.patch('a', { spec: { tags: ['b', 'a'] } });
  assert.deepEqual(same, made);
});

test('an update without a resourceVersion takes the latest state, where the kind allows it', async (t) => {
  const { server, tasks } = await start(t);
  const plains = server.client(Plain);
  await tasks.create({ metadata: { name: 'a' }, spec: {} });
  await tasks.update({ metadata: { name: 'a' }, spec: { rank: 2 } });
  await plains.create({ metadata: { name: 'a' }, spec: {} });
  await assert.rejects(plains.update({ metadata: { name: 'a' }, spec: { a: 1 } }), {
    code: 422,
    message:
      'plains.hooks.example.com "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
  });
});

test('an update creates what is not there, where the kind allows it', async (t) => {
  const { server } = await start(t);
  const body = { metadata: { name: 'new' }, spec: {} };
  assert.equal((await server.request('PUT', `${path}/new`, { body })).status, 201);
  assert.equal((await server.request('PUT', `${path}/new`, { body })).status, 200);
  const elsewhere = path.replace('tasks', 'plains');
  assert.equal((await server.request('PUT', `${elsewhere}/new`, { body })).status, 404);
});

test('a kind that does not count its changes has no generation', async (t) => {
  const { server } = await start(t);
  const made = await server.client(Plain).create({ metadata: { name: 'a' }, spec: {} });
  const after = await server.client(Plain).patch('a', { spec: { a: 2 } });
  assert.deepEqual([made.metadata.generation, after.metadata.generation], [undefined, undefined]);
});

test('an object with a period of grace stays until somebody says that it is gone', async (t) => {
  const { server, tasks } = await start(t);
  await tasks.create({ metadata: { name: 'a' }, spec: {} });
  const marked = (await tasks.delete('a')) as KubeObject;
  assert.equal(marked.kind, 'Task');
  assert.equal(marked.metadata.deletionTimestamp, '2030-01-01T00:00:30Z');
  assert.equal(marked.metadata.deletionGracePeriodSeconds, 30);
  assert.equal(marked.metadata.generation, 2);
  // Time alone removes nothing: the controller of the object reports when it is done.
  await server.clock.advance(3_600_000);
  assert.equal((await tasks.get('a')).metadata.deletionTimestamp, '2030-01-01T00:00:30Z');
  const gone = (await tasks.delete('a', { gracePeriodSeconds: 0 })) as { status: string };
  assert.equal(gone.status, 'Success');
  await assert.rejects(tasks.get('a'), { code: 404 });
});

interface Deletion {
  readonly name: string;
  readonly requests: readonly object[];
  readonly seconds: number | 'gone';
  readonly until?: string;
}
const deletions: Deletion[] = [
  { name: 'the kind', requests: [{}], seconds: 30, until: '2030-01-01T00:00:30Z' },
  {
    name: 'the client',
    requests: [{ gracePeriodSeconds: 60 }],
    seconds: 60,
    until: '2030-01-01T00:01:00Z',
  },
  {
    name: 'a client that does not want to wait',
    requests: [{ gracePeriodSeconds: 0 }],
    seconds: 'gone',
  },
  {
    name: 'whoever wants it sooner',
    requests: [{}, { gracePeriodSeconds: 10 }],
    seconds: 10,
    until: '2030-01-01T00:00:10Z',
  },
  {
    name: 'nobody who wants it later',
    requests: [{}, { gracePeriodSeconds: 60 }],
    seconds: 30,
    until: '2030-01-01T00:00:30Z',
  },
  {
    name: 'a second delete without options',
    requests: [{}, {}],
    seconds: 30,
    until: '2030-01-01T00:00:30Z',
  },
  {
    name: 'a negative period, which is the shortest',
    requests: [{ gracePeriodSeconds: -1 }],
    seconds: 1,
    until: '2030-01-01T00:00:01Z',
  },
];

for (const { name, requests, seconds, until } of deletions) {
  test(`how long an object stays is said by ${name}`, async (t) => {
    const { tasks } = await start(t);
    await tasks.create({ metadata: { name: 'a' }, spec: {} });
    for (const options of requests) await tasks.delete('a', options);
    if (seconds === 'gone') return assert.rejects(tasks.get('a'), { code: 404 });
    const { metadata } = await tasks.get('a');
    assert.deepEqual(
      [metadata.deletionGracePeriodSeconds, metadata.deletionTimestamp],
      [seconds, until],
    );
  });
}

test('finalizers hold an object beyond its period of grace', async (t) => {
  const { tasks } = await start(t);
  const finalizers = ['example.com/hold'];
  await tasks.create({ metadata: { name: 'a', finalizers }, spec: {} });
  await tasks.delete('a', { gracePeriodSeconds: 0 });
  const { metadata } = await tasks.get('a');
  assert.equal(metadata.deletionGracePeriodSeconds, 0);
  await assert.rejects(tasks.patch('a', { metadata: { finalizers: ['example.com/new'] } }), {
    code: 422,
  });
  const last = await tasks.patch('a', { metadata: { finalizers: null } });
  assert.equal(last.metadata.finalizers, undefined);
  await assert.rejects(tasks.get('a'), { code: 404 });
});

test('a kind may return the deleted object', async (t) => {
  const server = await startEverything(t);
  const shelves = server.client(Shelf);
  const made = await shelves.create({ metadata: { name: 'high' }, room: 'a' });
  const gone = (await shelves.delete('high')) as KubeObject;
  assert.deepEqual([gone.kind, gone.room], ['Shelf', 'a']);
  assert.notEqual(gone.metadata.resourceVersion, made.metadata.resourceVersion);
});

test('a verb that is left out is neither served nor discovered', async (t) => {
  const server = await startEverything(t);
  const shelves = `/apis/${GROUP}/v1/shelves`;
  await server.client(Shelf).create({ metadata: { name: 'high' }, room: 'a' });
  for (const [method, at] of [
    ['PUT', '/high'],
    ['PATCH', '/high'],
    ['DELETE', ''],
  ] as const) {
    const response = await server.request(method, shelves + at, { body: {} });
    assert.deepEqual([response.status, outcomeOf(response).reason], [405, 'MethodNotAllowed']);
  }
  const { object } = await server.request<{ paths: Record<string, Record<string, unknown>> }>(
    'GET',
    `/openapi/v3/apis/${GROUP}/v1`,
  );
  const methods = (at: string) =>
    Object.keys(object.paths[at] ?? {}).filter((name) =>
      /^(get|put|post|delete|patch)$/.test(name),
    );
  assert.deepEqual(methods(`${shelves}/{name}`), ['get', 'delete']);
  assert.deepEqual(methods(shelves), ['get', 'post']);
});
