import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expired, type KubeObject } from '@tributary/apimachinery';
import type { TestScope } from '../../../test/harness/index.ts';
import { createClient, type ResourceClient, type WatchEvent } from '../src/index.ts';
import { startTestServer, type TestHandler, type TestServer } from './test-server.ts';

interface Widget extends KubeObject {
  spec?: { size?: number | bigint };
}

const WIDGETS = { group: 'example.com', version: 'v1', plural: 'widgets', namespaced: true };
const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };

async function start(
  t: TestScope,
  handler: TestHandler,
): Promise<{ server: TestServer; widgets: ResourceClient<Widget> }> {
  const server = await startTestServer(t, handler);
  const client = createClient(server.config);
  t.after(() => client.close());
  return { server, widgets: client.resource<Widget>(WIDGETS) };
}

/** Records each request. */
const echo: (seen: unknown[]) => TestHandler = (seen) => async (request, response) => {
  const text = await request.body();
  seen.push([
    request.method,
    request.path,
    Object.fromEntries(request.query),
    request.headers['content-type'],
    ...(text === '' ? [] : [JSON.parse(text)]),
  ]);
  response.send(200, widget);
};

test('every verb sends the request that servers expect', async (t) => {
  const seen: unknown[] = [];
  const { widgets } = await start(t, echo(seen));
  const eu = widgets.in('eu');
  await eu.get('w', { resourceVersion: '0' });
  await eu.create({ metadata: { generateName: 'w-' } }, { dryRun: true, fieldManager: 'me' });
  await widgets.create({ metadata: { name: 'w', namespace: 'us' } });
  await eu.update({ ...widget, spec: { size: 1 } }, { subresource: 'status' });
  await eu.patch('w', { kind: 'merge', body: { spec: null } });
  await eu.patch('w', { kind: 'strategic', body: {} });
  await eu.patch('w', { kind: 'json', operations: [{ op: 'remove', path: '/spec' }] });
  await eu.patch('w', { kind: 'apply', object: widget, force: true }, { fieldManager: 'me' });
  await eu.delete('w', { propagationPolicy: 'Foreground', preconditions: { uid: '1' } });
  await eu.deleteCollection({ labelSelector: 'a=b', gracePeriodSeconds: 0, dryRun: true });
  const path = '/apis/example.com/v1/namespaces/eu/widgets';
  const options = { kind: 'DeleteOptions', apiVersion: 'v1' };
  assert.deepEqual(seen, [
    ['GET', `${path}/w`, { resourceVersion: '0' }, undefined],
    [
      'POST',
      path,
      { fieldManager: 'me', dryRun: 'All' },
      'application/json',
      { metadata: { generateName: 'w-' } },
    ],
    [
      'POST',
      '/apis/example.com/v1/namespaces/us/widgets',
      {},
      'application/json',
      { metadata: { name: 'w', namespace: 'us' } },
    ],
    ['PUT', `${path}/w/status`, {}, 'application/json', { ...widget, spec: { size: 1 } }],
    ['PATCH', `${path}/w`, {}, 'application/merge-patch+json', { spec: null }],
    ['PATCH', `${path}/w`, {}, 'application/strategic-merge-patch+json', {}],
    ['PATCH', `${path}/w`, {}, 'application/json-patch+json', [{ op: 'remove', path: '/spec' }]],
    [
      'PATCH',
      `${path}/w`,
      { fieldManager: 'me', force: 'true' },
      'application/apply-patch+yaml',
      widget,
    ],
    [
      'DELETE',
      `${path}/w`,
      {},
      'application/json',
      { ...options, propagationPolicy: 'Foreground', preconditions: { uid: '1' } },
    ],
    [
      'DELETE',
      path,
      { labelSelector: 'a=b' },
      'application/json',
      { ...options, gracePeriodSeconds: 0, dryRun: ['All'] },
    ],
  ]);
});

test('an invalid path is an error before a request is sent', async (t) => {
  const { server, widgets } = await start(t, (_, response) => response.send(200, widget));
  await assert.rejects(widgets.get('w'), /say in which namespace: widgets are namespaced/);
  await assert.rejects(widgets.in('eu').get('../secrets'), TypeError);
  await assert.rejects(widgets.in('eu').update({ ...widget, metadata: {} }), TypeError);
  const client = createClient(server.config);
  assert.throws(() => client.resource(NODES).in('eu'), /nodes have no namespaces/);
  await client.resource(NODES).get('n');
  assert.deepEqual(
    server.requests.map(({ path }) => path),
    ['/api/v1/nodes/n'],
  );
  await client.close();
});

test('integers beyond 2^53 survive both ways', async (t) => {
  const { widgets } = await start(t, async (request, response) => {
    response.start(200);
    response.write(await request.body());
    response.end();
  });
  const sent = { ...widget, spec: { size: 9007199254740993n } };
  assert.deepEqual(await widgets.in('eu').update(sent), sent);
});

