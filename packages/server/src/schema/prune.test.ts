import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GoTypeError } from '@tributary/apimachinery';
import Type from 'typebox';
import { objectSchema } from './object-schema.ts';
import { pruneObject } from './prune.ts';

const schema = objectSchema(
  {
    spec: Type.Object({
      city: Type.String(),
      list: Type.Array(Type.Object({ a: Type.Integer() })),
      byName: Type.Record(Type.String(), Type.Object({ b: Type.Integer() })),
      free: Type.Unsafe<unknown>({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
      partlyFree: Type.Object(
        { known: Type.Object({ x: Type.Integer() }), any: Type.Any() },
        { 'x-kubernetes-preserve-unknown-fields': true },
      ),
      freeList: Type.Array(Type.Object({ x: Type.Object({}) }), {
        'x-kubernetes-preserve-unknown-fields': true,
      }),
      matrix: Type.Array(Type.Array(Type.Object({ a: Type.Integer() }))),
      intOrString: Type.Union([Type.Integer(), Type.String()]),
      template: Type.Unsafe<unknown>({ type: 'object', 'x-kubernetes-embedded-resource': true }),
      shape: Type.Union([
        Type.Object({ circle: Type.Object({ radius: Type.Number() }) }),
        Type.Object({ circle: Type.Object({ area: Type.Number() }), side: Type.Number() }),
      ]),
      checked: Type.Unsafe<unknown>({
        type: 'object',
        properties: { a: { type: 'object', properties: { b: {} } } },
        anyOf: [{ required: ['a'] }, { properties: { a: { minProperties: 1 } } }],
      }),
      pair: Type.Tuple([Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.Integer() })]),
      tree: Type.Cyclic(
        { Tree: Type.Object({ inner: Type.Optional(Type.Array(Type.Ref('Tree'))) }) },
        'Tree',
      ),
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
    name: 'below free form, what has a schema follows it',
    spec: { partlyFree: { other: { z: 1 }, known: { x: 1, z: 1 }, any: { z: 1 } } },
    keeps: { partlyFree: { other: { z: 1 }, known: { x: 1 }, any: { z: 1 } } },
    unknown: ['spec.partlyFree.known.z'],
  },
  {
    name: 'elements are as free as their list',
    spec: { freeList: [{ z: 1, x: { z: 1 } }, [{ z: 1 }]] },
    keeps: { freeList: [{ z: 1, x: {} }, [{ z: 1 }]] },
    unknown: ['spec.freeList[0].x.z'],
  },
  {
    name: 'lists in lists',
    spec: { matrix: [[{ a: 1, z: 1 }], [{ z: 1 }]] },
    keeps: { matrix: [[{ a: 1 }], [{}]] },
    unknown: ['spec.matrix[0][0].z', 'spec.matrix[1][0].z'],
  },
  {
    name: 'an object where none may be is emptied',
    spec: { intOrString: { z: 1 }, city: { z: { y: 1 } } },
    keeps: { intOrString: {}, city: {} },
    unknown: ['spec.intOrString.z', 'spec.city.z'],
  },
  {
    name: 'embedded metadata is that of every object',
    spec: {
      template: {
        kind: 'A',
        metadata: { name: 'a', z: 1, uid: null, ownerReferences: [{ uid: 'u', z: 1 }] },
        z: 1,
      },
    },
    keeps: { template: { kind: 'A', metadata: { name: 'a', ownerReferences: [{ uid: 'u' }] } } },
    unknown: [
      'spec.template.metadata.z',
      'spec.template.metadata.ownerReferences[0].z',
      'spec.template.z',
    ],
  },
  {
    name: 'alternatives know the fields of all',
    spec: { shape: { circle: { radius: 1, area: 2, z: 3 }, side: 1, z: 1 } },
    keeps: { shape: { circle: { radius: 1, area: 2 }, side: 1 } },
    unknown: ['spec.shape.circle.z', 'spec.shape.z'],
  },
  {
    name: 'rules in alternatives add nothing',
    spec: { checked: { a: { b: 1, z: 1 }, z: 1 } },
    keeps: { checked: { a: { b: 1 } } },
    unknown: ['spec.checked.a.z', 'spec.checked.z'],
  },
  {
    name: 'a tuple by its places',
    spec: { pair: [{ a: 1, b: 1 }, { a: 1, b: 1 }, { a: 1 }] },
    keeps: { pair: [{ a: 1 }, { b: 1 }, {}] },
    unknown: ['spec.pair[0].b', 'spec.pair[1].a', 'spec.pair[2].a'],
  },
  {
    name: 'as deep as a schema that refers to itself',
    spec: { tree: { inner: [{ inner: [{ z: 1 }], z: 1 }] } },
    keeps: { tree: { inner: [{ inner: [{}] }] } },
    unknown: ['spec.tree.inner[0].inner[0].z', 'spec.tree.inner[0].z'],
  },
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

test('unknown fields of the top level and metadata are pruned', () => {
  const object = { kind: 'Thing', metadata: { name: 'a', colour: 'red' }, other: 1 };
  assert.deepEqual(pruneObject(object, schema), ['metadata.colour', 'other']);
  assert.deepEqual(object, { kind: 'Thing', metadata: { name: 'a' } });
});

test('an unknown field __proto__ is pruned', () => {
  const object = JSON.parse('{"metadata":{},"spec":{"__proto__":{"x":1}}}') as Record<
    string,
    unknown
  >;
  assert.deepEqual(pruneObject(object, schema), ['spec.__proto__']);
});

const malformed = [
  {
    template: { kind: 1 },
    why: 'spec.template.kind: Invalid value: 1: must be a string',
  },
  {
    template: { metadata: 'x' },
    why: 'spec.template.metadata: Invalid value: "x": json: cannot unmarshal string into Go value of type v1.ObjectMeta',
  },
  {
    template: { metadata: { labels: { a: 1 } } },
    why: 'spec.template.metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
  },
];

for (const { template, why } of malformed) {
  test(`an embedded object with invalid metadata is an error: ${JSON.stringify(template)}`, () => {
    assert.throws(() => pruneObject({ spec: { template } }, schema), new GoTypeError(why));
  });
}
