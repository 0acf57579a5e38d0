import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedType, setFacts } from '../../test/apply-facts.ts';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.ts';
import { reconcileFieldSet } from './reconcile.ts';

for (const { operation, name, schema, set, want } of setFacts) {
  if (operation !== 'reconcile') continue;
  test(`reconciling a set of ${schema}: ${name}`, () => {
    const reconciled = reconcileFieldSet(decodeFieldsV1(set), namedType(schema));
    assert.deepEqual(encodeFieldsV1(reconciled), want);
  });
}

test('a set that needs no change is returned itself, so that it is not encoded again', () => {
  const set = decodeFieldsV1({ 'f:inner': { 'f:x': {} } });
  assert.equal(reconcileFieldSet(set, namedType('struct')), set);
});

test('the same set is reconciled for another type', () => {
  const set = decodeFieldsV1({ 'f:inner': { 'f:x': {} } });
  assert.equal(reconcileFieldSet(set, namedType('struct')), set);
  const collapsed = reconcileFieldSet(set, namedType('atomicStruct'));
  assert.deepEqual(encodeFieldsV1(collapsed), { 'f:inner': {} });
  assert.equal(reconcileFieldSet(set, namedType('atomicStruct')), collapsed);
});
