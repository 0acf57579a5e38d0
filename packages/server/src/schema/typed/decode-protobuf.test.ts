import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeProtobuf, openEnvelope } from './decode-protobuf.ts';
import { goPackage } from './go-package.ts';
import type { GoStructType } from './go-type.ts';
import { ProtobufError } from './protobuf-wire.ts';

const things = goPackage({
  path: 'example.com/things/v1',
  types: {
    Thing: [
      'text,1,omitempty string',
      'flag,2,omitempty *bool',
      'count,3,omitempty int32',
      'big,4,omitempty int64',
      'data,5,omitempty map[string][]uint8',
      'texts,6,omitempty []string',
      'Part,7,inline Part',
      'when,8,omitempty Time',
      'exact,9,omitempty MicroTime',
      'port,10,omitempty IntOrString',
      'amount,11,omitempty Quantity',
      'any,12,omitempty Raw',
      'extra,13,omitempty map[string]Texts',
      'numbers,14,omitempty []int32',
      'inner,15,omitempty *Thing',
      'share,16,omitempty *float64',
      'value,17,omitempty *Json',
      'parts,18,omitempty *PartOrList',
      'more,19,omitempty *PartOrBool',
    ],
    Json: 'json',
    PartOrList: 'either Part []Part',
    PartOrBool: 'either Part bool',
    Part: ['side,1,omitempty string'],
    Texts: '[]string',
    Time: 'time',
    MicroTime: 'microTime',
    IntOrString: 'intOrString',
    Quantity: 'quantity',
    Raw: 'raw',
  },
});

const rows = [
  { name: 'a text', hex: '0a 02 c3a4', value: { text: 'ä' } },
  { name: 'a flag that is false', hex: '10 00', value: { flag: false } },
  { name: 'a negative number', hex: '18 ffffffffffffffffff01', value: { count: -1 } },
  { name: 'a number of 64 bits', hex: '20 ffffffffffffffff7f', value: { big: 2n ** 63n - 1n } },
  { name: 'a small number of 64 bits', hex: '20 96 01', value: { big: 150 } },
  { name: 'bytes by key', hex: '2a 06 0a0161 120162', value: { data: { a: 'Yg==' } } },
  { name: 'a key without bytes', hex: '2a 03 0a0161', value: { data: { a: null } } },
  { name: 'texts one by one', hex: '32 01 61 32 00', value: { texts: ['a', ''] } },
  { name: 'an embedded struct', hex: '3a 03 0a0162', value: { side: 'b' } },
  { name: 'a time', hex: '42 02 0801', value: { when: '1970-01-01T00:00:01Z' } },
  { name: 'no time', hex: '42 00', value: { when: null } },
  {
    name: 'a time with nanoseconds',
    hex: '4a 05 0801 10e807',
    value: { exact: '1970-01-01T00:00:01.000001Z' },
  },
  { name: 'a number or text: number', hex: '52 06 0800 1050 1a00', value: { port: 80 } },
  { name: 'a number or text: text', hex: '52 07 0801 1000 1a0161', value: { port: 'a' } },
  { name: 'a quantity', hex: '5a 04 0a02 3147', value: { amount: '1G' } },
  { name: 'any JSON', hex: '62 05 0a03 5b315d', value: { any: [1] } },
  { name: 'lists by key', hex: '6a 08 0a0161 1203 0a0162', value: { extra: { a: ['b'] } } },
  { name: 'numbers one by one', hex: '70 01 70 02', value: { numbers: [1, 2] } },
  { name: 'packed numbers', hex: '72 03 019601', value: { numbers: [1, 150] } },
  { name: 'a struct within', hex: '7a 03 0a0161', value: { inner: { text: 'a' } } },
  { name: 'fields that are not known', hex: 'f80701 0a0161', value: { text: 'a' } },
  { name: 'fields of fixed width', hex: '090000000000000000 0d00000000', value: {} },
  { name: 'a fraction', hex: '8101 000000000000f83f', value: { share: 1.5 } },
  { name: 'any value', hex: '8a01 05 0a03 5b315d', value: { value: [1] } },
  { name: 'a struct and no list', hex: '9201 05 0a03 0a0161', value: { parts: { side: 'a' } } },
  {
    name: 'a list and no struct',
    hex: '9201 0a 1203 0a0161 1203 0a0162',
    value: { parts: [{ side: 'a' }, { side: 'b' }] },
  },
  { name: 'neither list nor struct', hex: '9201 00', value: { parts: null } },
  { name: 'a boolean and no struct', hex: '9a01 02 0801', value: { more: true } },
  {
    name: 'a struct and no boolean',
    hex: '9a01 07 0801 1203 0a0161',
    value: { more: { side: 'a' } },
  },
];
for (const { name, hex, value } of rows) {
  test(name, () => assert.deepEqual(decodeProtobuf(bytes(hex), thing()), value));
}

