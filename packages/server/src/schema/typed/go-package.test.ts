import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { decodeTyped, zeroField } from './decode-typed.ts';
import { goPackage } from './go-package.ts';
import type { GoStructType } from './go-type.ts';
import { rewriteTyped } from './rewrite-typed.ts';
import { expandedFields, structDefinition, typedDefinitions } from './typed-schema.ts';

const meta = goPackage({
  path: 'example.com/meta/v1',
  types: {
    TypeMeta: ['kind,omitempty string', 'apiVersion,omitempty string'],
    ObjectMeta: ['name,omitempty string', 'managedFields,omitempty []string'],
    Time: 'time',
    Quantity: 'quantity',
  },
});

const boats = goPackage({
  path: 'example.com/api/boats/v1',
  imports: { meta },
  descriptions: { Boat: 'Floats.', 'Hull.length': 'In metres.' },
  types: {
    Boat: [
      'TypeMeta,inline meta.TypeMeta',
      'metadata,omitempty meta.ObjectMeta',
      'spec,omitempty BoatSpec',
      'tows,omitempty *Boat',
    ],
    BoatSpec: [
      '{"x-kubernetes-map-type":"atomic"}',
      'Hull,inline Hull',
      'color,required Color',
      'crew []string {"x-kubernetes-list-type":"set"}',
      'flags,omitempty map[Color]bool',
      'built,omitempty meta.Time',
      'weight,omitempty meta.Quantity',
      'sold,omitempty *bool',
      'port int32 {"default":null}',
    ],
    Hull: ['length,omitempty int64'],
    Color: 'string {"enum":["blue","red"]}',
  },
});

const boat = structOf('Boat');

test('types have the names of Go', () => {
  const { byName } = structOf('BoatSpec');
  const names = [...byName.values()].map(({ name, path, type }) => `${name} ${path} ${type.name}`);
  assert.deepEqual(names, [
    'length Hull.length int64',
    'color color v1.Color',
    'crew crew []string',
    'flags flags map[v1.Color]bool',
    'built built v1.Time',
    'weight weight v1.Quantity',
    'sold sold bool',
    'port port int32',
  ]);
});

test('a zero value has the fields that Go always encodes', () => {
  assert.deepEqual(decodeTyped({}, boat).object, {
    metadata: {},
    spec: { color: '', crew: null, built: null, weight: '0', port: 0 },
  });
});

const fields = [
  { name: 'spec', written: { spec: { color: '', crew: null, built: null, weight: '0', port: 0 } } },
  { name: 'tows', written: {} },
];
for (const { name, written } of fields) {
  test(`${name} that is not set`, () => {
    const field = boat.byName.get(name);
    assert.ok(field);
    assert.deepEqual(zeroField(field), written);
  });
}

test('a struct may contain itself', () => {
  const value = { tows: { tows: { spec: { length: 3 } } } };
  const { object } = decodeTyped(value, boat);
  const inner = object.tows as { tows: { spec: { length: number } } };
  assert.equal(inner.tows.spec.length, 3);
});

test('an embedded struct is named in messages', () => {
  assert.throws(() => decodeTyped({ spec: { length: 'a' } }, boat), {
    message:
      'json: cannot unmarshal string into Go struct field BoatSpec.spec.Hull.length of type int64',
  });
});

test('integers beyond 2^53 are exact', () => {
  const { object } = decodeTyped({ spec: { length: 2n ** 60n } }, boat);
  assert.equal((object.spec as { length: bigint }).length, 2n ** 60n);
});

test('a rewritten object has the encoding of Go, except in metadata', () => {
  const object = {
    kind: 'Boat',
    apiVersion: 'boats/v1',
    metadata: { name: 'a', managedFields: [] },
    spec: { crew: [], color: 'red', flags: {}, weight: '1000m', length: 0 },
  };
  rewriteTyped(object, boat);
  assert.deepEqual(object, {
    kind: 'Boat',
    apiVersion: 'boats/v1',
    metadata: { name: 'a', managedFields: [] },
    spec: { color: 'red', crew: null, built: null, weight: '1', port: 0 },
  });
});

