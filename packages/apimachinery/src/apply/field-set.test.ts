import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { namedType, setFacts } from '../../test/apply-facts.ts';
import { arbitraryFieldSet } from '../../test/arbitrary-field-set.ts';
import { FieldSet } from './field-set.ts';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.ts';
import { printPath } from './path-element.ts';

const set = arbitraryFieldSet;
const wire = (one: FieldSet) => JSON.stringify(encodeFieldsV1(one));
const textsOf = (one: FieldSet) => new Set([...one.paths()].map((path) => JSON.stringify(path)));

const cases: {
  name: string;
  a: object;
  b: object;
  union: object;
  both: object;
  less: object;
  bare: object;
}[] = [
  {
    name: 'nothing in common',
    a: { 'f:a': {} },
    b: { 'f:b': {} },
    union: { 'f:a': {}, 'f:b': {} },
    both: {},
    less: { 'f:a': {} },
    bare: { 'f:a': {} },
  },
  {
    name: 'a path and longer paths below it',
    a: { 'f:a': { '.': {}, 'f:b': {} } },
    b: { 'f:a': {} },
    union: { 'f:a': { '.': {}, 'f:b': {} } },
    both: { 'f:a': {} },
    less: { 'f:a': { 'f:b': {} } },
    bare: {},
  },
  {
    name: 'only longer paths below it',
    a: { 'f:a': { 'f:b': {}, 'f:c': {} } },
    b: { 'f:a': { 'f:b': {} } },
    union: { 'f:a': { 'f:b': {}, 'f:c': {} } },
    both: { 'f:a': { 'f:b': {} } },
    less: { 'f:a': { 'f:c': {} } },
    bare: { 'f:a': { 'f:c': {} } },
  },
  {
    name: 'longer paths below a removed path',
    a: { 'f:a': { 'f:b': { 'f:c': {} } }, 'f:d': {} },
    b: { 'f:a': {} },
    union: { 'f:a': { '.': {}, 'f:b': { 'f:c': {} } }, 'f:d': {} },
    both: {},
    less: { 'f:a': { 'f:b': { 'f:c': {} } }, 'f:d': {} },
    bare: { 'f:d': {} },
  },
];
for (const { name, a, b, union, both, less, bare } of cases) {
  test(`sets: ${name}`, () => {
    const [one, other] = [decodeFieldsV1(a), decodeFieldsV1(b)];
    assert.deepEqual(encodeFieldsV1(one.union(other)), union);
    assert.deepEqual(encodeFieldsV1(one.intersection(other)), both);
    assert.deepEqual(encodeFieldsV1(one.difference(other)), less);
    assert.deepEqual(encodeFieldsV1(one.recursiveDifference(other)), bare);
  });
}

for (const { operation, name, schema, set: before, want } of setFacts) {
  if (operation !== 'ensure') continue;
  test(`declared fields of ${schema}: ${name}`, () => {
    const declared = decodeFieldsV1(before).withDeclaredFields(namedType(schema));
    assert.deepEqual(encodeFieldsV1(declared), want);
  });
}

test('operations equal those of plain sets of paths', () => {
  fc.assert(
    fc.property(set, set, (a, b) => {
      const [one, other] = [textsOf(a), textsOf(b)];
      assert.deepEqual(textsOf(a.union(b)), textsOf(b.union(a)));
      assert.deepEqual([...textsOf(a.union(b))].sort(), [...one.union(other)].sort());
      assert.deepEqual([...textsOf(a.intersection(b))].sort(), [...one.intersection(other)].sort());
      assert.deepEqual([...textsOf(a.difference(b))].sort(), [...one.difference(other)].sort());
      assert.equal(a.isDisjointFrom(b), one.isDisjointFrom(other));
      assert.equal(a.equals(b), wire(a) === wire(b));
      for (const path of a.paths()) assert.ok(a.has(path));
    }),
  );
});

test('the recursive difference removes all paths below', () => {
  fc.assert(
    fc.property(set, set, (a, b) => {
      const removed = [...b.paths()];
      const retained = [...a.paths()].filter(
        (path) => !removed.some((gone) => gone.every((element, depth) => path[depth] === element)),
      );
      assert.deepEqual(
        [...a.recursiveDifference(b).paths()].map(printPath),
        retained.map(printPath),
      );
    }),
  );
});

test('operations do not modify their operands', () => {
  fc.assert(
    fc.property(set, set, (a, b) => {
      const before = [wire(a), wire(b)];
      a.union(b);
      a.intersection(b);
      a.difference(b);
      a.recursiveDifference(b);
      a.withDeclaredFields(undefined);
      assert.deepEqual([wire(a), wire(b)], before);
    }),
  );
});

test('an operation without effect returns the same set', () => {
  fc.assert(
    fc.property(set, set, (a, b) => {
      assert.equal(a.union(a.intersection(b)), a, 'union with a subset');
      assert.equal(a.union(FieldSet.empty), a);
      const rest = b.difference(a);
      assert.equal(a.difference(rest), a, 'difference with a disjoint set');
      if (!rest.isEmpty) assert.ok(!a.union(rest).equals(a));
    }),
  );
});

test('a set has no empty children', () => {
  const one = FieldSet.of(['f:a', 'f:b', 'f:c']);
  assert.equal(one.difference(one), FieldSet.empty);
  assert.equal(one.intersection(FieldSet.of(['f:a'])), FieldSet.empty);
});

test('a builder ignores the empty path', () => {
  assert.equal(FieldSet.of([]), FieldSet.empty);
  assert.equal(FieldSet.of(['f:a']).has([]), false);
});
