import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from './parse-json.ts';
import { stringifyJson } from './stringify-json.ts';

const values = [
  { name: 'a bigint', value: 9007199254740993n, want: '9007199254740993' },
  {
    name: 'a bigint inside',
    value: { a: [1, -9223372036854775808n] },
    want: '{"a":[1,-9223372036854775808]}',
  },
  { name: 'negative zero', value: -0, want: '0' },
  { name: 'a whole double', value: 1.0, want: '1' },
  { name: 'a large double', value: 1e21, want: '1e+21' },
  { name: 'absent members', value: { a: undefined, b: 1n }, want: '{"b":1}' },
  { name: 'absent elements', value: [undefined, 1n], want: '[null,1]' },
  { name: 'empty containers', value: [{}, [], 1n], want: '[{},[],1]' },
  { name: 'strings', value: ['a"\n\u2028<', 1n], want: '["a\\"\\n\u2028<",1]' },
  { name: 'literals', value: [true, false, null, 1n], want: '[true,false,null,1]' },
  {
    name: 'a shared object is not a cycle',
    value: [[{ a: 1n }]].flatMap((x) => [x, x]),
    want: '[[{"a":1}],[{"a":1}]]',
  },
];
for (const { name, value, want } of values) {
  test(`stringify: ${name}`, () => assert.equal(stringifyJson(value), want));
}

test('stringifyJson encodes __proto__ as data', () => {
  const text = '{"__proto__":{"a":9007199254740993}}';
  assert.equal(stringifyJson(parseJson(Buffer.from(text))), text);
});

test('a document of the maximum depth can be encoded', () => {
  const text = '['.repeat(10_000) + ']'.repeat(10_000);
  assert.equal(stringifyJson(parseJson(Buffer.from(text))), text);
  const object = `${'{"a":'.repeat(10_000)}9007199254740993${'}'.repeat(10_000)}`;
  assert.equal(stringifyJson(parseJson(Buffer.from(object))), object);
});

test('a long list with a bigint is encoded', () => {
  const list = Array.from({ length: 200_000 }, (_, index) => index);
  assert.equal(stringifyJson([...list, 1n]), `[${list.join(',')},1]`);
});

test('a cyclic value is rejected', () => {
  const cycle: { self?: unknown; n: bigint } = { n: 1n };
  cycle.self = [cycle];
  assert.throws(() => stringifyJson(cycle), TypeError);
});

test('the fast and the slow path produce the same JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      assert.equal(stringifyJson([value, 1n]), `[${JSON.stringify(value)},1]`);
    }),
  );
});
