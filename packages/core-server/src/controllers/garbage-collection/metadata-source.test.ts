import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Client, createClient } from '@tributary/client';
import { metadataSource, type SourceBounds } from './metadata-source.ts';

const THINGS = { group: 'example.com', version: 'v1', plural: 'things', namespaced: true };
const BOUNDS: SourceBounds = {
  objectsMax: 5,
  objectBytesMax: 1_000,
  pageBytesMax: 2_000,
  pageSize: 100,
};

const thing = (name: string, more: object = {}) => ({
  metadata: { name, namespace: 'here', uid: name, resourceVersion: '3', ...more },
});

/** A server that sends this, by path. */
function clientOf(send: (path: string) => Iterable<string>): Client {
  return createClient(
    { server: 'https://test', identity: {}, namespace: 'default', disableCompression: true },
    {
      open: async ({ path, signal }) => ({
        status: 200,
        rawHeaders: [['content-type', 'application/json']],
        httpVersion: '2',
        body: (async function* () {
          for (const text of send(path)) {
            signal.throwIfAborted();
            yield Buffer.from(text);
          }
        })(),
        cancel: () => {},
      }),
    },
  );
}

function* endless(text: (index: number) => string): Generator<string> {
  for (let index = 0; ; index += 1) yield text(index);
}

const list = (index: number, items: readonly object[]) =>
  JSON.stringify({
    kind: 'PartialObjectMetadataList',
    metadata: { resourceVersion: '9', continue: `page-${index}` },
    items,
  });
const added = (object: object) => `${JSON.stringify({ type: 'ADDED', object })}\n`;

describe('a server without limits sends', () => {
  const attempts: readonly {
    readonly name: string;
    readonly send: (path: string) => Iterable<string>;
    readonly how: 'list' | 'watch';
    readonly error: RegExp;
  }[] = [
    {
      name: 'endless pages',
      how: 'list',
      send: (path) => [list(path.length, [thing('a'), thing('b')])],
      error: /more than 5 objects/,
    },
    {
      name: 'an endless page',
      how: 'list',
      send: () => endless(() => ' '.repeat(100)),
      error: /more than 2000 bytes/,
    },
    {
      name: 'endless initial events',
      how: 'watch',
      send: () => endless((index) => added(thing(`t-${index}`))),
      error: /more than 5 objects/,
    },
    {
      name: 'an endless event',
      how: 'watch',
      send: () => endless(() => ' '.repeat(100)),
      error: /the watch is broken/,
    },
  ];
  for (const { name, how, send, error } of attempts) {
    test(name, async () => {
      const source = metadataSource(clientOf(send), THINGS, BOUNDS);
      const read = async () => {
        if (how === 'list') await source.listAll();
        else for await (const _ of source.watch({}));
      };
      await assert.rejects(read, error);
    });
  }
});

test('only metadata of the graph is stored', async () => {
  const owners = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'o' }];
  const more = { ownerReferences: owners, finalizers: ['orphan'], deletionTimestamp: 'now' };
  const rest = { labels: { a: 'b' }, annotations: { c: 'd' }, managedFields: [{ manager: 'm' }] };
  const text = added(thing('a', { ...more, ...rest }));
  const source = metadataSource(
    clientOf(() => [text]),
    THINGS,
    undefined,
  );
  for await (const { object } of source.watch()) {
    assert.deepEqual(object.metadata, thing('a', more).metadata);
  }
});

test('all pages are one list', async () => {
  const pages = [
    { items: [thing('a'), thing('b')], metadata: { resourceVersion: '9', continue: 'more' } },
    { items: [thing('c')], metadata: { resourceVersion: '9' } },
  ];
  const paths: string[] = [];
  const source = metadataSource(
    clientOf((path) => {
      paths.push(path.slice(path.indexOf('?')));
      return [JSON.stringify({ kind: 'PartialObjectMetadataList', ...pages[paths.length - 1] })];
    }),
    THINGS,
    BOUNDS,
  );
  const { items, metadata } = await source.listAll({ resourceVersion: '0' });
  assert.deepEqual(
    items.map((item) => item.metadata.name),
    ['a', 'b', 'c'],
  );
  assert.deepEqual(metadata, { resourceVersion: '9' });
  assert.deepEqual(paths, ['?limit=100&resourceVersion=0', '?limit=100&continue=more']);
});
