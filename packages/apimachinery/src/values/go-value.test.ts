import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldError, fieldErrorText } from '../errors/field-error.ts';
import { root } from '../errors/field-path.ts';
import { parseJson } from '../json/parse-json.ts';
import { goJson, goText, printGoValue } from './go-value.ts';

const values = [
  { name: 'a string', input: '"x"', want: 'f: Invalid value: "x": d' },
  { name: 'a string with quotes', input: '"a\\"b"', want: 'f: Invalid value: "a\\"b": d' },
  { name: 'an integer', input: '5', want: 'f: Invalid value: 5: d' },
  { name: 'a large integer', input: '1234567', want: 'f: Invalid value: 1234567: d' },
  {
    name: 'an integer beyond 2^53',
    input: '12345678901234567',
    want: 'f: Invalid value: 12345678901234567: d',
  },
  { name: 'a fraction', input: '1.5', want: 'f: Invalid value: 1.5: d' },
  { name: 'a large fraction', input: '1234567.5', want: 'f: Invalid value: 1.2345675e+06: d' },
  { name: 'a small fraction', input: '0.00001', want: 'f: Invalid value: 1e-05: d' },
  { name: 'a huge number', input: '1e30', want: 'f: Invalid value: 1e+30: d' },
  { name: 'true', input: 'true', want: 'f: Invalid value: true: d' },
  { name: 'null', input: 'null', want: 'f: Invalid value: null: d' },
  { name: 'a list', input: '["a",1,null]', want: 'f: Invalid value: ["a",1,null]: d' },
  { name: 'an empty list', input: '[]', want: 'f: Invalid value: []: d' },
  {
    name: 'an object has sorted keys',
    input: '{"b":1,"a":{"d":2,"c":3}}',
    want: 'f: Invalid value: {"a":{"c":3,"d":2},"b":1}: d',
  },
  {
    name: 'HTML is escaped',
    input: '{"a":"<b>&"}',
    want: 'f: Invalid value: {"a":"\\u003cb\\u003e\\u0026"}: d',
  },
  {
    name: 'keys sort by bytes',
    input: '{"\uff61":1,"\u{1f600}":2}',
    want: 'f: Invalid value: {"\uff61":1,"\u{1f600}":2}: d',
  },
  {
    name: 'big integers inside',
    input: '[9223372036854775807]',
    want: 'f: Invalid value: [9223372036854775807]: d',
  },
];
for (const { name, input, want } of values) {
  test(`a value in a field error: ${name}`, () => {
    const value = parseJson(Buffer.from(input));
    assert.equal(fieldErrorText(fieldError.invalid(root('f'), value, 'd')), want);
  });
}

test('a GoText prints its text', () => {
  assert.equal(printGoValue(goText('[]string{"x"}')), '[]string{"x"}');
});

test('undefined members are omitted, and values without JSON are null', () => {
  assert.equal(goJson({ a: undefined, b: [undefined, Number.NaN] }), '{"b":[null,null]}');
});
