import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, ManagedFieldsEntry } from '@tributary/apimachinery';
import { withUnchangedTimes } from './unchanged-times.ts';

const entry = (second: number, more: ManagedFieldsEntry = {}): ManagedFieldsEntry => ({
  manager: 'm',
  operation: 'Update',
  apiVersion: 'g/v1',
  time: `2026-01-01T00:00:0${second}Z`,
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': {} },
  ...more,
});

function object(managedFields: ManagedFieldsEntry[] | undefined, spec: unknown = {}): KubeObject {
  const metadata = { name: 'n', ...(managedFields && { managedFields }) };
  return { apiVersion: 'g/v1', kind: 'K', metadata, spec } as KubeObject;
}

const live = object([entry(1), entry(1, { manager: 'other' })]);
const other = entry(1, { manager: 'other' });
const cases: { name: string; next: KubeObject; isUnchanged: boolean }[] = [
  { name: 'only a time', next: object([entry(2), other]), isUnchanged: true },
  { name: 'a time and the object', next: object([entry(2), other], { a: 1 }), isUnchanged: false },
  {
    name: 'a time and the owned fields',
    next: object([entry(2, { fieldsV1: { 'f:x': {} } }), other]),
    isUnchanged: false,
  },
  {
    name: 'a time and a manager',
    next: object([entry(2, { manager: 'new' }), other]),
    isUnchanged: false,
  },
  { name: 'the number of managers', next: object([entry(2)]), isUnchanged: false },
  { name: 'the managers to none', next: object(undefined), isUnchanged: false },
];
for (const { name, next, isUnchanged } of cases) {
  test(`a write that changes ${name} ${isUnchanged ? 'keeps the stored times' : 'has new times'}`, () => {
    assert.deepEqual(withUnchangedTimes(next, live), isUnchanged ? live : next);
  });
}
