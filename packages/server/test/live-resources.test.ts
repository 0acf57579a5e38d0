/** Resources that come and go in a running server. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { methodNotSupported } from '@tributary/apimachinery';
import { httpsStream, take } from '../../../test/harness/index.ts';
import { startTestServer, type TestServer } from '../src/testing/index.ts';
import { everything } from './everything-api.ts';
import { type Gadget, type GadgetOptions, gadget, LIVE_GROUP } from './live-fixture.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const v1 = `/apis/${LIVE_GROUP}/v1/namespaces/default/gadgets`;
const v2 = `/apis/${LIVE_GROUP}/v2/namespaces/default/gadgets`;

async function start(t: TestContext): Promise<TestServer> {
  const server = await startTestServer(everything);
  t.after(() => server.close());
  return server;
}

async function startWith(t: TestContext, options?: GadgetOptions): Promise<TestServer> {
  const server = await start(t);
  server.live.serve('gadgets', gadget(options));
  return server;
}

function named(name: string, spec: object = { size: 3 }): object {
  return { apiVersion: `${LIVE_GROUP}/v1`, kind: 'Gadget', metadata: { name }, spec };
}

async function status(server: TestServer, path: string): Promise<number> {
  return (await server.request('GET', path)).status;
}

async function post(server: TestServer, path: string, body: object): Promise<Gadget> {
  const { status, object, text } = await server.request<Gadget>('POST', path, { body });
  assert.equal(status, 201, text);
  return object;
}

test('what comes is served at once, in every version, and found everywhere', async (t) => {
  const server = await start(t);
  const tagBefore = (
    await server.request('GET', '/apis', { headers: { Accept: AGGREGATED } })
  ).headers.get('etag');
  const documentsBefore = (await server.request('GET', '/openapi/v3')).text;
  assert.equal(await status(server, v1), 404);
  server.live.serve('gadgets', gadget());

  const created = await post(server, v1, named('a'));
  assert.deepEqual([created.metadata.generation, created.spec], [1, { size: 3 }]);
  const other = await server.request<Gadget>('GET', `${v2}/a`);
  assert.deepEqual(
    [other.object.apiVersion, other.object.spec],
    [`${LIVE_GROUP}/v2`, { width: 3 }],
  );
  const list = await server.request<{ items: Gadget[]; kind: string }>('GET', v2);
  assert.deepEqual(
    [list.object.kind, list.object.items.map(({ spec }) => spec)],
    ['GadgetList', [{ width: 3 }]],
  );

  const aggregated = await server.request('GET', '/apis', { headers: { Accept: AGGREGATED } });
  assert.match(aggregated.text, /"resource":"gadgets"/);
  assert.notEqual(aggregated.headers.get('etag'), tagBefore);
  assert.match((await server.request('GET', '/apis')).text, /"name":"live.example.com"/);
  const group = await server.request<{ versions: { version: string }[] }>(
    'GET',
    `/apis/${LIVE_GROUP}`,
  );
  assert.deepEqual(
    group.object.versions.map(({ version }) => version),
    ['v2', 'v1'],
  );
  const resources = await server.request<{ resources: { name: string }[] }>(
    'GET',
    `/apis/${LIVE_GROUP}/v1`,
  );
  assert.deepEqual(
    resources.object.resources.map(({ name }) => name),
    ['gadgets', 'gadgets/scale', 'gadgets/status'],
  );
  assert.match((await server.request('GET', '/')).text, /"\/apis\/live.example.com\/v2"/);
  const index = (await server.request('GET', '/openapi/v3')).text;
  assert.notEqual(index, documentsBefore);
  assert.match(index, /apis\/live.example.com\/v1/);
  const document = await server.request('GET', `/openapi/v3/apis/${LIVE_GROUP}/v2`);
  assert.match(document.text, /com.example.live.v2.Gadget/);
  assert.match((await server.request('GET', '/openapi/v2')).text, /com.example.live.v1.Gadget/);
  assert.deepEqual(server.bugs, []);
});

test('what stops is gone everywhere, its watches end, and comes back with its objects', async (t) => {
  const server = await startWith(t);
  const created = await post(server, v1, named('a'));
  const watch = await server.watch(`${v1}?watch=true&resourceVersion=0`);
  assert.equal((await watch.event()).type, 'ADDED');
  const metrics = async () => (await server.request('GET', '/metrics')).text;
  assert.match(await metrics(), /resource="gadgets"/);
  server.live.stop('gadgets');
  assert.deepEqual(await watch.next(), { done: true, value: undefined });
  assert.deepEqual(
    await Promise.all(
      [v1, `${v1}/a`, `/apis/${LIVE_GROUP}`, `/apis/${LIVE_GROUP}/v1`].map((path) =>
        status(server, path),
      ),
    ),
    [404, 404, 404, 404],
  );
  assert.doesNotMatch((await server.request('GET', '/apis')).text, /live.example.com/);
  assert.doesNotMatch((await server.request('GET', '/')).text, /live.example.com/);
  assert.doesNotMatch(await metrics(), /gadgets|live.example.com/);
  server.live.stop('gadgets');

  server.live.serve('gadgets', gadget());
  assert.deepEqual((await server.request<Gadget>('GET', `${v1}/a`)).object, created);
  assert.deepEqual(server.bugs, []);
});

test('a watch ends when its definition is replaced; the next one misses nothing', async (t) => {
  const server = await startWith(t);
  const { metadata } = await post(server, v1, named('a'));
  const watch = await server.watch<Gadget>(`${v1}?watch=true&resourceVersion=0`);
  assert.equal((await watch.event()).object.metadata.name, 'a');
  server.live.serve('gadgets', gadget({ properties: { depth: { type: 'integer', default: 7 } } }));
  assert.deepEqual(await watch.next(), { done: true, value: undefined });
  await post(server, v1, named('b'));
  const { resourceVersion } = metadata;
  const next = await server.watch<Gadget>(`${v1}?watch=true&resourceVersion=${resourceVersion}`);
  const event = await next.event();
  assert.deepEqual(
    [event.type, event.object.metadata.name, event.object.spec],
    ['ADDED', 'b', { size: 3, depth: 7 }],
  );
  // Objects stored earlier have the new default when they are read, and are written with it.
  const read = await server.request<Gadget>('GET', `${v1}/a`);
  assert.deepEqual(read.object.spec, { size: 3, depth: 7 });
  const put = await server.request<Gadget>('PUT', `${v1}/a`, { body: read.object });
  assert.notEqual(put.object.metadata.resourceVersion, resourceVersion);
  next.close();
});

test('a watch goes on when the definition that takes over says so', async (t) => {
  const server = await startWith(t);
  const watch = await server.watch<Gadget>(`${v1}?watch=true`);
  server.live.serve('gadgets', { ...gadget(), endsWatches: false });
  await post(server, v1, named('a'));
  assert.equal((await watch.event()).object.metadata.name, 'a');
  watch.close();
});

test('a request under way finishes with the definition that it began with', async (t) => {
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const create = async () => {
    enter();
    await released;
  };
  const server = await startWith(t, { properties: { old: { type: 'string' } }, create });
  const slow = server.request<Gadget>('POST', v1, { body: named('a', { size: 1, old: 'yes' }) });
  await entered;
  server.live.serve('gadgets', gadget());
  release();
  assert.deepEqual((await slow).object.spec, { size: 1, old: 'yes' });
  // To the new one, what the old one knew is nothing.
  assert.deepEqual((await server.request<Gadget>('GET', `${v1}/a`)).object.spec, { size: 1 });
});

test('versions that are not served can be stored in, and nobody finds them', async (t) => {
  const server = await startWith(t, { served: ['v2'], storageVersion: 'v1' });
  const body = { ...named('a', { width: 5 }), apiVersion: `${LIVE_GROUP}/v2` };
  assert.deepEqual((await post(server, v2, body)).spec, { width: 5 });
  assert.equal(await status(server, v1), 404);
  assert.equal(await status(server, `/apis/${LIVE_GROUP}/v1`), 404);
  const { items } = await server.storage.list('/registry/', {
    limit: 10,
    signal: new AbortController().signal,
  });
  assert.match(Buffer.from(items[0]?.value ?? []).toString(), /live.example.com\/v1.*"size":5/);
});

test('versions differ in their subresources', async (t) => {
  const subresources = { v1: { status: true }, v2: {} };
  const server = await startWith(t, { subresources });
  await post(server, v1, { ...named('a'), status: { phase: 'lost' } });
  assert.equal(await status(server, `${v1}/a/status`), 200);
  assert.equal(await status(server, `${v2}/a/status`), 404);
  assert.equal(await status(server, `${v1}/a/scale`), 404);
  const body = { status: { phase: 'new' } };
  const patched = await server.request<Gadget>('PATCH', `${v2}/a`, { body });
  assert.deepEqual(
    [patched.object.status, patched.object.metadata.generation],
    [{ phase: 'new' }, 2],
  );
});

test('the gate refuses what it wants', async (t) => {
  const resource = { group: LIVE_GROUP, resource: 'gadgets' };
  const gate = (verb: string) =>
    verb === 'create' ? methodNotSupported(resource, verb) : undefined;
  const server = await startWith(t, { gate });
  assert.equal((await server.request('POST', v1, { body: named('a') })).status, 405);
  assert.equal(await status(server, v1), 200);
});

test('nobody takes the name or the kind of another', async (t) => {
  const server = await startWith(t);
  const cases = [
    { name: 'kind', other: gadget({ plural: 'others' }), taken: 'Gadget' },
    { name: 'plural', other: gadget({ kind: 'Other' }), taken: 'gadgets' },
    {
      name: 'of the start',
      other: gadget({ group: 'everything.example.com', kind: 'Widget' }),
      taken: 'Widget',
    },
  ];
  for (const { name, other, taken } of cases) {
    assert.throws(
      () => server.live.serve('other', other),
      new RegExp(`${taken} is served already`),
      name,
    );
  }
  assert.equal(await status(server, v1), 200);
  // Its own may change.
  server.live.serve('gadgets', gadget({ plural: 'gizmos' }));
  assert.equal(await status(server, v1), 404);
  assert.equal(await status(server, v1.replace('gadgets', 'gizmos')), 200);
});

test('listeners are called for every change, and the list is the same until the next', async (t) => {
  const server = await start(t);
  const { live } = server;
  let changes = 0;
  const stop = live.onChange(() => {
    changes += 1;
  });
  assert.equal(live.apis(), live.apis());
  const [fixed] = live.apis();
  live.serve('gadgets', gadget());
  const apis = live.apis();
  assert.deepEqual(
    apis.map(({ group }) => group),
    ['everything.example.com', LIVE_GROUP],
  );
  assert.equal(apis[0], fixed);
  assert.equal(live.apis(), apis);
  live.stop('gadgets');
  assert.deepEqual(live.apis(), [fixed]);
  stop();
  live.serve('gadgets', gadget());
  assert.equal(changes, 2);
});

test('over a real connection a watch of what was replaced ends as any other does', async (t) => {
  const server = await startWith(t);
  const { url, ca, token } = await server.listen();
  const headers = { authorization: `Bearer ${token}` };
  const open = async (query: string) => {
    const stream = await httpsStream(`${url}${v1}?watch=true${query}`, { ca, headers });
    t.after(() => stream.close());
    return stream.lines[Symbol.asyncIterator]();
  };
  const created = await post(server, v1, named('a'));
  const watch = await open('&resourceVersion=0');
  const [first] = (await take(watch, 1)) as { type: string }[];
  assert.equal(first?.type, 'ADDED');
  server.live.serve('gadgets', gadget({ properties: { more: { type: 'string' } } }));
  // Its end is said; a connection that breaks would be thrown.
  assert.equal((await watch.next()).done, true);
  await post(server, v1, named('b', { size: 1, more: 'yes' }));
  const next = await open(`&resourceVersion=${created.metadata.resourceVersion}`);
  const [event] = (await take(next, 1)) as { object: Gadget }[];
  assert.deepEqual(event?.object.spec, { size: 1, more: 'yes' });
});
