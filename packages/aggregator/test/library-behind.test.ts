/** An extension server of our own library behind the proxy: it sees the user of each request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer, type UserInfo } from '@tributary/server';
import { openMemoryStorage } from '@tributary/storage';
import { createPki, type Pki } from '../../../test/harness/index.ts';
import { backendsAt, flunders, startProxy } from './proxy-fixture.ts';

const users: readonly (UserInfo & { readonly title: string })[] = [
  { title: 'a plain one', name: 'alice', uid: '', groups: ['a'], extra: {} },
  {
    title: 'one with everything',
    name: 'jürgen',
    uid: '7 of 9',
    groups: ['one, with a comma', 'café', 'system:masters'],
    extra: {
      'example.com/schlüssel ☂': ['wert ☂', 'a,b'],
      'authentication.kubernetes.io/x': ['1'],
    },
  },
  {
    title: 'one in a thousand groups',
    name: 'bob',
    uid: '',
    groups: Array.from({ length: 1000 }, (_, at) => `group-${at}-${'g'.repeat(200)}`),
    extra: {},
  },
];
for (const { title, ...user } of users) {
  test(`the server behind knows the user: ${title}`, async () => {
    const pki = createPki();
    await using behind = await startBehind(pki);
    await using fixture = await startProxy({ pki, user, backends: behind.backends });
    const response = await fixture.request(flunders, {
      headers: {
        'x-remote-user': 'root',
        'x-remote-extra-scopes': 'all',
        authorization: 'Bearer x',
      },
    });
    assert.equal(response.status, 200, response.body);
    const groups = [...user.groups, 'system:authenticated'];
    assert.deepEqual(response.json(), { ...user, groups });
  });
}

async function startBehind(pki: Pki) {
  const storage = openMemoryStorage();
  const server = await createServer([], {
    storage,
    serving: pki.server,
    clientCa: pki.ca.cert,
    requestHeader: { ca: pki.frontProxyCa.cert, names: { uidHeaders: ['x-remote-uid'] } },
    authorizer: () => ({ allowed: true }),
    routes: [({ user }) => ({ kind: 'object', code: 200, object: user })],
  }).listen();
  return {
    backends: backendsAt(server.port, pki.frontProxyClient),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await storage.close();
    },
  };
}
