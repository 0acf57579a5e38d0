import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemClock } from '@tributary/client';
import type { Backend, BackendRequest, BackendResponse } from '@tributary/proxy';
import { remoteRegistration } from '../../test/service-objects.ts';
import { deleteLeftovers, type IsIncluded } from './delete-leftovers.ts';

const registration = remoteRegistration();
const { group, version } = registration;
const place = {
  resource: { group, version, plural: 'flunders', namespaced: true },
  namespace: 'team',
};
const PATH = `/apis/${group}/${version}/namespaces/team/flunders`;
const { signal } = new AbortController();

type Reply = { readonly status?: number; readonly body?: unknown; readonly endless?: boolean };

/** Answers as the test says, and keeps what it was asked. */
function server(reply: (request: BackendRequest) => Reply) {
  const seen: BackendRequest[] = [];
  const backend: Backend = {
    server: registration,
    send: async (request) => {
      seen.push(request);
      const { status = 200, body = '', endless = false } = reply(request);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const response: BackendResponse = {
        status,
        headers: [],
        body: endless ? without(Buffer.alloc(64 * 1024, 'x')) : pieces(text),
        target: { host: 'h', port: 1, serverName: 'h' },
        cancel() {},
      };
      return response;
    },
    upgrade: () => Promise.reject(new Error('nothing is upgraded here')),
    dropIdle() {},
  };
  return { client: { backend, clock: systemClock, signal }, seen };
}

async function* pieces(text: string) {
  yield Buffer.from(text);
}
async function* without(end: Uint8Array) {
  for (;;) yield end;
}

const list = (names: readonly string[], more: { continue?: string; metadata?: object } = {}) => ({
  kind: 'PartialObjectMetadataList',
  metadata: { continue: more.continue ?? '' },
  items: names.map((name) => ({ metadata: { name, uid: `uid-${name}`, ...more.metadata } })),
});
const isList = ({ method }: BackendRequest) => method === 'GET';

describe('objects of a namespace that is gone', () => {
  test('are deleted page by page, only the very ones that were seen', async () => {
    const left = new Set(['a', 'b', 'c']);
    const { client, seen } = server((request) => {
      if (!isList(request)) {
        left.delete(request.path.slice(PATH.length + 1));
        return {};
      }
      const isSecond = request.path.includes('continue=next');
      const page = [...left].filter((name) => (name === 'c') === isSecond);
      return { body: list(page, isSecond || !left.has('c') ? {} : { continue: 'next' }) };
    });
    const held = await deleteLeftovers(client, place);
    assert.equal(held.count, 0);
    assert.deepEqual(
      seen.map(({ method, path }) => `${method} ${path.slice(PATH.length)}`),
      [
        'GET ?limit=250',
        'DELETE /a',
        'DELETE /b',
        'GET ?limit=250&continue=next',
        'DELETE /c',
        'GET ?limit=250',
      ],
    );
    const body = JSON.parse(String(seen[1]?.body));
    assert.deepEqual(body.preconditions, { uid: 'uid-a' });
    assert.ok(seen.every(({ headers }) => headers.some(([, value]) => value === 'system:masters')));
  });

  test('that are deleted already are counted with their finalizers', async () => {
    const metadata = { deletionTimestamp: '2030-01-01T00:00:00Z', finalizers: ['x'] };
    const { client, seen } = server(() => ({ body: list(['a', 'b'], { metadata }) }));
    const held = await deleteLeftovers(client, place);
    assert.deepEqual(held, { count: 2, finalizers: new Map([['x', 2]]), going: 0 });
    assert.equal(seen.length, 1);
  });

  test('that are not owed are not touched', async () => {
    const { client, seen } = server(() => ({ body: list(['a']) }));
    const isIncluded: IsIncluded = () => false;
    assert.equal((await deleteLeftovers(client, place, { isIncluded })).count, 0);
    assert.equal(seen.length, 1);
  });

  test('are looked for again from the beginning when a list has expired', async () => {
    let lists = 0;
    const { client } = server((request) => {
      if (!isList(request)) return {};
      lists += 1;
      if (request.path.includes('continue')) return { status: 410 };
      return { body: lists === 1 ? list([], { continue: 'next' }) : list([]) };
    });
    await deleteLeftovers(client, place);
    assert.equal(lists, 3);
  });

  test('are asked for in smaller pages where they are large', async () => {
    const limits: (string | null)[] = [];
    const { client } = server((request) => {
      const limit = new URL(request.path, 'https://x').searchParams.get('limit');
      limits.push(limit);
      if (limit === '1') return { body: list([]) };
      return { body: { ...list([]), padding: 'x'.repeat(1024 * 1024) } };
    });
    await deleteLeftovers(client, place);
    assert.deepEqual(limits, ['250', '25', '1']);
  });
});

const failures: readonly [name: string, reply: (request: BackendRequest) => Reply, want: RegExp][] =
  [
    ['garbage', () => ({ body: '<html>' }), /the answer is no list of objects/],
    ['something else', () => ({ body: { kind: 'Status' } }), /the answer is no list of objects/],
    ['a list of nothing', () => ({ body: { kind: 'AList', items: [{}] } }), /no list of objects/],
    ['without end', () => ({ endless: true }), /larger than it may be/],
    ['302', () => ({ status: 302 }), /flunders: answered 302$/],
    ['503', () => ({ status: 503, body: { message: 'later' } }), /flunders: answered 503: later$/],
    [
      '403 to a deletion',
      (request) => (isList(request) ? { body: list(['a']) } : { status: 403 }),
      /flunders\/a: answered 403$/,
    ],
    [
      'the same objects for ever',
      (request) => (isList(request) ? { body: list(['a']) } : {}),
      /are there again after they were deleted/,
    ],
  ];

describe('a server that answers', () => {
  for (const [name, reply, want] of failures) {
    test(`${name} has not paid`, async () => {
      await assert.rejects(deleteLeftovers(server(reply).client, place), want);
    });
  }
  test('404 has nothing', async () => {
    const { client } = server(() => ({ status: 404 }));
    assert.equal((await deleteLeftovers(client, place)).count, 0);
  });
  test('404 or 409 to a deletion has deleted it, or has another', async () => {
    for (const status of [404, 409]) {
      let lists = 0;
      const { client } = server((request) => {
        if (!isList(request)) return { status };
        lists += 1;
        return { body: list(lists === 1 ? ['a'] : []) };
      });
      assert.equal((await deleteLeftovers(client, place)).count, 0);
    }
  });
});
