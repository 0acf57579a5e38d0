import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { APIResource } from '@tributary/server/discovery';
import { decodeAggregated } from './aggregated-document.ts';
import { documentBounds, MalformedDocument, parseBounded } from './document-bounds.ts';
import { decodeLegacy, fromLegacy, toLegacy } from './legacy-document.ts';
import { decodeRemoteDocument, encodeRemoteDocument, remoteDocument } from './remote-document.ts';

const around = { group: 'a', version: 'v1' };
const none = { group: '', version: '', kind: '' };
const flunders = {
  resource: 'flunders',
  responseKind: { group: 'a', version: 'v1', kind: 'Flunder' },
  scope: 'Namespaced',
  singularResource: 'flunder',
  verbs: ['get', 'list'],
  shortNames: ['fl'],
  categories: ['all'],
  subresources: [
    {
      subresource: 'scale',
      responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      acceptedTypes: [{ group: 'autoscaling', version: 'v1', kind: 'Scale' }],
      verbs: ['get'],
    },
  ],
} as const;

test('an aggregated document is read as it is', async () => {
  const versions = await decodeAggregated(aggregated([flunders]));
  assert.deepEqual([...versions], [['a/v1', [flunders]]]);
});

test('what is not known is left out, what is missing is empty', async () => {
  const odd = {
    resource: 'x',
    scope: 'Cluster',
    __proto__: 1,
    more: { deep: [[]] },
    verbs: null,
    subresources: [{ subresource: 's' }],
  };
  const versions = await decodeAggregated(aggregated([odd]));
  assert.deepEqual(versions.get('a/v1'), [
    {
      resource: 'x',
      responseKind: none,
      scope: 'Cluster',
      singularResource: '',
      verbs: [],
      subresources: [{ subresource: 's', responseKind: none, verbs: [] }],
    },
  ]);
});

const wrong: { name: string; bytes: Uint8Array; message: RegExp }[] = [
  { name: 'HTML', bytes: Buffer.from('<html></html>'), message: /no JSON/ },
  { name: 'nothing', bytes: new Uint8Array(), message: /no JSON/ },
  { name: 'half of it', bytes: aggregated([flunders]).subarray(0, 100), message: /no JSON/ },
  { name: 'null', bytes: Buffer.from('null'), message: /the document is no object/ },
  { name: 'a list', bytes: Buffer.from('[]'), message: /the document is no object/ },
  { name: 'another kind', bytes: Buffer.from('{"kind":"Status"}'), message: /kind is another/ },
  { name: 'items that are no list', bytes: list({ items: {} }), message: /items is no list/ },
  {
    name: 'an item that is no object',
    bytes: list({ items: [1] }),
    message: /an item is no object/,
  },
  {
    name: 'a name that is no text',
    bytes: list({ items: [{ metadata: { name: 7 } }] }),
    message: /name is no text/,
  },
  {
    name: 'a version without a name',
    bytes: list({ items: [{ versions: [{}] }] }),
    message: /is missing/,
  },
  {
    name: 'resources that are no list',
    bytes: aggregated('x'),
    message: /resources of a\/v1 is no list/,
  },
  { name: 'a resource without a name', bytes: aggregated([{}]), message: /is missing/ },
  {
    name: 'a wrong scope',
    bytes: aggregated([{ ...flunders, scope: 'Galaxy' }]),
    message: /scope of flunders/,
  },
  {
    name: 'verbs that are no list',
    bytes: aggregated([{ ...flunders, verbs: 'get' }]),
    message: /verbs of flunders/,
  },
  {
    name: 'verbs that are no texts',
    bytes: aggregated([{ ...flunders, verbs: [{}] }]),
    message: /verbs of flunders/,
  },
  {
    name: 'too many verbs',
    bytes: aggregated([{ ...flunders, verbs: Array(257).fill('a') }]),
    message: /more than 256/,
  },
  {
    name: 'a very long name',
    bytes: aggregated([{ ...flunders, resource: 'a'.repeat(2_000) }]),
    message: /too long/,
  },
  {
    name: 'a kind that is a text',
    bytes: aggregated([{ ...flunders, responseKind: 'A' }]),
    message: /no object/,
  },
  { name: 'great depth', bytes: Buffer.from('['.repeat(1_000_000)), message: /for depth/ },
  {
    name: 'a million lists',
    bytes: Buffer.from(`[${'[],'.repeat(1_000_000)}1]`),
    message: /for containers/,
  },
  {
    name: 'one very large resource',
    bytes: aggregated([{ ...flunders, more: 'a'.repeat(300_000) }]),
    message: /for elementBytes/,
  },
  {
    name: 'much that is no resource',
    bytes: list({ items: [], more: 'a'.repeat(2_000_000) }),
    message: /for frameBytes/,
  },
  {
    name: 'a resource that is no JSON',
    bytes: Buffer.from(aggregated([flunders]).toString().replace('"get"', 'get')),
    message: /no JSON/,
  },
  {
    name: 'brackets that do not match',
    bytes: Buffer.from('{"kind":"APIGroupDiscoveryList","items":[}]'),
    message: /no JSON/,
  },
  {
    name: 'more that is closed than was opened',
    bytes: Buffer.from(']]]]}}}}'),
    message: /no JSON/,
  },
  {
    name: 'a million numbers',
    bytes: Buffer.from(`[${'1,'.repeat(1_000_000)}1]`),
    message: /for values/,
  },
];
for (const { name, bytes, message } of wrong) {
  test(`an aggregated document with ${name} is refused`, async () => {
    await assert.rejects(decodeAggregated(bytes), (error) => {
      assert.ok(error instanceof MalformedDocument);
      assert.match(error.message, message);
      return true;
    });
  });
}

