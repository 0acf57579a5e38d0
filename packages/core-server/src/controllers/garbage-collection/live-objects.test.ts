import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forbidden, notFound, plainError, StatusError } from '@tributary/apimachinery';
import { type Client, createClient } from '@tributary/client';
import { VirtualClock } from '../../../../../test/harness/index.ts';
import { kindsOf } from './discover-kinds.ts';
import { NamespacedOwner, UnknownKind } from './errors.ts';
import { groupHealth } from './group-health.ts';
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

/** A server that always says the same. */
function liveWith(answer: { readonly code: number; readonly body: object }) {
  const asked: { path: string; headers: string }[] = [];
  const client: Client = createClient(
    { server: 'https://test', identity: {}, namespace: 'default', disableCompression: true },
    {
      open: async ({ path, headers }) => {
        asked.push({ path, headers: headers.flat().join(' ') });
        const bytes = Buffer.from(JSON.stringify(answer.body));
        return {
          status: answer.code,
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
  const health = groupHealth(undefined, { clock: new VirtualClock(), signal });
  return { live: liveObjects({ client, kinds: () => kinds, health }), asked };
}

const said = (error: StatusError) => ({ code: error.code, body: error.status });
const things = { group: 'example.com', resource: 'things' };
const metadata = { name: 'a', namespace: 'here', uid: 'a' };

const cases: readonly {
  readonly name: string;
  readonly answer: { readonly code: number; readonly body: object };
  /** What is thrown otherwise. */
  readonly found: 'absent' | object | RegExp;
}[] = [
  { name: 'it is there', answer: { code: 200, body: { metadata } }, found: metadata },
  { name: 'it is not there', answer: said(notFound(things, 'a')), found: 'absent' },
  {
    name: 'the answer is about another object',
    answer: said(notFound(things, 'b')),
    found: /not found/,
  },
  {
    name: 'the resource is not there',
    answer: said(new StatusError({ code: 404, reason: 'NotFound', message: 'no such path' })),
    found: /no such path/,
  },
  {
    name: 'no Status at all',
    answer: { code: 404, body: {} },
    found: /could not find the requested resource/,
  },
  { name: 'it may not be seen', answer: said(forbidden(things, 'a', 'no')), found: /forbidden/ },
  { name: 'trouble', answer: said(plainError('boom', 500)), found: /boom/ },
];

describe('an object that is asked for', () => {
  for (const { name, answer, found } of cases) {
    test(name, async () => {
      const attempt = liveWith(answer).live.get(a);
      if (found instanceof RegExp) await assert.rejects(attempt, found);
      else assert.deepEqual(await attempt, found);
    });
  }

  test('only its metadata, where it is', async () => {
    const { live, asked } = liveWith({ code: 200, body: { metadata } });
    await live.get(a);
    await live.get({ ...WIDE, namespace: 'here', name: 'w', uid: 'w' });
    assert.deepEqual(
      asked.map(({ path }) => path),
      ['/apis/example.com/v1/namespaces/here/things/a', '/apis/example.com/v1/wides/w'],
    );
    for (const { headers } of asked)
      assert.match(headers, /as=PartialObjectMetadata;g=meta.k8s.io/);
  });

  test('nobody is asked where it cannot be', async () => {
    const { live, asked } = liveWith({ code: 200, body: { metadata } });
    await assert.rejects(live.get({ ...a, namespace: '' }), NamespacedOwner);
    await assert.rejects(live.get({ ...a, kind: 'Other' }), UnknownKind);
    assert.deepEqual(asked, []);
  });
});
