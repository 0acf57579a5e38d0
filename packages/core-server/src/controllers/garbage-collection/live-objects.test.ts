import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forbidden, notFound, plainError, StatusError } from '@tributary/apimachinery';
import { type Client, createClient } from '@tributary/client';
import { VirtualClock } from '../../../../../test/harness/index.ts';
import { kindsOf } from './discover-kinds.ts';
import { NamespacedOwner, UnknownKind } from './errors.ts';
import { GroupHealth } from './group-health.ts';
import { liveObjects } from './live-objects.ts';

const THING = { apiVersion: 'example.com/v1', kind: 'Thing' };
const WIDE = { apiVersion: 'example.com/v1', kind: 'Wide' };
const a = { ...THING, namespace: 'here', name: 'a', uid: 'a' };

const kinds = kindsOf([
  {
    metadata: { name: 'example.com' },
    versions: [
      {
        version: 'v1',
        resources: [
          { resource: 'things', scope: 'Namespaced', verbs: [], responseKind: { kind: 'Thing' } },
          { resource: 'wides', scope: 'Cluster', verbs: [], responseKind: { kind: 'Wide' } },
        ],
      },
    ],
  },
]);

/** A server with a constant response. */
function liveWith(response: { readonly code: number; readonly body: object }) {
  const requests: { path: string; headers: string }[] = [];
  const client: Client = createClient(
    { server: 'https://test', identity: {}, namespace: 'default', disableCompression: true },
    {
      open: async ({ path, headers }) => {
        requests.push({ path, headers: headers.flat().join(' ') });
        const bytes = Buffer.from(JSON.stringify(response.body));
        return {
          status: response.code,
          rawHeaders: [['content-type', 'application/json']],
          httpVersion: '2',
          body: (async function* () {
            yield bytes;
          })(),
          cancel: () => {},
        };
      },
    },
  );
  const { signal } = new AbortController();
  const health = new GroupHealth(undefined, { clock: new VirtualClock(), signal });
  return { live: liveObjects({ client, kinds: () => kinds, health }), requests };
}

const said = (error: StatusError) => ({ code: error.code, body: error.status });
const things = { group: 'example.com', resource: 'things' };
const metadata = { name: 'a', namespace: 'here', uid: 'a' };

const cases: readonly {
  readonly name: string;
  readonly response: { readonly code: number; readonly body: object };
  /** The expected result or error. */
  readonly found: 'absent' | object | RegExp;
}[] = [
  { name: 'it exists', response: { code: 200, body: { metadata } }, found: metadata },
  { name: 'it does not exist', response: said(notFound(things, 'a')), found: 'absent' },
  {
    name: 'the response is about another object',
    response: said(notFound(things, 'b')),
    found: /not found/,
  },
  {
    name: 'the resource does not exist',
    response: said(new StatusError({ code: 404, reason: 'NotFound', message: 'no such path' })),
    found: /no such path/,
  },
  {
    name: 'no Status',
    response: { code: 404, body: {} },
    found: /could not find the requested resource/,
  },
  { name: 'it is forbidden', response: said(forbidden(things, 'a', 'no')), found: /forbidden/ },
  { name: 'a server error', response: said(plainError('boom', 500)), found: /boom/ },
];

describe('live objects', () => {
  for (const { name, response, found } of cases) {
    test(name, async () => {
      const attempt = liveWith(response).live.get(a);
      if (found instanceof RegExp) await assert.rejects(attempt, found);
      else assert.deepEqual(await attempt, found);
    });
  }

  test('are requested as metadata at their location', async () => {
    const { live, requests } = liveWith({ code: 200, body: { metadata } });
    await live.get(a);
    await live.get({ ...WIDE, namespace: 'here', name: 'w', uid: 'w' });
    assert.deepEqual(
      requests.map(({ path }) => path),
      ['/apis/example.com/v1/namespaces/here/things/a', '/apis/example.com/v1/wides/w'],
    );
    for (const { headers } of requests)
      assert.match(headers, /as=PartialObjectMetadata;g=meta.k8s.io/);
  });

  test('cause no request without a valid location', async () => {
    const { live, requests } = liveWith({ code: 200, body: { metadata } });
    await assert.rejects(live.get({ ...a, namespace: '' }), NamespacedOwner);
    await assert.rejects(live.get({ ...a, kind: 'Other' }), UnknownKind);
    assert.deepEqual(requests, []);
  });
});
