import assert from 'node:assert/strict';
import test from 'node:test';
import { GoTypeError, parseJson } from '@tributary/apimachinery';
import { decodeTyped } from '../../server/src/schema/typed/decode-typed.ts';
import { type DecodingRow, decodingRows } from './decoding-rows.ts';

for (const row of decodingRows) {
  test(`${row.endpoint.kind.kind}: ${row.name}`, () => {
    assert.deepEqual(decode(row), row.expected);
  });
}

test('fields are encoded in the order of Go', () => {
  const { struct } = kindOf('Service');
  const { object } = decodeTyped(parsed('{"spec":{"type":"x","ports":[]},"metadata":{}}'), struct);
  assert.deepEqual(Object.keys(object), ['metadata', 'spec', 'status']);
});

test('unknown fields are dropped and reported with their path', () => {
  const body = '{"spec":{"ports":[{"port":1},{"x":{"y":1}}],"selector":{"a":"b"},"A":1},"z":1}';
  const { object, unknown } = decodeTyped(parsed(body), kindOf('Service').struct);
  assert.deepEqual(unknown, ['spec.ports[1].x', 'spec.A', 'z']);
  assert.deepEqual(Object.keys(object.spec as object), ['ports', 'selector']);
});

test('a type error takes precedence over unknown fields', () => {
  const { struct } = kindOf('ConfigMap');
  assert.throws(() => decodeTyped(parsed('{"x":1,"data":[]}'), struct), GoTypeError);
});

function decode({ endpoint, body }: DecodingRow): DecodingRow['expected'] {
  try {
    const { object } = decodeTyped(parsed(body), endpoint.kind.struct);
    const { metadata: _metadata, ...fields } = object;
    return { fields };
  } catch (error) {
    if (!(error instanceof GoTypeError)) throw error;
    return { error: error.message };
  }
}

function kindOf(name: string): DecodingRow['endpoint']['kind'] {
  const row = decodingRows.find(({ endpoint }) => endpoint.kind.kind === name);
  assert.ok(row);
  return row.endpoint.kind;
}

function parsed(text: string): Record<string, unknown> {
  return parseJson(Buffer.from(text)) as Record<string, unknown>;
}
