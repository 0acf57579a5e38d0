import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@tributary/apimachinery';
import { type Change, ObjectStore, objectKey, requireKey, sameContent } from './object-store.ts';

function object(
  name: string,
  version: string,
  more: { uid?: string; data?: string } = {},
): KubeObject {
  const { uid = name, data = '' } = more;
  const metadata = { name, namespace: 'eu', uid, resourceVersion: version };
  return { apiVersion: 'v1', kind: 'Thing', metadata, data };
}

function text(changes: Iterable<Change>): string[] {
  return [...changes].map((change) => {
    const { name, resourceVersion } = change.object.metadata;
    const unknown = change.kind === 'delete' && change.finalStateUnknown ? '?' : '';
    return `${change.kind} ${name}@${resourceVersion}${unknown}`;
  });
}

test('objectKey has a namespace where the object has one', () => {
  assert.equal(objectKey(object('a', '1')), 'eu/a');
  assert.equal(objectKey({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }), 'n');
});

const pods = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const nodes = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const keys = [
  { name: 'a namespaced one', type: pods, metadata: { name: 'a', namespace: 'eu' }, says: '' },
  { name: 'one of the cluster', type: nodes, metadata: { name: 'a' }, says: '' },
  {
    name: 'one of the cluster, said in full',
    type: nodes,
    metadata: { name: 'a', namespace: '' },
    says: '',
  },
  { name: 'one of an unknown type', type: undefined, metadata: { name: 'a' }, says: '' },
  {
    name: 'one that lost its namespace',
    type: pods,
    metadata: { name: 'a' },
    says: 'pods "a" without a namespace',
  },
  {
    name: 'one with an empty namespace',
    type: pods,
    metadata: { name: 'a', namespace: '' },
    says: 'pods "a" without a namespace',
  },
  {
    name: 'one with a namespace too many',
    type: nodes,
    metadata: { name: 'a', namespace: 'eu' },
    says: 'nodes "a" in a namespace',
  },
  { name: 'one without a name', type: pods, metadata: { namespace: 'eu' }, says: 'without a name' },
  {
    name: 'one without metadata',
    type: undefined,
    metadata: undefined as never,
    says: 'without a name',
  },
];
for (const { name, type, metadata, says } of keys) {
  test(`${name} ${says === '' ? 'has a key' : 'has none'}`, () => {
    const check = () => requireKey({ apiVersion: 'v1', kind: 'X', metadata }, type);
    if (says === '') check();
    else assert.throws(check, ({ message }: Error) => message.includes(says));
  });
}

test('put adds, updates, and ignores known versions', () => {
  const store = new ObjectStore({});
  assert.deepEqual(text(store.put(object('a', '1'))), ['add a@1']);
  assert.deepEqual(text(store.put(object('a', '1'))), []);
  assert.deepEqual(text(store.put(object('a', '2'))), ['update a@2']);
  assert.deepEqual(text(store.remove(object('a', '3'))), ['delete a@3']);
  assert.deepEqual(text(store.remove(object('a', '3'))), []);
});

test('another object of the same name is a deletion and an addition', () => {
  const store = new ObjectStore({});
  store.put(object('a', '1'));
  assert.deepEqual(text(store.put(object('a', '5', { uid: 'other' }))), ['delete a@1?', 'add a@5']);
});

test('replace yields exactly the differences, deletions first', () => {
  const store = new ObjectStore({});
  for (const name of ['same', 'changed', 'gone']) store.put(object(name, '1'));
  const changes = store.replace([object('new', '4'), object('changed', '3'), object('same', '1')]);
  assert.deepEqual(text(changes), ['delete gone@1?', 'add new@4', 'update changed@3']);
  assert.deepEqual([...store.keys()].sort(), ['eu/changed', 'eu/new', 'eu/same']);
});

test('after a change of history objects are compared by content', () => {
  const store = new ObjectStore({});
  store.put(object('a', '1', { data: 'old past' }));
  store.put(object('b', '1', { data: 'both' }));
  const next = [object('a', '1', { data: 'new past' }), object('b', '1', { data: 'both' })];
  assert.deepEqual(text(store.replace(next)), []);
  assert.deepEqual(text(store.replace(next, sameContent)), ['update a@1']);
});

test('indexes follow every change', () => {
  const store = new ObjectStore<KubeObject, 'data'>({
    data: ({ data }) => String(data).split(','),
  });
  const names = (value: string): string[] =>
    store.byIndex('data', value).map(({ metadata }) => metadata.name ?? '');
  store.put(object('a', '1', { data: 'x,y' }));
  store.put(object('b', '2', { data: 'y' }));
  assert.deepEqual(names('y'), ['a', 'b']);
  store.put(object('a', '3', { data: 'z' }));
  assert.deepEqual([names('x'), names('y'), names('z')], [[], ['b'], ['a']]);
  store.remove(object('b', '4'));
  assert.deepEqual(store.indexValues('data'), ['z']);
  assert.deepEqual(store.indexValues('namespace'), ['eu']);
  assert.throws(() => store.byIndex('nothing' as 'data', 'x'), /there is no index "nothing"/);
});

test('an indexer that throws leaves the store unchanged', () => {
  const store = new ObjectStore<KubeObject, 'data'>({
    data: ({ data }) => {
      if (data === 'bad') throw new Error('bad');
      return [String(data)];
    },
  });
  store.put(object('a', '1', { data: 'x' }));
  assert.throws(() => store.put(object('a', '2', { data: 'bad' })), /bad/);
  assert.equal(store.get('eu/a')?.metadata.resourceVersion, '1');
  assert.equal(store.byIndex('data', 'x').length, 1);
});
