/** Kinds with the types of Go structs, served. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startTestServer, type TestServer } from '@tributary/server/testing';
import { typedApis } from './typed-api.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer(typedApis);
});
after(() => server.close());
beforeEach(() => server.reset());

const configMaps = '/api/v1/namespaces/default/configmaps';
const services = '/api/v1/namespaces/default/services';

type TestResponse = { readonly status: number; readonly object: Record<string, unknown> };

async function send(
  method: string,
  path: string,
  body: string,
  type?: string,
): Promise<TestResponse> {
  const headers = { 'content-type': type ?? 'application/json' };
  return (await server.request(method, path, { body, headers })) as unknown as TestResponse;
}

test('a wrong type is rejected with upstream’s message', async () => {
  const { status, object } = await send(
    'POST',
    configMaps,
    '{"metadata":{"name":"a"},"data":{"a":1}}',
  );
  assert.equal(status, 400);
  assert.equal(
    object.message,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
  );
});

test('the first error of a document is reported', async () => {
  const body = '{"data":{"a":1},"metadata":{"name":"a","labels":5}}';
  const { object } = await send('POST', configMaps, body);
  assert.match(String(object.message), /struct field ConfigMap\.data of type string$/);
});

test('unknown and duplicate fields are reported', async () => {
  const body =
    '{"metadata":{"name":"a","foo":1},"x":1,"data":{"a":"b","a":"c"},"data":{"d":"e"},"x":2}';
  const { status, object } = await send('POST', `${configMaps}?fieldValidation=Strict`, body);
  assert.equal(status, 400);
  assert.equal(
    object.message,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "metadata.foo", unknown field "x", duplicate field "data.a", duplicate field "data"',
  );
  const ignored = await send('POST', `${configMaps}?fieldValidation=Ignore`, body);
  assert.equal(ignored.status, 201);
  assert.equal('x' in ignored.object, false);
});

test('empty fields are dropped, and required ones written', async () => {
  const { object } = await send(
    'POST',
    services,
    '{"metadata":{"name":"a"},"spec":{"selector":{}}}',
  );
  assert.deepEqual(object.spec, {});
  assert.deepEqual(object.status, { loadBalancer: {} });
});

test('a patch that results in a wrong type is rejected', async () => {
  await send('POST', configMaps, '{"metadata":{"name":"a"},"data":{"a":"b"}}');
  const { status, object } = await send(
    'PATCH',
    `${configMaps}/a`,
    '{"data":{"a":1}}',
    'application/merge-patch+json',
  );
  assert.equal(status, 422);
  assert.match(
    String(object.message),
    /json: cannot unmarshal number into Go struct field ConfigMap\.data of type string$/,
  );
});

test('a strategic merge patch merges ports by their number', async () => {
  const spec = {
    ports: [
      { port: 80, name: 'a' },
      { port: 81, name: 'b' },
    ],
  };
  await send('POST', services, JSON.stringify({ metadata: { name: 'a' }, spec }));
  const patch = '{"spec":{"ports":[{"port":81,"name":"c"},{"port":80,"$patch":"delete"}]}}';
  const { object } = await send(
    'PATCH',
    `${services}/a`,
    patch,
    'application/strategic-merge-patch+json',
  );
  assert.deepEqual((object.spec as { ports: unknown }).ports, [
    { name: 'c', port: 81, targetPort: 0 },
  ]);
});

test('apply owns ports by number and defaulted protocol', async () => {
  const apply = (manager: string, port: object) =>
    send(
      'PATCH',
      `${services}/a?fieldManager=${manager}`,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'a' },
        spec: { ports: [port] },
      }),
      'application/apply-patch+yaml',
    );
  assert.equal((await apply('one', { port: 80, protocol: 'TCP' })).status, 201);
  const { status, object } = await apply('two', { port: 81 });
  assert.equal(status, 200, JSON.stringify(object));
  const { ports } = object.spec as { ports: { port: number }[] };
  assert.deepEqual(
    ports.map(({ port }) => port),
    [80, 81],
  );
});

test('apply rejects unknown fields', async () => {
  const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":1}}';
  const { status, object } = await send(
    'PATCH',
    `${configMaps}/a?fieldManager=x`,
    body,
    'application/apply-patch+yaml',
  );
  assert.equal(status, 500);
  assert.match(String(object.message), /\.data\.a: expected string, got &value/);
});

test('an update with empty managedFields removes them', async () => {
  await send('POST', configMaps, '{"metadata":{"name":"a"},"data":{"a":"b"}}');
  const body = '{"metadata":{"name":"a","managedFields":[]},"data":{"a":"b"}}';
  const { object } = await send('PUT', `${configMaps}/a`, body);
  assert.equal('managedFields' in (object.metadata as object), false);
});

test('a deeply nested document is rejected', async () => {
  const deep = `{"metadata":{"name":"a"},"x":${'['.repeat(2000)}${']'.repeat(2000)}}`;
  assert.equal((await send('POST', configMaps, deep)).status, 400);
});
