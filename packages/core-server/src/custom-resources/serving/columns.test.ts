import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '@tributary/apimachinery';
import { customColumns, goText } from './columns.ts';

const object = {
  apiVersion: 'g/v1',
  kind: 'Thing',
  metadata: { name: 'a' },
  spec: {
    none: null,
    list: ['<a>', { b: 1, a: 2 }],
    half: 0.5,
    big: 9_007_199_254_740_993n,
    on: true,
  },
} as unknown as KubeObject;

const cell = (type: string, jsonPath: string) =>
  customColumns([{ name: 'X', type, jsonPath }])[1]?.cell(object);

describe('cells', () => {
  const rows: readonly [type: string, path: string, want: unknown][] = [
    ['string', '.spec.none', '<no value>'],
    ['string', '.spec.list', '["\\u003ca\\u003e",{"a":2,"b":1}]'],
    ['string', '.spec.half', '0.5'],
    ['string', '.spec.big', '9007199254740993'],
    ['string', '.spec.on', 'true'],
    ['string', '.spec.absent', null],
    ['string', '.spec.list[7]', null],
    ['integer', '.spec.half', 0],
    ['integer', '.spec.none', null],
    ['integer', '.spec.list', null],
    ['number', '.spec.half', 0.5],
    ['boolean', '.spec.on', true],
    ['boolean', '.spec.half', null],
    ['date', '.spec.on', null],
    ['date', '.spec.list[0]', '<a>'],
  ];
  for (const [type, path, want] of rows) {
    test(`${type} ${path}`, () => assert.equal(cell(type, path), want));
  }
});

test('the default column is Age', () => {
  assert.deepEqual(
    customColumns().map(({ name }) => name),
    ['Name', 'Age'],
  );
});

describe('numbers as Go prints them', () => {
  const rows: readonly [number, string][] = [
    [1, '1'],
    [-2.5, '-2.5'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [-0.0000123, '-1.23e-05'],
    [123456789.5, '123456789.5'],
    [1e20, '100000000000000000000'],
    [1e21, '1e+21'],
    [1.5e300, '1.5e+300'],
  ];
  for (const [value, want] of rows) test(want, () => assert.equal(goText(value), want));
});
