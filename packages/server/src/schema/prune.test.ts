import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { objectSchema } from '../schema.ts';
import { pruneObject } from './prune.ts';

const schema = objectSchema(
  {
    spec: Type.Object({
      city: Type.String(),
      list: Type.Array(Type.Object({ a: Type.Integer() })),
      byName: Type.Record(Type.String(), Type.Object({ b: Type.Integer() })),
      free: Type.Unsafe<unknown>({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
    }),
  },
  '',
);

const cases = [
  { name: 'what is known stays', spec: { city: 'x' }, keeps: { city: 'x' }, unknown: [] },
  { name: 'a field', spec: { nope: 1 }, keeps: {}, unknown: ['spec.nope'] },
  {
    name: 'in a list',
    spec: { list: [{ a: 1 }, { a: 1, c: 2 }] },
    keeps: { list: [{ a: 1 }, { a: 1 }] },
    unknown: ['spec.list[1].c'],
  },
  {
    name: 'in a map',
    spec: { byName: { k: { b: 1, c: 2 } } },
    keeps: { byName: { k: { b: 1 } } },
    unknown: ['spec.byName.k.c'],
  },
  { name: 'free form stays', spec: { free: { x: 1 } }, keeps: { free: { x: 1 } }, unknown: [] },
  {
    name: 'a wrong type is not ours to judge',
    spec: { list: 'x' },
    keeps: { list: 'x' },
    unknown: [],
  },
];

for (const { name, spec, keeps, unknown } of cases) {
  test(name, () => {
    const object = { apiVersion: 'v1', kind: 'Thing', metadata: {}, spec: structuredClone(spec) };
    assert.deepEqual(pruneObject(object, schema), unknown);
    assert.deepEqual(object.spec, keeps);
  });
}

test('top level and metadata', () => {
  const object = { kind: 'Thing', metadata: { name: 'a', colour: 'red' }, other: 1 };
  assert.deepEqual(pruneObject(object, schema), ['metadata.colour', 'other']);
  assert.deepEqual(object, { kind: 'Thing', metadata: { name: 'a' } });
});

test('__proto__ is data like any other, and unknown', () => {
  const object = JSON.parse('{"metadata":{},"spec":{"__proto__":{"x":1}}}') as Record<
    string,
    unknown
  >;
  assert.deepEqual(pruneObject(object, schema), ['spec.__proto__']);
});
