import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { HttpRequest } from '../http/exchange.ts';
import { createClient } from './client.ts';
import { metadataResource } from './resource-client.ts';

const THINGS = { group: 'example.com', version: 'v1', plural: 'things', namespaced: true };
const ONE = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';
const MANY = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

/** A server in this process that responds with an empty list, and records its requests. */
function site() {
  const requests: HttpRequest[] = [];
  const client = createClient(
    { server: 'https://test', identity: {}, namespace: 'default', disableCompression: true },
    {
      open: async (request) => {
        requests.push(request);
        return {
          status: 200,
          rawHeaders: [['content-type', 'application/json']],
          httpVersion: '2',
          body: (async function* () {
            yield Buffer.from('{"kind":"List","items":null}');
          })(),
          cancel: () => {},
        };
      },
    },
  );
  const things = metadataResource(client.transport, THINGS).in('here');
  const header = (name: string) =>
    requests.flatMap(({ headers }) =>
      headers.filter(([key]) => key === name).map(([, text]) => text),
    );
  return { things, header };
}

describe('a client of metadata', () => {
  const calls: readonly {
    readonly name: string;
    readonly call: (things: ReturnType<typeof site>['things']) => Promise<unknown>;
    readonly accept: string;
  }[] = [
    { name: 'get', call: (things) => things.get('a'), accept: ONE },
    { name: 'list', call: (things) => things.list(), accept: MANY },
    {
      name: 'patch',
      call: (things) => things.patch('a', { kind: 'merge', body: {} }),
      accept: ONE,
    },
    { name: 'delete', call: (things) => things.delete('a'), accept: ONE },
  ];
  for (const { name, call, accept } of calls) {
    test(`${name} asks for it`, async () => {
      const { things, header } = site();
      await call(things);
      assert.deepEqual(header('accept'), [accept]);
    });
  }

  test('a patch keeps its type', async () => {
    const { things, header } = site();
    await things.patch('a', { kind: 'merge', body: {} });
    assert.deepEqual(header('content-type'), ['application/merge-patch+json']);
  });
});

test('the open option gets the Content-Length of a body, and none without a body', async () => {
  const { things, header } = site();
  await things.get('a');
  await things.delete('a', { preconditions: { uid: 'u' } });
  const body = '{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"u"}}';
  assert.deepEqual(header('content-length'), [String(body.length)]);
});

test('a response above responseBytesMax is an error', async () => {
  const { things } = site();
  await assert.rejects(things.get('a', { responseBytesMax: 10 }), /more than 10 bytes/);
});
