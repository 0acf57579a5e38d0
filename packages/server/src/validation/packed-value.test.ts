import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goText, parseJson } from '@tributary/apimachinery';
import { pack, unpack } from './packed-value.ts';
import { deserializeResult, serializeResult } from './validation-result.ts';

const values: Readonly<Record<string, unknown>> = {
  'an integer beyond 2^53': { a: 9007199254740993n },
  'a double as large': { a: 1e17, b: -0, c: 0.1 },
  '`__proto__` as data': parseJson(Buffer.from('{"__proto__":{"a":1},"constructor":2}')),
  'what is undefined': { a: undefined, b: [undefined, null] },
  'letters of every length': ['é', 'ab', '日本', '😀', 'a'.repeat(1000), 'é'.repeat(1001)],
  nothing: undefined,
};
for (const [name, value] of Object.entries(values)) {
  test(`a packed value is unpacked unchanged: ${name}`, () => {
    const arrived = unpack(pack(value));
    assert.deepStrictEqual(arrived, value);
    const keys = (one: unknown) => Object.keys((one as object) ?? {});
    assert.deepEqual(keys(arrived), keys(value));
  });
}

test('a value nested deeper than the call stack is unpacked unchanged', () => {
  let value: unknown = 9007199254740993n;
  for (let depth = 0; depth < 9_000; depth++) value = depth % 2 === 0 ? [value] : { a: value };
  let arrived = unpack(pack(value));
  let depth = 0;
  for (; typeof arrived === 'object' && arrived !== null; depth++) {
    arrived = Array.isArray(arrived) ? arrived[0] : (arrived as { a: unknown }).a;
  }
  assert.deepEqual([depth, arrived], [9_000, 9007199254740993n]);
});

test('serialized errors keep their values', () => {
  const result = {
    errors: [
      { type: 'FieldValueInvalid', field: 'a', value: goText('{"A":1}'), detail: 'b' },
      { type: 'FieldValueInvalid', field: 'a', value: undefined, detail: '' },
      { type: 'FieldValueForbidden', field: 'a', detail: 'c' },
      { type: 'FieldValueDuplicate', field: 'a', value: { n: 9007199254740993n }, detail: '' },
    ],
    warnings: ['w'],
  } as const;
  const arrived = deserializeResult(unpack(pack(serializeResult(result))) as never);
  assert.deepStrictEqual(arrived, result);
});
