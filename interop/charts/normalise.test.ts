import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normaliseObjects, normaliseText } from './normalise.ts';

const texts = [
  {
    name: 'a date',
    text: 'LAST DEPLOYED: Mon Nov 16 10:30:44 2026\n',
    want: 'LAST DEPLOYED: {time}\n',
  },
  { name: 'a time', text: '"2026-11-16 10:30:44.5 +0000 UTC"', want: '"{time}"' },
  { name: 'a time of JSON', text: '"2026-11-16T10:30:44.123456Z"', want: '"{time}"' },
  { name: 'a server', text: 'Get "https://127.0.0.1:6443/api"', want: 'Get "{server}/api"' },
  {
    name: 'a line of a log',
    text: 'W1116 10:38:39.293578   26058 warnings.go:107] "old"',
    want: 'W warnings.go:107] "old"',
  },
  { name: 'an address', text: 'at 10.0.0.7 now', want: 'at {clusterIP} now' },
  { name: 'a short address in a table', text: '10.0.0.7     <none>', want: '{clusterIP}  <none>' },
  { name: 'a long address in a table', text: '10.0.0.123   <none>', want: '{clusterIP}  <none>' },
  { name: 'words stay', text: 'revision 2: deployed', want: 'revision 2: deployed' },
];
for (const { name, text, want } of texts) {
  test(`text: ${name}`, () => assert.equal(normaliseText(text), want));
}

test('objects: what servers decide goes, what people wrote stays', () => {
  const object = (name: string, namespace: string | undefined, rest: object) => ({
    kind: 'ConfigMap',
    metadata: { name, ...(namespace && { namespace }), uid: 'u', resourceVersion: '3' },
    ...rest,
  });
  const items = [
    object('b', 'here', { data: { colour: 'red' } }),
    object('a', 'here', { data: { release: 'H4sI' } }),
    object('kube-root-ca.crt', 'here', {}),
    object('c', 'elsewhere', {}),
    object('own', undefined, {}),
    object('system', undefined, {}),
  ];
  const found = normaliseObjects(JSON.stringify({ items }), {
    namespaces: ['here'],
    names: ['own'],
  });
  assert.deepEqual(found, [
    { kind: 'ConfigMap', metadata: { name: 'own' } },
    { kind: 'ConfigMap', metadata: { name: 'a', namespace: 'here' }, data: {} },
    { kind: 'ConfigMap', metadata: { name: 'b', namespace: 'here' }, data: { colour: 'red' } },
  ]);
});
