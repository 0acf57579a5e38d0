/** Bodies in the protocol buffers of Kubernetes. */
import assert from 'node:assert/strict';
import { decodeJson, stringifyJson } from '@tributary/apimachinery';
import {
  decodeProtobuf,
  openEnvelope,
} from '../../../packages/server/src/schema/typed/decode-protobuf.ts';
import { goPackage } from '../../../packages/server/src/schema/typed/go-package.ts';
import type { GoStructType } from '../../../packages/server/src/schema/typed/go-type.ts';
import { ProtobufError } from '../../../packages/server/src/schema/typed/protobuf-wire.ts';
import { isSame } from '../same.ts';
import { errorsOf, type FuzzTarget } from '../target.ts';

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

// biome-ignore format: a list of pieces reads better in few lines
const TOKENS = [
  '0a', '0a0161', '1001', '18ffffffffffffffffff01', '20ffffffffffffffff7f', '2a060a0161120162', '3200', '3a030a0162', '42020801', '4a05080110e807',
  '5200', '5a030a0131', '6200', '6a00', '7200', '7a00', '7a020a00', '8101000000000000f03f', '8a01020a00', '920100', '9a0100', '00', '07', '0b', '0c', '0d00000000',
  'ffffffffff', 'ffffffffffffffffff7f', '80', 'c328', 'eda080', '6b387300', '0a0b0a0276311205546869', '7b', '7d',
];

const typed: FuzzTarget = {
  name: 'the protobuf decoder',
  corpus: 'protobuf',
  encoding: 'hex',
  tokens: TOKENS,
  run(input) {
    const value = decodeProtobuf(input, things.type('Thing') as GoStructType);
    const written = stringifyJson(value);
    assert.ok(isSame(decodeJson(Buffer.from(written)).value, value));
    return Object.keys(value).sort().join();
  },
  refuses: errorsOf(ProtobufError),
};

const envelope: FuzzTarget = {
  name: 'the protobuf envelope',
  corpus: 'protobuf-envelope',
  encoding: 'hex',
  tokens: TOKENS,
  run(input) {
    const { apiVersion, kind, raw } = openEnvelope(input);
    assert.ok(raw.length <= input.length);
    return `${apiVersion !== ''} ${kind !== ''} ${raw.length > 0}`;
  },
  refuses: errorsOf(ProtobufError),
};

export const protobufTargets = [typed, envelope];
