import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ManagedFieldsEntry } from '../meta/object.ts';
import { parentManagedFields, type ReplicasPaths, scaleManagedFields } from './scale-ownership.ts';

const V1 = 'example.com/v1';
const V2 = 'example.com/v2';
const SCALE = 'autoscaling/v1';
const NOW = '2024-01-01T00:00:00Z';

/** The path of the replicas in v2 is unknown. */
const paths: ReplicasPaths = new Map([
  [V1, ['f:spec', 'f:size']],
  [V2, undefined],
]);

const size = { 'f:spec': { 'f:size': {} } };
const sizeAndText = { 'f:spec': { 'f:size': {}, 'f:text': {} } };
const text = { 'f:spec': { 'f:text': {} } };
const replicas = { 'f:spec': { 'f:replicas': {} } };

function entry(
  manager: string,
  operation: 'Apply' | 'Update',
  apiVersion: string,
  fieldsV1: object,
  more: Partial<ManagedFieldsEntry> = { time: NOW },
): ManagedFieldsEntry {
  return {
    manager,
    operation,
    apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...more,
  } as ManagedFieldsEntry;
}

const shown: readonly {
  name: string;
  parent: ManagedFieldsEntry[];
  want?: ManagedFieldsEntry[];
}[] = [
  { name: 'no managers', parent: [] },
  { name: 'an owner of other fields', parent: [entry('a', 'Update', V1, text)] },
  { name: 'a version without a known path', parent: [entry('a', 'Update', V2, sizeAndText)] },
  { name: 'a version that is not served', parent: [entry('a', 'Update', 'old/v0', size)] },
  {
    name: 'an Apply and an Update manager',
    parent: [entry('a', 'Apply', V1, sizeAndText), entry('b', 'Update', V1, size)],
    want: [entry('a', 'Apply', SCALE, replicas), entry('b', 'Update', SCALE, replicas)],
  },
  {
    name: 'a manager of the scale subresource',
    parent: [entry('a', 'Update', V1, size, { subresource: 'scale' })],
    want: [entry('a', 'Update', SCALE, replicas, { subresource: 'scale' })],
  },
];

for (const { name, parent, want } of shown) {
  test(`the managers of a Scale: ${name}`, () => {
    assert.deepEqual(scaleManagedFields(parent, paths), want);
  });
}

const written: readonly {
  name: string;
  parent: ManagedFieldsEntry[];
  scale: ManagedFieldsEntry[];
  want?: ManagedFieldsEntry[];
}[] = [
  {
    name: 'other managers lose only the replicas',
    parent: [entry('a', 'Apply', V1, sizeAndText), entry('b', 'Update', V1, size)],
    scale: [entry('c', 'Update', SCALE, replicas, { time: NOW, subresource: 'scale' })],
    want: [entry('a', 'Apply', V1, text), entry('c', 'Update', V1, size, { subresource: 'scale' })],
  },
  {
    name: 'an Apply manager that retains the replicas has the same entry',
    parent: [entry('a', 'Apply', V1, sizeAndText)],
    scale: [
      entry('a', 'Apply', SCALE, replicas),
      entry('b', 'Apply', SCALE, replicas, { subresource: 'scale' }),
    ],
    want: [
      entry('b', 'Apply', V1, size, { subresource: 'scale' }),
      entry('a', 'Apply', V1, sizeAndText),
    ],
  },
  {
    name: 'an Update manager that retains the replicas gets a separate entry without a time',
    parent: [entry('a', 'Update', V1, sizeAndText)],
    scale: [entry('a', 'Update', SCALE, replicas)],
    want: [entry('a', 'Update', V1, size, {}), entry('a', 'Update', V1, text)],
  },
  {
    name: 'a manager that applies to the Scale again retains its time',
    parent: [entry('a', 'Apply', V1, size, { time: NOW, subresource: 'scale' })],
    scale: [entry('a', 'Apply', SCALE, replicas, { subresource: 'scale' })],
    want: [entry('a', 'Apply', V1, size, { time: NOW, subresource: 'scale' })],
  },
  {
    name: 'an entry of a version without a known path stays',
    parent: [entry('a', 'Update', V2, sizeAndText)],
    scale: [],
    want: [entry('a', 'Update', V2, sizeAndText)],
  },
  {
    name: 'an entry of a version that is not served is dropped',
    parent: [entry('a', 'Update', 'old/v0', text)],
    scale: [],
  },
  {
    name: 'the replicas have no owner when the Scale has no managers',
    parent: [entry('a', 'Update', V1, size)],
    scale: [],
  },
];

for (const { name, parent, scale, want } of written) {
  test(`the managers after a write of the Scale: ${name}`, () => {
    assert.deepEqual(parentManagedFields(parent, scale, { paths, apiVersion: V1 }), want);
  });
}

test('the last of several entries of a manager wins', () => {
  const parent = [entry('a', 'Update', V1, sizeAndText)];
  const scale = [entry('a', 'Update', SCALE, replicas)];
  const split = parentManagedFields(parent, scale, { paths, apiVersion: V1 }) ?? [];
  assert.equal(scaleManagedFields(split, paths), undefined);
});

test('a version without a known path of the replicas is an error', () => {
  const record = () => parentManagedFields([], [], { paths, apiVersion: V2 });
  assert.throws(record, { message: 'example.com/v2 has no replicas path' });
});
