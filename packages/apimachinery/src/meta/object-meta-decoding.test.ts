import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GoTypeError } from '../json/go-struct.ts';
import { decodeObjectMeta } from './object-meta-decoding.ts';

test('valid metadata is decoded, and null is absent', () => {
  const metadata = {
    name: 'a',
    uid: null,
    generation: 3,
    creationTimestamp: '2026-01-02T03:04:05+02:00',
    labels: { a: 'b', c: null },
    finalizers: ['x', null],
    ownerReferences: [{ name: 'o', controller: true }],
    managedFields: [{ manager: 'm', fieldsV1: { 'f:spec': {} } }],
    unknown: 1,
  };
  assert.deepEqual(decodeObjectMeta({ metadata }, 'Thing'), {
    name: 'a',
    generation: 3,
    creationTimestamp: '2026-01-02T01:04:05Z',
    labels: { a: 'b', c: '' },
    finalizers: ['x', ''],
    ownerReferences: [{ apiVersion: '', kind: '', name: 'o', uid: '', controller: true }],
    managedFields: [{ manager: 'm', fieldsV1: { 'f:spec': {} } }],
  });
  assert.deepEqual(decodeObjectMeta({}, 'Thing'), {});
  assert.deepEqual(decodeObjectMeta({ metadata: null }, 'Thing'), {});
});

const cases = [
  { metadata: [], want: 'array into Go struct field Thing.metadata of type v1.ObjectMeta' },
  {
    metadata: { name: 1 },
    want: 'number into Go struct field ObjectMeta.metadata.name of type string',
  },
  {
    metadata: { uid: true },
    want: 'bool into Go struct field ObjectMeta.metadata.uid of type types.UID',
  },
  {
    metadata: { labels: { a: 1 } },
    want: 'number into Go struct field ObjectMeta.metadata.labels of type string',
  },
  {
    metadata: { labels: 'x' },
    want: 'string into Go struct field ObjectMeta.metadata.labels of type map[string]string',
  },
  {
    metadata: { finalizers: {} },
    want: 'object into Go struct field ObjectMeta.metadata.finalizers of type []string',
  },
  {
    metadata: { ownerReferences: [{ name: [] }] },
    want: 'array into Go struct field OwnerReference.metadata.ownerReferences.name of type string',
  },
  {
    metadata: { generation: 1.5 },
    want: 'number 1.5 into Go struct field ObjectMeta.metadata.generation of type int64',
  },
];
for (const { metadata, want } of cases) {
  test(`rejects ${JSON.stringify(metadata)}`, () => {
    assert.throws(
      () => decodeObjectMeta({ metadata }, 'Thing'),
      (error) => error instanceof GoTypeError && error.message === `json: cannot unmarshal ${want}`,
    );
  });
}

test('an invalid time is rejected', () => {
  assert.throws(
    () => decodeObjectMeta({ metadata: { creationTimestamp: 'x' } }, 'Thing'),
    GoTypeError,
  );
});

test('a label named __proto__ is data', () => {
  const document: unknown = JSON.parse('{"metadata":{"labels":{"__proto__":"x"}}}');
  assert.deepEqual(Object.keys(decodeObjectMeta(document, 'Thing').labels ?? {}), ['__proto__']);
});
