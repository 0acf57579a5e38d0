import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { temporaryDirectory } from '../../../../../test/harness/index.ts';
import { everything } from '../../../test/everything-api.ts';
import { createAuthority } from '../../pki/index.ts';
import { startTestServer, type TestServer } from '../../testing/index.ts';
import { bootstrapManifests, manifestList } from './index.ts';
import { servingCaFile } from './serving-ca-file.ts';

const PATH = '/bootstrap/everything.example.com';
const HOST = 'everything-apiserver.everything-system.svc';
const image = 'everything:1';
let server: TestServer;
before(async () => {
  server = await startTestServer(everything, {
    servingCa: async (host) => (host === HOST ? 'PEM' : undefined),
    authorizer: ({ user }) => ({ allowed: user.name !== 'vera' }),
  });
});
after(() => server.close());

test('it is what the library makes, with the CA of the server', async () => {
  const { status, object, headers } = await server.request('GET', `${PATH}?image=${image}`);
  assert.equal(status, 200);
  const trust = { kind: 'ca', ca: 'PEM' } as const;
  const wanted = manifestList(bootstrapManifests(everything, { image, trust }));
  assert.deepEqual(object, JSON.parse(JSON.stringify(wanted)));
  assert.equal(headers.get('warning') ?? undefined, undefined);
});

test('there is never a private key in it', async () => {
  const { object } = await server.request('GET', `${PATH}?image=${image}`);
  const kinds = (object as { items: { kind: string }[] }).items.map(({ kind }) => kind);
  assert.ok(kinds.includes('Deployment'));
  assert.ok(!kinds.includes('Secret'));
});

test('where the CA is not known for that host, it says so', async () => {
  const { object, headers } = await server.request('GET', `${PATH}?image=${image}&namespace=eu`);
  assert.doesNotMatch(JSON.stringify(object), /caBundle/);
  assert.match(String(headers.get('warning')), /everything-apiserver\.eu\.svc is not known here/);
});

test('in YAML, for who wants that', async () => {
  const accept = { accept: 'application/yaml' };
  const { text } = await server.request('GET', `${PATH}?image=${image}`, { headers: accept });
  assert.match(text, /^apiVersion: v1\nitems:\n/);
});

const refused = [
  { name: 'no image', target: PATH, status: 400, words: /image \\"\\": say which image to run/ },
  {
    name: 'a bad namespace',
    target: `${PATH}?image=x&namespace=A`,
    status: 400,
    words: /namespace \\"A\\": /,
  },
  { name: 'another group', target: '/bootstrap/other.example.com', status: 404, words: /not find/ },
  { name: 'no group', target: '/bootstrap/', status: 404, words: /not find/ },
];
for (const { name, target, status, words } of refused) {
  test(`${name}: ${status}`, async () => {
    const response = await server.request('GET', target);
    assert.equal(response.status, status);
    assert.match(response.text, words);
  });
}

test('it only tells: nothing is posted to it', async () => {
  const { status } = await server.request('POST', `${PATH}?image=${image}`, { body: {} });
  assert.equal(status, 405);
});

test('who may not read the path is told nothing', async () => {
  const { status } = await server.as('vera').request('GET', `${PATH}?image=${image}`);
  assert.equal(status, 403);
});

test('a CA beside the certificate counts when it has signed it for that host', async (t) => {
  const directory = await temporaryDirectory(t);
  const ca = createAuthority('one');
  const { cert } = ca.issue({ commonName: HOST, names: [HOST], usage: 'server' });
  const file = join(directory, 'tls.crt');
  const known = servingCaFile(file);
  assert.equal(await known(HOST), undefined, 'no files');
  await writeFile(file, cert);
  assert.equal(await known(HOST), undefined, 'no CA');
  await writeFile(join(directory, 'ca.crt'), createAuthority('two').cert);
  assert.equal(await known(HOST), undefined, 'another CA');
  await writeFile(join(directory, 'ca.crt'), ca.cert);
  assert.equal(await known(HOST), ca.cert);
  assert.equal(await known('other.example.com'), undefined, 'another host');
  await writeFile(file, 'not PEM');
  assert.equal(await known(HOST), undefined);
});