test('items of a list have their apiVersion and kind', async (t) => {
  const { widgets } = await start(t, (_, response) =>
    response.send(200, {
      kind: 'WidgetList',
      apiVersion: 'example.com/v1',
      metadata: { resourceVersion: '7' },
      items: [{ metadata: { name: 'a' } }],
    }),
  );
  const { items } = await widgets.list();
  assert.deepEqual(items, [
    { metadata: { name: 'a' }, apiVersion: 'example.com/v1', kind: 'Widget' },
  ]);
});

test('responses that are no objects are errors that name the content', async (t) => {
  const responses: [type: string, body: string, message: RegExp][] = [
    ['text/html', '<html>Login</html>', /sent text\/html instead of JSON/],
    ['application/json', '[', /unexpected end of JSON input/],
    ['application/json', '7', /no object/],
    ['application/json', '{}', /no list/],
  ];
  for (const [type, body, message] of responses) {
    const { widgets } = await start(t, (_, response) => {
      response.start(200, { 'content-type': type });
      response.write(body);
      response.end();
    });
    await assert.rejects(widgets.list(), message);
  }
});

function page(items: string[], next?: string): object {
  return {
    kind: 'WidgetList',
    apiVersion: 'example.com/v1',
    metadata: { resourceVersion: '7', ...(next !== undefined && { continue: next }) },
    items: items.map((name) => ({ metadata: { name } })),
  };
}

test('listAll reads page after page', async (t) => {
  const seen: Record<string, string>[] = [];
  const { widgets } = await start(t, ({ query }, response) => {
    seen.push(Object.fromEntries(query));
    if (query.get('continue') === null) response.send(200, page(['a'], 'two'));
    else if (query.get('continue') === 'two') response.send(200, page([], 'three'));
    else response.send(200, page(['b']));
  });
  const list = await widgets.listAll({ resourceVersion: '0', labelSelector: 'x' });
  assert.deepEqual(
    list.items.map(({ metadata }) => metadata.name),
    ['a', 'b'],
  );
  assert.deepEqual(list.metadata, { resourceVersion: '7' });
  assert.deepEqual(seen, [
    { labelSelector: 'x', limit: '500', resourceVersion: '0' },
    { labelSelector: 'x', limit: '500', continue: 'two' },
    { labelSelector: 'x', limit: '500', continue: 'three' },
  ]);
});

test('listAll lists without a limit when the pages expire, and rejects when the first page does', async (t) => {
  const { server, widgets } = await start(t, ({ query }, response) => {
    if (query.has('continue') || query.get('resourceVersion') === '1') {
      response.send(410, expired('too old').status);
    } else response.send(200, query.has('limit') ? page(['a'], 'two') : page(['a', 'b']));
  });
  assert.equal((await widgets.listAll()).items.length, 2);
  assert.equal(server.requests.length, 3);
  await assert.rejects(widgets.listAll({ resourceVersion: '1' }), { reason: 'Expired' });
});

test('listAll rejects a repeated continue token', async (t) => {
  const { widgets } = await start(t, (_, response) => response.send(200, page(['a'], 'again')));
  await assert.rejects(widgets.listAll(), /go round in circles/);
});

test('a watch ends with the server, and leaving the loop ends it at the server', async (t) => {
  const left = Promise.withResolvers<void>();
  const { server, widgets } = await start(t, async ({ query }, response) => {
    response.start(200);
    response.write(`${JSON.stringify({ type: 'ADDED', object: widget })}\n`);
    if (query.get('timeoutSeconds') === '1') return response.end();
    await response.closed;
    left.resolve();
  });
  const events: WatchEvent<Widget>[] = [];
  for await (const event of widgets.watch({ timeoutSeconds: 1 })) events.push(event);
  assert.deepEqual(events, [{ type: 'ADDED', object: widget }]);
  for await (const event of widgets.watch({ fieldSelector: 'metadata.name=w' })) {
    assert.equal(event.type, 'ADDED');
    break;
  }
  await left.promise;
  assert.equal(server.requests[1]?.query.get('fieldSelector'), 'metadata.name=w');
});

test('an abort ends a silent watch', async (t) => {
  const opened = Promise.withResolvers<void>();
  const { widgets } = await start(t, async (_, response) => {
    response.start(200);
    await response.delivered();
    opened.resolve();
  });
  const reason = new Error('enough');
  const abort = new AbortController();
  const watching = (async () => {
    for await (const _ of widgets.watch({ signal: abort.signal })) assert.fail('an event');
  })();
  await opened.promise;
  abort.abort(reason);
  await assert.rejects(watching, reason);
});

test('an event above eventBytesMax ends the watch', async (t) => {
  const { widgets } = await start(t, (_, response) => {
    response.start(200);
    response.write('x'.repeat(5000));
  });
  const watching = widgets.watch({ eventBytesMax: 1000 }).next();
  await assert.rejects(watching, /a line has more than 1000 bytes/);
});
