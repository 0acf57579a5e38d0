import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { indentJson } from './json-indent.ts';

const indented = (compact: string) => Buffer.from(indentJson(Buffer.from(compact))).toString();

test('indented numbers keep their digits', () => {
  assert.equal(
    indented('{"a":9007199254740993,"b":1.0}\n'),
    '{\n  "a": 9007199254740993,\n  "b": 1.0\n}',
  );
});

test('indented JSON equals JSON.stringify with two spaces', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(indented(JSON.stringify(value)), JSON.stringify(value, null, 2));
    }),
  );
});