test('a struct is described with references and defaults', () => {
  assert.deepEqual(structDefinition(boat), {
    description: 'Floats.',
    type: 'object',
    properties: {
      kind: { type: 'string' },
      apiVersion: { type: 'string' },
      metadata: { $ref: 'com.example.meta.v1.ObjectMeta', default: {} },
      spec: { $ref: 'com.example.api.boats.v1.BoatSpec', default: {} },
      tows: { description: 'Floats.', $ref: 'com.example.api.boats.v1.Boat' },
    },
  });
  assert.deepEqual(structDefinition(structOf('BoatSpec')), {
    type: 'object',
    required: ['color'],
    properties: {
      length: { description: 'In metres.', type: 'integer', format: 'int64' },
      color: { type: 'string', enum: ['blue', 'red'], default: '' },
      crew: {
        type: 'array',
        items: { type: 'string' },
        'x-kubernetes-list-type': 'set',
      },
      flags: { type: 'object', additionalProperties: { type: 'boolean' } },
      built: { $ref: 'com.example.meta.v1.Time' },
      weight: { $ref: 'com.example.meta.v1.Quantity' },
      sold: { type: 'boolean' },
      port: { type: 'integer', format: 'int32' },
    },
    'x-kubernetes-map-type': 'atomic',
  });
});

test('each type that a struct refers to is defined once', () => {
  assert.deepEqual(
    [...typedDefinitions(boat).keys()],
    [
      'com.example.api.boats.v1.Boat',
      'com.example.meta.v1.ObjectMeta',
      'com.example.api.boats.v1.BoatSpec',
      'com.example.meta.v1.Time',
      'com.example.meta.v1.Quantity',
    ],
  );
});

test('expanded fields have no references', () => {
  const spec = expandedFields(structOf('BoatSpec'));
  assert.deepEqual(spec.get('weight'), { type: 'string', format: 'quantity' });
  assert.deepEqual(spec.get('crew'), {
    type: 'array',
    items: { type: 'string' },
    'x-kubernetes-list-type': 'set',
  });
});

test('a struct that contains itself is not expanded within', () => {
  const within = JSON.stringify([...expandedFields(boat)]);
  assert.match(within, /"title":"Boat","type":"object","x-kubernetes-map-type":"atomic"/);
});

const mistakes = [
  { name: 'a type that is not there', types: { A: ['b B'] }, message: /has no type B/ },
  { name: 'a package that is not there', types: { A: ['b x.B'] }, message: /imports no x/ },
  { name: 'an embedded text', types: { A: ['B,inline B'], B: 'string' }, message: /only structs/ },
];
for (const { name, types, message } of mistakes) {
  test(`${name} is an error`, () => {
    const type = goPackage({ path: 'example.com/a', types }).type('A');
    assert.throws(() => (type as GoStructType).fields, { message });
  });
}

function structOf(name: string): GoStructType {
  const type = boats.type(name);
  assert.ok(type.kind === 'struct');
  return type;
}

describe('types that read their JSON themselves', () => {
  const forms = goPackage({
    path: 'example.com/forms/v1',
    types: {
      Form: [
        'items,omitempty *FormOrList',
        'more,omitempty *FormOrBool',
        'size,omitempty *int64',
        'share,omitempty *float64',
        'value,omitempty *Any',
      ],
      FormOrList: 'either Form []Form',
      FormOrBool: 'either Form bool',
      Any: 'json',
    },
  }).type('Form') as GoStructType;
  const cases = [
    { name: 'one', sent: { items: { size: 1 } }, wants: { items: { size: 1 } } },
    { name: 'many', sent: { items: [{}, { size: 1 }] }, wants: { items: [{}, { size: 1 }] } },
    { name: 'none of many', sent: { items: [] }, wants: {} },
    { name: 'neither', sent: { items: 'x' }, wants: {} },
    { name: 'yes', sent: { more: false }, wants: { more: false } },
    { name: 'a fraction', sent: { share: 0.5 }, wants: { share: 0.5 } },
    { name: 'a large whole number', sent: { share: 2n ** 60n }, wants: { share: 2 ** 60 } },
    {
      name: 'any value, by its keys',
      sent: { value: { b: [{ d: 1, c: null }], a: 2 } },
      wants: { value: { a: 2, b: [{ c: null, d: 1 }] } },
    },
    { name: 'no value', sent: { value: null }, wants: {} },
  ];
  for (const { name, sent, wants } of cases) {
    test(name, () => {
      const { object, unknown } = decodeTyped(sent, forms);
      assert.equal(JSON.stringify(object), JSON.stringify(wants));
      assert.deepEqual(unknown, []);
    });
  }

  test('types with their own decoder do not report unknown fields', () => {
    const { unknown } = decodeTyped({ a: 1, items: { b: 1 } }, forms);
    assert.deepEqual(unknown, ['a']);
  });

  const wrong = [
    { sent: { more: 'x' }, message: 'boolean or JSON schema expected' },
    {
      sent: { items: { items: { size: 'x' } } },
      message:
        'json: cannot unmarshal string into Go struct field Form.items.items.size of type int64',
    },
    {
      sent: { share: 'x' },
      message: 'json: cannot unmarshal string into Go struct field Form.share of type float64',
    },
  ];
  for (const { sent, message } of wrong) {
    test(message, () => assert.throws(() => decodeTyped(sent, forms), { message }));
  }
});
