import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildNode } from './build-node.ts';
import { Correlation } from './correlation.ts';

const integer = { type: 'integer' };
const item = {
  type: 'object',
  properties: { name: { type: 'string' }, port: integer, n: integer },
};
const node = buildNode(
  {
    type: 'object',
    properties: {
      n: integer,
      atomic: { type: 'array', items: item },
      set: { type: 'array', items: integer, 'x-kubernetes-list-type': 'set' },
      map: {
        type: 'array',
        items: item,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name', 'port'],
      },
      by: { type: 'object', additionalProperties: integer },
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
  '',
  { verbatim: true },
);

const one = { name: 'a', port: 1, n: 1 };
const two = { name: 'a', port: 2, n: 2 };

const cases = [
  { name: 'the same scalar', field: 'n', value: 1, old: 1, want: true },
  { name: 'another scalar', field: 'n', value: 1, old: 2, want: false },
  { name: 'both null', field: 'n', value: null, old: null, want: true },
  { name: 'another type', field: 'n', value: 1, old: [1], want: false },
  { name: 'large numbers', field: 'n', value: 2n ** 60n, old: 2n ** 60n, want: true },
  { name: 'the same list', field: 'atomic', value: [one, two], old: [one, two], want: true },
  { name: 'another order', field: 'atomic', value: [one, two], old: [two, one], want: false },
  { name: 'another order of a set', field: 'set', value: [1, 2], old: [2, 1], want: false },
  { name: 'another order by keys', field: 'map', value: [one, two], old: [two, one], want: true },
  { name: 'an element more', field: 'map', value: [one, two], old: [one], want: false },
  {
    name: 'another element by keys',
    field: 'map',
    value: [one],
    old: [{ ...one, port: 3 }],
    want: false,
  },
  { name: 'a key is missing', field: 'map', value: [{ n: 1 }], old: [{ n: 1 }], want: false },
  { name: 'a map', field: 'by', value: { a: 1 }, old: { a: 1 }, want: true },
  { name: 'another key', field: 'by', value: { a: 1 }, old: { b: 1 }, want: false },
  { name: 'nothing in it', field: 'free', value: {}, old: {}, want: true },
  { name: 'unknown fields', field: 'free', value: { x: 1 }, old: { x: 1 }, want: false },
] as const;

for (const { name, field, value, old, want } of cases) {
  test(`unchanged: ${name}: ${want}`, () => {
    const whole = new Correlation({ [field]: value }, { [field]: old }, node);
    assert.equal(whole.key(field)?.isUnchanged, want);
    assert.equal(whole.isUnchanged, want);
  });
}

test('only fields that both objects and the schema have are correlated', () => {
  const whole = new Correlation({ n: 1, x: 1 }, { n: 1, by: {}, x: 1 }, node);
  assert.equal(whole.key('by'), undefined);
  assert.equal(whole.key('x'), undefined);
  assert.equal(whole.key('n')?.isUnchanged, true);
  assert.equal(whole.key('n')?.key('x'), undefined);
});

test('elements are correlated by all their keys, the first of several', () => {
  const old = [
    { ...two, n: 9 },
    { ...one, n: 8 },
    { ...one, n: 7 },
  ];
  const list = new Correlation({ map: [one, two] }, { map: old }, node).key('map');
  assert.equal(list?.index(0)?.key('n')?.isUnchanged, false);
  assert.equal(list?.index(1)?.key('name')?.isUnchanged, true);
  assert.equal(list?.index(5), undefined);
  const equal = new Correlation({ map: [{ ...one, n: 8 }] }, { map: old }, node).key('map');
  assert.equal(equal?.index(0)?.isUnchanged, true);
});
