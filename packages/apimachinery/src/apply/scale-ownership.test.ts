import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ManagedFieldsEntry } from '../meta/object.ts';
import { parentManagedFields, type ReplicasPaths, scaleManagedFields } from './scale-ownership.ts';

const V1 = 'example.com/v1';
const V2 = 'example.com/v2';
const SCALE = 'autoscaling/v1';
const NOW = '2024-01-01T00:00:00Z';

/** v2 keeps its replicas somewhere that is not known. */
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
  { name: 'nobody', parent: [] },
  { name: 'an owner of something else', parent: [entry('a', 'Update', V1, text)] },
  { name: 'a version that is not known', parent: [entry('a', 'Update', V2, sizeAndText)] },
  { name: 'a version that is not served', parent: [entry('a', 'Update', 'old/v0', size)] },
  {
    name: 'an applier and an updater',
    parent: [entry('a', 'Apply', V1, sizeAndText), entry('b', 'Update', V1, size)],
    want: [entry('a', 'Apply', SCALE, replicas), entry('b', 'Update', SCALE, replicas)],
  },
  {
    name: 'who scaled before',
    parent: [entry('a', 'Update', V1, size, { subresource: 'scale' })],
    want: [entry('a', 'Update', SCALE, replicas, { subresource: 'scale' })],
  },
];

for (const { name, parent, want } of shown) {
  test(`a scale is owned by ${name}`, () => {
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
    name: 'others lose the replicas, and keep the rest',
    parent: [entry('a', 'Apply', V1, sizeAndText), entry('b', 'Update', V1, size)],
    scale: [entry('c', 'Update', SCALE, replicas, { time: NOW, subresource: 'scale' })],
    want: [entry('a', 'Apply', V1, text), entry('c', 'Update', V1, size, { subresource: 'scale' })],
  },
  {
    name: 'an applier that keeps them keeps its entry',
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
    name: 'an updater that keeps them gets an entry of its own, without a time',
    parent: [entry('a', 'Update', V1, sizeAndText)],
    scale: [entry('a', 'Update', SCALE, replicas)],
    want: [entry('a', 'Update', V1, size, {}), entry('a', 'Update', V1, text)],
  },
  {
    name: 'who applies to the scale again keeps its time',
    parent: [entry('a', 'Apply', V1, size, { time: NOW, subresource: 'scale' })],
    scale: [entry('a', 'Apply', SCALE, replicas, { subresource: 'scale' })],
    want: [entry('a', 'Apply', V1, size, { time: NOW, subresource: 'scale' })],
  },
  {
    name: 'what is owned in a version without a known path stays',
    parent: [entry('a', 'Update', V2, sizeAndText)],
    scale: [],
    want: [entry('a', 'Update', V2, sizeAndText)],
  },
  {
    name: 'what is owned in a version that is not served goes',
    parent: [entry('a', 'Update', 'old/v0', text)],
    scale: [],
  },
  {
    name: 'nobody owns them when the scale has no owners',
    parent: [entry('a', 'Update', V1, size)],
    scale: [],
  },
];

for (const { name, parent, scale, want } of written) {
  test(`after a scale was written, ${name}`, () => {
    assert.deepEqual(parentManagedFields(parent, scale, { paths, apiVersion: V1 }), want);
  });
}

test('entries of one manager are read again as they stand: the last one counts', () => {
  const parent = [entry('a', 'Update', V1, sizeAndText)];
  const scale = [entry('a', 'Update', SCALE, replicas)];
  const split = parentManagedFields(parent, scale, { paths, apiVersion: V1 }) ?? [];
  assert.equal(scaleManagedFields(split, paths), undefined);
});

test('a version without a known path cannot be recorded', () => {
  const record = () => parentManagedFields([], [], { paths, apiVersion: V2 });
  assert.throws(record, { message: 'example.com/v2 has no replicas' });
});