test('map keys of a protobuf message are data', () => {
  const { data } = decodeProtobuf(bytes('2a 0e 0a09 5f5f70726f746f5f5f 120161'), thing());
  assert.deepEqual(Object.keys(data as object), ['__proto__']);
});

test('an envelope has the type of its message', () => {
  const { raw, ...type } = openEnvelope(bytes('6b387300 0a09 0a027631 1203 466f6f 1203 0a0161'));
  assert.deepEqual(type, { apiVersion: 'v1', kind: 'Foo' });
  assert.deepEqual(decodeProtobuf(raw, thing()), { text: 'a' });
});

const broken = [
  { name: 'a text that is cut', hex: '0a 05 61' },
  { name: 'a length that is missing', hex: '0a' },
  { name: 'a number without end', hex: '18 ffffffffffffffffffff01' },
  { name: 'a number where text belongs', hex: '08 01' },
  { name: 'text where a number belongs', hex: '1a 01 61' },
  { name: 'a group', hex: '0b' },
  { name: 'field zero', hex: '00 00' },
  { name: 'a time beyond all calendars', hex: '42 0b 08ffffffffffffffff7f10 00' },
  { name: 'JSON that is cut', hex: '62 03 0a 01 7b' },
  { name: 'JSON that is nested too deeply', hex: deepJson(10_001) },
  { name: 'a number without end in a double', hex: '81 01 000000000000f07f' },
  { name: 'what is nested too deeply', hex: nested(1100) },
];
for (const { name, hex } of broken) {
  test(`${name} is an error`, () => {
    assert.throws(() => decodeProtobuf(bytes(hex), thing()), ProtobufError);
  });
}

test('a body without the protobuf prefix is an error', () => {
  assert.throws(() => openEnvelope(bytes('7b7d')), ProtobufError);
});

/** Nested arrays, as the raw extension of field 12. */
function deepJson(depth: number): string {
  const json = Buffer.from('['.repeat(depth) + ']'.repeat(depth));
  const varint = (size: number) =>
    Buffer.of((size & 0x7f) | 0x80, ((size >> 7) & 0x7f) | 0x80, size >> 14);
  const inner = Buffer.concat([Buffer.of(0x0a), varint(json.length), json]);
  return Buffer.concat([Buffer.of(0x62), varint(inner.length), inner]).toString('hex');
}

function nested(depth: number): string {
  let inner = Buffer.alloc(0);
  for (let level = 0; level < depth; level += 1) {
    const { length } = inner;
    const size = length < 0x80 ? [length] : [(length & 0x7f) | 0x80, length >> 7];
    inner = Buffer.concat([Buffer.of(0x7a, ...size), inner]);
  }
  return inner.toString('hex');
}

function bytes(hex: string): Uint8Array {
  return Buffer.from(hex.replaceAll(' ', ''), 'hex');
}

function thing(): GoStructType {
  const type = things.type('Thing');
  assert.ok(type.kind === 'struct');
  return type;
}
