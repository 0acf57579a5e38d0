/** A server in a test: no port, its own time, as new in milliseconds. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { StatusError } from '@tributary/apimachinery';
import { httpsRequest } from '../../../test/harness/index.ts';
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
  testStartMs,
} from '../src/testing/index.ts';
import { everything, Shelf, Widget } from './everything-api.ts';

async function start(t: TestContext, options?: TestServerOptions): Promise<TestServer> {
  const server = await startTestServer(everything, options);
  t.after(() => server.close());
  return server;
}

const widgets = '/apis/everything.example.com/v1/namespaces/default/widgets';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

test('a typed client does what kubectl does', async (t) => {
  const server = await start(t);
  const client = server.client(Widget);
  const created = await client.create({ metadata: { name: 'a' }, spec: { colour: 'green' } });
  assert.equal(created.spec.colour, 'green');
  const updated = await client.update({ ...created, spec: { ...created.spec, replicas: 4 } });
  assert.equal(updated.metadata.generation, 2);
  const patched = await client.patch('a', { spec: { replicas: 5 } });
  assert.equal(patched.spec.replicas, 5);
  const beta = await client.in('v1beta1').get('a');
  assert.equal(beta.spec.count, 5);
  assert.deepEqual((await client.list({ fieldSelector: 'spec.colour=red' })).items, []);
  const reset = await client.run('a', 'reset', { reason: 'new' });
  assert.deepEqual(reset, {
    apiVersion: 'everything.example.com/v1',
    kind: 'WidgetReset',
    colour: 'red',
    reason: 'new',
  });
  const { kind } = (await client.delete('a')) as { kind: string };
  assert.equal(kind, 'Status');
  assert.deepEqual((await client.list()).items, []);
});

test('an API can be cluster-scoped, and a namespace another one', async (t) => {
  const server = await start(t);
  await server.client(Shelf).create({ metadata: { name: 'high' }, room: 'a' });
  assert.equal((await server.client(Shelf).get('high')).boards, 4);
  const client = server.client(Widget).inNamespace('eu');
  const { metadata } = await client.create({ metadata: { generateName: 'w-' }, spec: {} });
  assert.deepEqual([metadata.namespace, metadata.name], ['eu', 'w-bbbbb']);
  assert.deepEqual((await server.client(Widget).list()).items, []);
  assert.equal((await client.inNamespace('').list()).items.length, 1);
});

test('what fails is thrown as the Status that the server sent', async (t) => {
  const client = (await start(t)).client(Widget);
  await assert.rejects(client.get('a'), (error) => {
    assert.ok(error instanceof StatusError);
    assert.deepEqual(error.status, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'widgets.everything.example.com "a" not found',
      reason: 'NotFound',
      details: { name: 'a', group: 'everything.example.com', kind: 'widgets' },
      code: 404,
    });
    return true;
  });
  await assert.rejects(client.watch({ fieldSelector: 'nothing=1' }), { code: 400 });
});

test('a request sees everything a request over the network sees', async (t) => {
  const server = await start(t);
  const alpha = '/apis/everything.example.com/v1alpha1/namespaces/default/widgets';
  const { status, headers, warnings, text } = await server.request('GET', alpha);
  assert.equal(status, 200);
  assert.equal(headers.get('cache-control'), 'no-cache, private');
  assert.match(
    warnings.join(),
    /^everything.example.com\/v1alpha1 Widget is deprecated in v1.30\+/,
  );
  assert.match(text, /"items":\[\]/);
  const yaml = await server.request('GET', widgets, { headers: { Accept: 'application/yaml' } });
  assert.match(yaml.text, /^apiVersion: everything/);
  const large = await server.request('POST', widgets, { body: Buffer.alloc(3 * 1024 * 1024 + 1) });
  assert.equal(large.status, 413);
  assert.equal((await server.request('GET', '/openapi/v3')).status, 200);
  assert.equal((await server.request('GET', '/readyz')).text, 'ok');
  assert.equal((await server.request('GET', '/nowhere')).status, 404);
});

test('integers beyond 2^53 come back as they were sent', async (t) => {
  const server = await start(t);
  const body = { metadata: { name: 'a' }, spec: { serial: 9007199254740993n } };
  const created = await server.request<{ spec: { serial: bigint } }>('POST', widgets, { body });
  assert.equal(created.object.spec.serial, 9007199254740993n);
});

test('a watch is an iterator that ends when it is left', async (t) => {
  const client = (await start(t)).client(Widget);
  const first = await client.create({ metadata: { name: 'a' }, spec: {} });
  const { resourceVersion = '' } = first.metadata;
  const watch = await client.watch({ resourceVersion });
  await client.patch('a', { spec: { replicas: 2 } });
  await client.delete('a');
  const seen: string[] = [];
  for await (const { type, object } of watch) {
    seen.push(`${type} ${object.spec.replicas}`);
    if (type === 'DELETED') break;
  }
  assert.deepEqual(seen, ['MODIFIED 2', 'DELETED 2']);
  assert.deepEqual(await watch.next(), { done: true, value: undefined });
  await assert.rejects(watch.event(), /the watch has ended/);
});

test('a watch that cannot go on throws what the server says', async (t) => {
  const server = await start(t);
  const client = server.client(Widget);
  for (const name of ['a', 'b', 'c']) await client.create({ metadata: { name }, spec: {} });
  await server.storage.compact((await server.storage.currentRevision()) as never);
  const watch = await client.watch({ resourceVersion: '1' });
  await assert.rejects(watch.event(), { code: 410, reason: 'Expired' });
});

test('time stands still until it is told to pass', async (t) => {
  const server = await start(t);
  const client = server.client(Widget);
  const { metadata } = await client.create({ metadata: { name: 'a' }, spec: {} });
  assert.equal(metadata.creationTimestamp, '2030-01-01T00:00:00Z');
  assert.equal(metadata.managedFields?.[0]?.time, '2030-01-01T00:00:00Z');
  await server.clock.advance(3 * 3_600_000);
  const { object } = await server.request<{ rows: { cells: unknown[] }[] }>('GET', widgets, {
    headers: { Accept: TABLE },
  });
  assert.equal(object.rows[0]?.cells.at(-1), '3h');
  const marked = await client.patch('a', { metadata: { finalizers: ['example.com/hold'] } });
  assert.equal(marked.metadata.managedFields?.at(-1)?.time, '2030-01-01T03:00:00Z');
  await server.clock.advance(1000);
  await client.delete('a');
  const dying = await client.get('a');
  assert.equal(dying.metadata.deletionTimestamp, '2030-01-01T03:00:01Z');
});

test('bookmarks and the end of a watch fall due by the virtual clock', async (t) => {
  const server = await start(t);
  const client = server.client(Widget);
  await client.create({ metadata: { name: 'a' }, spec: {} });
  const watch = await client.watch({ allowWatchBookmarks: true, timeoutSeconds: 100 });
  assert.equal((await watch.event()).type, 'ADDED');
  await server.clock.advance(65_000);
  assert.equal((await watch.event()).type, 'BOOKMARK');
  await server.clock.advance(40_000);
  const rest: string[] = [];
  for await (const { type } of watch) rest.push(type);
  assert.ok(
    rest.every((type) => type === 'BOOKMARK'),
    rest.join(),
  );
});

test('a request that takes too long ends by the virtual clock', async (t) => {
  const server = await start(t, { requestTimeoutMs: 5000 });
  // A revision that does not exist yet is waited for.
  const waiting = server.request(`GET`, `${widgets}?resourceVersion=1000000`);
  await server.clock.advance(2000);
  assert.equal(await Promise.race([waiting, 'waits']), 'waits');
  await server.clock.advance(3000);
  assert.equal((await waiting).status, 504);
});

test('a reset leaves nothing behind', async (t) => {
  const server = await start(t);
  const client = server.client(Widget);
  const make = () => client.create({ metadata: { generateName: 'w-' }, spec: {} });
  const first = await make();
  const watch = await client.watch();
  await watch.event();
  await server.clock.advance(1000);
  await server.reset();
  assert.deepEqual(await watch.next(), { done: true, value: undefined });
  assert.deepEqual((await client.list()).items, []);
  assert.equal(server.clock.nowMs(), testStartMs);
  assert.deepEqual(await make(), first, 'the same name, uid, revision and time');
});

test('servers know nothing of each other', async (t) => {
  const [one, other] = await Promise.all([start(t), start(t)]);
  await one.client(Widget).create({ metadata: { name: 'a' }, spec: {} });
  await one.clock.advance(1000);
  assert.deepEqual((await other.client(Widget).list()).items, []);
  assert.equal(other.clock.nowMs(), testStartMs);
});

test('who asks can be anybody', async (t) => {
  const server = await start(t, {
    authorizer: ({ user, info }) => ({ allowed: user.name !== 'eve' || info.verb === 'list' }),
  });
  const eve = server.as('eve');
  assert.deepEqual((await eve.client(Widget).list()).items, []);
  await assert.rejects(eve.client(Widget).get('a'), {
    code: 403,
    message:
      'widgets.everything.example.com "a" is forbidden: User "eve" cannot get resource "widgets" in API group "everything.example.com" in the namespace "default"',
  });
  assert.equal((await server.request('GET', `${widgets}/a`, { user: 'eve' })).status, 403);
  assert.equal((await server.request('GET', `${widgets}/a`)).status, 404);
});

test('what went wrong in the server can be looked at', async (t) => {
  const server = await start(t);
  await server.client(Widget).create({ metadata: { name: 'a' }, spec: { replicas: 3 } });
  assert.deepEqual(server.bugs, []);
  const [stored] = (await server.storage.list('/registry/')).items;
  assert.ok(stored);
  await server.storage.commit({
    require: [],
    writes: [{ kind: 'put', key: stored.key.replace('/a', '/b'), value: Buffer.from('{}') }],
  });
  assert.equal((await server.request('GET', `${widgets}/b`)).status, 500);
  assert.notEqual(server.bugs.length, 0);
  await server.reset();
  assert.deepEqual(server.bugs, []);
});

test('a port is for other programs', async (t) => {
  const server = await start(t);
  const port = await server.listen();
  const authorization = `Bearer ${port.token}`;
  const ask = (headers: Record<string, string>) =>
    httpsRequest(`${port.url}${widgets}`, { ca: port.ca, headers });
  assert.equal((await ask({ authorization })).status, 200);
  assert.equal((await ask({ authorization: `${authorization}x` })).status, 401);
  const { clusters } = JSON.parse(port.kubeconfig) as {
    clusters: { cluster: { server: string } }[];
  };
  assert.equal(clusters[0]?.cluster.server, port.url);
  await server.client(Widget).create({ metadata: { name: 'a' }, spec: {} });
  await server.reset();
  assert.match((await ask({ authorization })).body, /"items":\[\]/);
});
