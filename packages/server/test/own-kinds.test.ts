/** Options that only Kubernetes' own kinds need: errors reported once, and connections to objects that do not exist. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Status } from '@tributary/apimachinery';
import Type from 'typebox';
import { defineApi, defineResource, version } from '../src/definition/index.ts';
import { startTestServer } from '../src/testing/index.ts';

const Box = defineResource({
  kind: 'Box',
  plural: 'boxes',
  scope: 'Cluster',
  subresources: {
    connections: {
      proxy: {
        connect: async ({ object }) => text(`to ${object.metadata.name}`),
        connectMissing: async ({ request }) => text(`to nothing at ${request.info.name}`),
      },
    },
  },
  versions: { v1: version({ spec: Type.Object({}) }) },
});

function text(body: string) {
  const contentType = 'text/plain; charset=utf-8';
  return { kind: 'bytes' as const, code: 200, contentType, chunks: [Buffer.from(body)] };
}

const path = '/apis/boxes.example.com/v1/boxes';

for (const { name, reportsErrorsOnce, times } of [
  { name: 'twice', reportsErrorsOnce: {}, times: 2 },
  { name: 'once where the API says so', reportsErrorsOnce: { reportsErrorsOnce: true }, times: 1 },
] as const) {
  test(`a bad label in an update is reported ${name}`, async () => {
    const api = defineApi({ group: 'boxes.example.com', resources: [Box], ...reportsErrorsOnce });
    await using server = await startTestServer(api);
    await server.request('POST', path, { body: { metadata: { name: 'a' }, spec: {} } });
    const { status, object } = await server.request('PATCH', `${path}/a`, {
      body: { metadata: { labels: { 'no label': 'a' } } },
    });
    assert.equal(status, 422);
    const causes = (object as Status).details?.causes ?? [];
    assert.deepEqual(
      causes.map(({ field }) => field),
      Array.from({ length: times }, () => 'metadata.labels'),
    );
  });
}

test('a connection may take requests to an object that does not exist', async () => {
  const api = defineApi({ group: 'boxes.example.com', resources: [Box] });
  await using server = await startTestServer(api);
  await server.request('POST', path, { body: { metadata: { name: 'a' }, spec: {} } });
  const sent = async (name: string) => (await server.request('GET', `${path}/${name}/proxy`)).text;
  assert.equal(await sent('a'), 'to a');
  assert.equal(await sent('b'), 'to nothing at b');
});