test('brackets, commas and quotes inside texts are not counted', async () => {
  const text = '[{"\\",'.repeat(100);
  const many = Array.from({ length: 1_000 }, () => ({ ...flunders, unknown: text }));
  const versions = await decodeAggregated(aggregated(many));
  assert.deepEqual(versions.get('a/v1')?.[999], flunders);
});

test('the elements of a document are parsed apart, the rest at once', async () => {
  const value = { a: [{ b: [1, '}'] }, { b: [] }], c: { d: { e: null } } };
  const bytes = Buffer.from(JSON.stringify(value));
  const { frame, mapElements } = await parseBounded(bytes, { elementDepth: 3 });
  const { a, c } = frame as { a: unknown[]; c: { d: unknown } };
  assert.notDeepEqual(a, value.a);
  assert.deepEqual(await mapElements(a, (one) => one), value.a);
  assert.deepEqual(await mapElements([c.d, 7], (one) => one), [value.c.d, 7]);
});

test('what looks like a mark is none', async () => {
  const names = ['0', '1', '"0"'];
  const bytes = Buffer.from(JSON.stringify({ a: [{}, ...names] }));
  const { frame, mapElements } = await parseBounded(bytes, { elementDepth: 3 });
  const list = await mapElements((frame as { a: unknown[] }).a, (one) => one);
  assert.deepEqual(list, [{}, ...names]);
});

test('others have their turn while a large document is read', async () => {
  const many = Array.from({ length: 5_000 }, (_, at) => ({ ...flunders, resource: `r${at}` }));
  const bytes = aggregated(many);
  assert.ok(bytes.byteLength < documentBounds.bytes);
  let isDone = false;
  const decoding = decodeAggregated(bytes).finally(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns += 1) await nextTurn();
  assert.equal((await decoding).get('a/v1')?.length, many.length);
  assert.ok(turns > 1, `${turns} turns`);
});

const legacyList: APIResource[] = [
  {
    name: 'flunders',
    singularName: 'flunder',
    namespaced: true,
    kind: 'Flunder',
    verbs: ['get'],
    shortNames: ['fl'],
    categories: ['all'],
  },
  {
    name: 'flunders/scale',
    singularName: '',
    namespaced: true,
    group: 'autoscaling',
    version: 'v1',
    kind: 'Scale',
    verbs: ['get'],
  },
];

test('a legacy list is read as it is', async () => {
  const hashed = [{ ...legacyList[0], storageVersionHash: 'abc=' }];
  const bytes = Buffer.from(JSON.stringify({ kind: 'APIResourceList', resources: hashed }));
  assert.deepEqual(await decodeLegacy(bytes), hashed);
});

test('a legacy list and its conversion say the same', () => {
  assert.deepEqual(toLegacy(fromLegacy(legacyList), around), legacyList);
});

test('subresources make a parent that is missing; clients do not see it', () => {
  const orphan: APIResource = {
    name: 'pods/exec',
    singularName: '',
    namespaced: true,
    kind: 'Exec',
    verbs: ['get'],
  };
  assert.deepEqual(fromLegacy([orphan]), [
    {
      resource: 'pods',
      scope: 'Namespaced',
      responseKind: none,
      singularResource: '',
      verbs: [],
      subresources: [
        { subresource: 'exec', responseKind: { ...none, kind: 'Exec' }, verbs: ['get'] },
      ],
    },
  ]);
  assert.deepEqual(toLegacy(fromLegacy([orphan]), around), [orphan]);
});

test('a subresource with another scope than its parent is refused', () => {
  const [parent, child] = legacyList;
  assert.ok(parent && child);
  assert.throws(
    () => fromLegacy([parent, { ...child, namespaced: false }]),
    /flunders is Namespaced/,
  );
});

test('group and version of the list itself are not repeated', () => {
  const [main] = toLegacy([{ ...flunders, responseKind: { ...around, kind: 'Flunder' } }], around);
  assert.deepEqual(main, { ...legacyList[0], verbs: ['get', 'list'] });
});

test('what is kept is the same when it is read again', async () => {
  for (const legacy of [undefined, legacyList]) {
    const document = remoteDocument(around, [flunders], legacy);
    const again = await decodeRemoteDocument(around, encodeRemoteDocument(document));
    assert.equal(again.json, document.json);
    assert.equal(again.legacyJson, document.legacyJson);
  }
});

function list(more: object): Uint8Array {
  return Buffer.from(JSON.stringify({ kind: 'APIGroupDiscoveryList', ...more }));
}

function aggregated(resources: unknown): Buffer {
  const versions = [{ version: 'v1', resources, freshness: 'Current' }];
  return Buffer.from(list({ items: [{ metadata: { name: 'a' }, versions }] }));
}
