import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonError } from './json-error.ts';
import { decodeJson, parseJson } from './parse-json.ts';
import { stringifyJson } from './stringify-json.ts';

/** Characters below the surrogates, which UTF-8 cannot encode. */
const anyCharacter = fc.nat(0xd7ff).map((code) => String.fromCharCode(code));

const values = [
  { name: 'a small integer', input: '5', want: 5 },
  { name: 'the largest safe integer', input: '9007199254740991', want: 9007199254740991 },
  { name: 'the first unsafe integer', input: '9007199254740992', want: 9007199254740992n },
  { name: 'an integer that a double rounds', input: '9007199254740993', want: 9007199254740993n },
  { name: 'negative', input: '-9007199254740993', want: -9007199254740993n },
  { name: 'the largest int64', input: '9223372036854775807', want: 9223372036854775807n },
  { name: 'the smallest int64', input: '-9223372036854775808', want: -9223372036854775808n },
  { name: 'beyond int64 is a double', input: '9223372036854775808', want: 2 ** 63 },
  {
    name: 'many digits are a double',
    input: '123456789012345678901234567890',
    want: 1.2345678901234568e29,
  },
  { name: 'a fraction', input: '1.5', want: 1.5 },
  { name: 'a whole fraction', input: '1.0', want: 1 },
  { name: 'an exponent', input: '1e3', want: 1000 },
  { name: 'digits in a string', input: '"9007199254740993"', want: '9007199254740993' },
  {
    name: 'escapes in the slow path',
    input: String.raw`["a\"\\\n\u0041",9007199254740993]`,
    want: ['a"\\\nA', 9007199254740993n],
  },
  {
    name: 'a string that ends in a backslash',
    input: String.raw`["\\",9007199254740993,"\\\""]`,
    want: ['\\', 9007199254740993n, '\\"'],
  },
  {
    name: 'literals in the slow path',
    input: '[true,false,null,9007199254740993,-1.5e2]',
    want: [true, false, null, 9007199254740993n, -150],
  },
  {
    name: 'empty containers in the slow path',
    input: '{"a":{},"b":[],"c":9007199254740993}',
    want: { a: {}, b: [], c: 9007199254740993n },
  },
  {
    name: 'white space in the slow path',
    input: ' { "a" : [ 9007199254740993 , "b" ] } ',
    want: { a: [9007199254740993n, 'b'] },
  },
  {
    name: 'a key that looks like a number',
    input: '{"9007199254740993":1}',
    want: { '9007199254740993': 1 },
  },
  {
    name: 'a string that looks like a key',
    input: '{"a":"b:","c":9007199254740993}',
    want: { a: 'b:', c: 9007199254740993n },
  },
  {
    name: 'the last of two equal keys',
    input: '{"a":1,"a":9007199254740993}',
    want: { a: 9007199254740993n },
  },
  { name: 'an unpaired surrogate is replaced', input: String.raw`"a\ud800b"`, want: 'a\ufffdb' },
  { name: 'a surrogate pair is preserved', input: String.raw`"\ud83d\ude00"`, want: '😀' },
  { name: 'a small number', input: '1e-400', want: 0 },
  { name: 'alone, behind white space', input: '\n\t9007199254740993', want: 9007199254740993n },
  { name: 'negative in a list', input: '[1,-9007199254740993]', want: [1, -9007199254740993n] },
  {
    name: 'a uid with an e and digits',
    input: '{"uid":"0e123456-7e89-4123-8e45-123456789012"}',
    want: { uid: '0e123456-7e89-4123-8e45-123456789012' },
  },
];
for (const { name, input, want } of values) {
  test(`a value: ${name}`, () => {
    assert.deepEqual(parseJson(Buffer.from(input)), want);
    assert.deepEqual(decodeJson(Buffer.from(input)).value, want);
  });
}

for (const number of ['1', '9007199254740993']) {
  test(`__proto__ is data (with ${number})`, () => {
    const value = parseJson(Buffer.from(`{"__proto__":{"polluted":${number}},"a":1}`));
    assert.ok(typeof value === 'object' && value !== null);
    assert.deepEqual(Object.keys(value), ['__proto__', 'a']);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal('polluted' in value, false);
  });
}

const refusals = [
  { name: 'a document that does not end', input: '{"a":', want: 'unexpected end of JSON input' },
  { name: 'a word', input: 'x', want: "invalid character 'x' looking for beginning of value" },
  {
    name: 'a number out of the range of a double',
    input: '[1e999]',
    want: 'json: cannot unmarshal number 1e999 into Go value of type float64',
  },
  {
    name: 'one with a fraction and a sign',
    input: '{"a": -1.5E+0400}',
    want: 'json: cannot unmarshal number -1.5E+0400 into Go value of type float64',
  },
  {
    name: 'the byte order mark',
    input: '\ufeff{}',
    want: "invalid character 'ï' looking for beginning of value",
  },
];
for (const { name, input, want } of refusals) {
  test(`rejected by decodeJson and parseJson: ${name}`, () => {
    const refused = (error: unknown) => error instanceof JsonError && error.message === want;
    assert.throws(() => parseJson(Buffer.from(input)), refused);
    assert.throws(() => decodeJson(Buffer.from(input)), refused);
  });
}

test('decodeJson reports duplicate keys, and the last one wins', () => {
  const bytes = Buffer.from('{"a":1,"a":2}');
  assert.deepEqual(decodeJson(bytes), { value: { a: 2 }, duplicateFields: ['a'] });
  assert.deepEqual(parseJson(bytes), { a: 2 });
});

test('a view of a larger buffer is parsed', () => {
  const bytes = new Uint8Array(Buffer.from('xx{"a":1}yy')).subarray(2, 9);
  assert.deepEqual(parseJson(bytes), { a: 1 });
  assert.deepEqual(decodeJson(bytes).value, { a: 1 });
});

test('invalid UTF-8 becomes the replacement character', () => {
  assert.equal(parseJson(Buffer.from([0x22, 0x61, 0xff, 0x22])), 'a\ufffd');
});

/** With doubles in place of bigint, as from `JSON.parse`. */
function asDoubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(asDoubles);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, asDoubles(member)]));
}

test('parseJson agrees with JSON.parse except for the precision of integers', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      assert.deepEqual(asDoubles(parseJson(Buffer.from(text))), asDoubles(JSON.parse(text)));
    }),
  );
});

test('the slow path agrees with JSON.parse', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5, stringUnit: anyCharacter }), (text) => {
      const bytes = Buffer.from(`[9007199254740993,${text}]`);
      assert.deepEqual(asDoubles(parseJson(bytes)), [2 ** 53, asDoubles(JSON.parse(text))]);
    }),
  );
});

const plainData = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: anyCharacter }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc
      .bigInt(-(2n ** 63n), 2n ** 63n - 1n)
      .filter((value) => value > 2n ** 53n || value < -(2n ** 53n)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

test('a value survives stringifyJson and decodeJson', () => {
  fc.assert(
    fc.property(plainData, (value) => {
      // Compares JSON text, because a large whole double is decoded as an integer.
      const text = stringifyJson(value);
      assert.equal(stringifyJson(decodeJson(Buffer.from(text)).value), text);
    }),
  );
});
