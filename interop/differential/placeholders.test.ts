import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillJson, fillText, fillUrl, type Known, MissingResponse } from './placeholders.ts';

const known: Known = {
  namespace: 'ns-1',
  bodies: new Map([
    ['create', { metadata: { name: 'a', uid: 'u', resourceVersion: '7' } }],
    ['token', { status: { token: 't' }, spec: { clusterIP: '10.0.0.9' } }],
    ['list', { metadata: { continue: 'c' }, items: [{ metadata: { name: 'x' } }] }],
    ['watch', [{ type: 'ADDED', object: { metadata: { resourceVersion: '9' } } }]],
  ]),
  etags: new Map([['list', '"E"']]),
};

const cases = [
  { text: '/namespaces/{ns}/flunders', want: '/namespaces/ns-1/flunders' },
  { text: '{rv:create} {uid:create} {name:create}', want: '7 u a' },
  { text: '{continue:list} {etag:list}', want: 'c "E"' },
  { text: '{token:token} {clusterIP:token}', want: 't 10.0.0.9' },
  { text: '{name:list#0}', want: 'x' },
  { text: '{rv:watch#0}', want: '9' },
  { text: '{"ns":{}} {other}', want: '{"ns":{}} {other}' },
];
for (const { text, want } of cases) {
  test(text, () => assert.equal(fillText(text, known), want));
}

for (const text of ['{rv:none}', '{rv:list}', '{rv:watch#1}', '{etag:create}', '{token:create}']) {
  test(`${text} cannot be filled`, () => {
    assert.throws(() => fillText(text, known), MissingResponse);
  });
}

test('bodies are filled in keys and values', () => {
  assert.deepEqual(fillJson({ '{ns}': ['{rv:create}', 1, null] }, known), {
    'ns-1': ['7', 1, null],
  });
});

test('queries are filled and escaped, repeated keys kept', () => {
  const url = fillUrl({ path: '/x', query: { a: 'row={ns}', b: ['1', '2'] } }, known);
  assert.equal(url, '/x?a=row%3Dns-1&b=1&b=2');
});
