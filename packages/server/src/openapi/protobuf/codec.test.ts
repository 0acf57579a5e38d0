import assert from 'node:assert/strict';
import { test } from 'node:test';
import protobuf from 'protobufjs/minimal.js';
import { encodeMessage, int64 } from './codec.ts';

const cases = [
  { name: 'the largest int64', value: 9223372036854775807n, want: '9223372036854775807' },
  { name: 'the smallest int64', value: -9223372036854775808n, want: '-9223372036854775808' },
  { name: 'a small integer', value: 5, want: '5' },
];
for (const { name, value, want } of cases) {
  test(`${name} keeps its digits in protobuf`, () => {
    const bytes = encodeMessage({ fields: { a: [11, int64] } }, { a: value }, assert.fail);
    const reader = protobuf.Reader.create(bytes);
    assert.equal(reader.uint32(), 11 << 3);
    assert.equal(BigInt.asIntN(64, varint(bytes.subarray(1))).toString(), want);
  });
}

test('an integer beyond int64 has no place in a field of int64', () => {
  const misfits: string[] = [];
  encodeMessage({ fields: { a: [11, int64] } }, { a: 2n ** 63n }, (why) => misfits.push(why));
  assert.deepEqual(misfits, ['field 11 is no integer']);
});

function varint(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 7n) | BigInt(byte & 0x7f), 0n);
}
