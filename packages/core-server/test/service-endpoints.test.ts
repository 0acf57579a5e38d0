/** The Endpoints of a service in a store, while others write them. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { defineApi } from '@tributary/server';
import { startTestServer, type TestServer } from '@tributary/server/testing';
import { addressPool, endpointsKind, namespaceKind, serviceKind } from '../src/kinds/index-a.ts';

const addresses = addressPool({ range: '10.0.0.0/24' });
const resources = [namespaceKind, serviceKind({ addresses }), endpointsKind()];
const core = defineApi({ group: '', builtIn: true, resources });

let server: TestServer;
before(async () => {
  server = await startTestServer(core, { namespaces: namespaceKind });
});
after(() => server.close());

const path = '/api/v1/namespaces/default';
beforeEach(async () => {
  await server.reset();
  await server.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } });
  const body = { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } };
  await server.request('POST', `${path}/services`, { body });
});

interface Answer {
  metadata: { resourceVersion: string };
}
const revisionOf = ({ object }: { object: Answer }) => Number(object.metadata.resourceVersion);
const make = (ip: string) => {
  const subsets = [{ addresses: [{ ip }], ports: [{ port: 80 }] }];
  const body = { metadata: { name: 'a' }, subsets };
  return server.request<Answer>('POST', `${path}/endpoints`, { body });
};
const label = (value: string) =>
  server.request('PATCH', `${path}/endpoints/a`, {
    body: { metadata: { labels: { value } } },
  });
const statusOf = async (name: string) => (await server.request('GET', `${path}/${name}`)).status;

test('go with it although somebody changes them all the time', async () => {
  await make('192.0.2.1');
  let isOver = false;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let count = 0; !isOver; count += 1) await label(`${writer}-${count}`);
  });
  const { status } = await server.request('DELETE', `${path}/services/a`);
  isOver = true;
  await Promise.all(writers);
  assert.equal(status, 200);
  assert.equal(await statusOf('endpoints/a'), 404);
});

test('that are made while it goes were there before and go, or come after and stay', async () => {
  const [made, deleted] = await Promise.all([
    make('192.0.2.1'),
    server.request<Answer>('DELETE', `${path}/services/a`),
  ]);
  assert.deepEqual([made.status, deleted.status], [201, 200]);
  const wasBefore = revisionOf(made) < revisionOf(deleted);
  assert.equal(await statusOf('endpoints/a'), wasBefore ? 404 : 200);
});
