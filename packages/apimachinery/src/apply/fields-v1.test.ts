import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { arbitraryFieldSet } from '../../test/arbitrary-field-set.ts';
import { parseJson } from '../json/parse-json.ts';
import { FieldSet } from './field-set.ts';
import { decodeFieldsV1, encodeFieldsV1, isCanonicalFieldsV1 } from './fields-v1.ts';
import { printPath } from './path-element.ts';

/** Inputs of Go's library and their canonical encoding. */
const readings: { text: string; again?: string; paths: string[] }[] = [
  { text: '{}', paths: [] },
  { text: 'null', again: '{}', paths: [] },
  { text: '{".":{}}', again: '{}', paths: [] },
  { text: '{"f:a":{}}', paths: ['.a'] },
  { text: '{"f:a":{".":{}}}', again: '{"f:a":{}}', paths: ['.a'] },
  { text: '{"f:a":null}', again: '{"f:a":{}}', paths: ['.a'] },
  { text: '{"f:a":{"f:b":{}}}', paths: ['.a.b'] },
  { text: '{"f:a":{".":{},"f:b":{}}}', paths: ['.a', '.a.b'] },
  {
    text: '{"f:a":{"f:b":null,".":null}}',
    again: '{"f:a":{".":{},"f:b":{}}}',
    paths: ['.a', '.a.b'],
  },
  { text: '{"f:a":{".":5}}', again: '{"f:a":{}}', paths: ['.a'] },
  { text: '{"f:b":{},"f:a":{}}', again: '{"f:a":{},"f:b":{}}', paths: ['.a', '.b'] },
  { text: '{"q:z":{}}', again: '{}', paths: [] },
  { text: '{"f:a":{"q:z":{}}}', again: '{"f:a":{}}', paths: ['.a'] },
  { text: '{"q:z":{"f:a":{}},"f:b":{}}', again: '{"f:b":{}}', paths: ['.b'] },
  { text: '{"q:z":5,"f:b":{}}', again: '{"f:b":{}}', paths: ['.b'] },
  { text: '{"v:1":{},"v:1.0":{}}', again: '{"v:1":{}}', paths: ['[=1]'] },
  { text: '{"i:1":{},"i:01":{}}', again: '{"i:1":{}}', paths: ['[1]'] },
  {
    text: '{"k:{\\"b\\":1,\\"a\\":2}":{".":{},"f:x":{}}}',
    again: '{"k:{\\"a\\":2,\\"b\\":1}":{".":{},"f:x":{}}}',
    paths: ['[a=2,b=1]', '[a=2,b=1].x'],
  },
  { text: '{"f:__proto__":{"f:x":{}}}', paths: ['.__proto__.x'] },
  {
    text: '{"i:0":{},"v:\\"b\\"":{},"k:{\\"n\\":1}":{},"f:a":{}}',
    again: '{"f:a":{},"k:{\\"n\\":1}":{},"v:\\"b\\"":{},"i:0":{}}',
    paths: ['.a', '[n=1]', '[="b"]', '[0]'],
  },
];
for (const { text, again = text, paths } of readings) {
  test(`fieldsV1 ${text}`, () => {
    const fields = parseJson(Buffer.from(text));
    const set = decodeFieldsV1(fields);
    assert.equal(JSON.stringify(encodeFieldsV1(set)), again);
    assert.deepEqual([...set.paths()].map(printPath), paths);
    assert.equal(isCanonicalFieldsV1(fields), text === again, 'is canonical');
  });
}

const garbage = [
  '[]',
  '5',
  '"x"',
  '{"f:a":5}',
  '{"f:a":[]}',
  '{"f:a":"x"}',
  '{"f:a":true}',
  '{"f":{}}',
  '{"fa":{}}',
  '{"":{}}',
  '{"v:x":{}}',
  '{"i:x":{}}',
  '{"k:1":{}}',
];
for (const text of garbage) {
  test(`invalid fieldsV1: ${text}`, () => {
    assert.throws(() => decodeFieldsV1(parseJson(Buffer.from(text))));
  });
}

test('a set survives encoding and decoding', () => {
  fc.assert(
    fc.property(arbitraryFieldSet, (set) => {
      const wire = JSON.stringify(encodeFieldsV1(set));
      const again = decodeFieldsV1(JSON.parse(wire));
      assert.ok(again.equals(set));
      assert.equal(JSON.stringify(encodeFieldsV1(again)), wire);
      assert.ok(isCanonicalFieldsV1(JSON.parse(wire)));
    }),
  );
});

test('a set beyond the maximum depth is rejected', () => {
  const deep: unknown = parseJson(Buffer.from(`${'{"f:a":'.repeat(5000)}{}${'}'.repeat(5000)}`));
  assert.throws(() => decodeFieldsV1(deep), /exceeds the maximum depth of 1000/);
});

test('the empty set is an empty object', () => {
  assert.deepEqual(encodeFieldsV1(FieldSet.empty), {});
});
