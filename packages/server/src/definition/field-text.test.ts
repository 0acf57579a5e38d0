import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '@tributary/apimachinery';
import type { GoField, GoStructType, GoType } from '../schema/typed/go-type.ts';
import { fieldText, goFieldText } from './field-text.ts';

const scalar = (kind: 'bool' | 'int32' | 'int64' | 'string' | 'time'): GoType => ({
  kind,
  name: kind,
  definition: undefined,
  extras: {},
});
const pointer = (element: GoType): GoType => ({ kind: 'pointer', name: '*', element });
const struct = (fields: Readonly<Record<string, GoType>>): GoStructType =>
  ({
    kind: 'struct',
    name: 'v1.Thing',
    byName: new Map(Object.entries(fields).map(([name, type]) => [name, { type } as GoField])),
  }) as unknown as GoStructType;

const spec = struct({
  on: scalar('bool'),
  count: scalar('int32'),
  total: scalar('int64'),
  text: scalar('string'),
  maybe: pointer(scalar('bool')),
});
const Thing = struct({ spec, status: pointer(spec) });
const typed = { kind: 'Thing', struct: Thing, list: undefined };
const thing = (fields: object) => ({ metadata: {}, ...fields }) as KubeObject;

const rows: readonly [path: string, object: object, text: string, ofStruct: string][] = [
  ['spec.on', { spec: {} }, '', 'false'],
  ['spec.on', {}, '', 'false'],
  ['spec.on', { spec: { on: true } }, 'true', 'true'],
  ['spec.count', { spec: {} }, '', '0'],
  ['spec.total', { spec: { total: 9007199254740993n } }, '9007199254740993', '9007199254740993'],
  ['spec.text', { spec: {} }, '', ''],
  // A pointer to a boolean is nil, and not false.
  ['spec.maybe', { spec: {} }, '', ''],
  ['status.count', {}, '', '0'],
];

describe('the text of a selectable field', () => {
  for (const [path, object, text, ofStruct] of rows) {
    test(`${path} of ${Object.keys(object)}: "${text}", and "${ofStruct}" in a Go struct`, () => {
      assert.equal(fieldText(thing(object), path), text);
      assert.equal(goFieldText(typed, path)(thing(object)), ofStruct);
    });
  }

  test('a selectable field that the struct does not have is an error', () => {
    assert.throws(
      () => goFieldText(typed, 'spec.none')(thing({})),
      /spec\.none is not in v1\.Thing/,
    );
  });
});
