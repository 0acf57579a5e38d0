import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@tributary/apimachinery';
import { requestFor } from '../../test/request-fixture.ts';
import { deleteOptionsBody } from './delete-options-body.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** As client-go sends it; messages here are shorter than 128 bytes. */
function envelope(kind: string, raw: Buffer): Buffer {
  const type = Buffer.concat([field(1, Buffer.from('v1')), field(2, Buffer.from(kind))]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, raw)]);
}

function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of((number << 3) | 2, bytes.length), bytes]);
}

function read(body: Uint8Array, contentType: string): unknown {
  const headerLines = ['content-type', contentType];
  const request = requestFor('/apis/g.io/v1/things/a', { method: 'DELETE', headerLines });
  return deleteOptionsBody(body, request);
}

const meta = { apiVersion: 'v1', kind: 'DeleteOptions' };
const rows = [
  { name: 'no fields', raw: Buffer.alloc(0), want: meta },
  {
    name: 'a policy and a grace period of 0',
    raw: Buffer.concat([Buffer.of(8, 0), field(4, Buffer.from('Background'))]),
    want: { ...meta, gracePeriodSeconds: 0, propagationPolicy: 'Background' },
  },
  {
    name: 'preconditions',
    raw: field(2, Buffer.concat([field(1, Buffer.from('u')), field(2, Buffer.from('7'))])),
    want: { ...meta, preconditions: { uid: 'u', resourceVersion: '7' } },
  },
  {
    name: 'a dry run, and orphans',
    raw: Buffer.concat([Buffer.of(24, 1), field(5, Buffer.from('All'))]),
    want: { ...meta, orphanDependents: true, dryRun: ['All'] },
  },
];
for (const { name, raw, want } of rows) {
  test(`DeleteOptions in protobuf: ${name}`, () => {
    assert.deepEqual(read(envelope('DeleteOptions', raw), PROTOBUF), want);
  });
}

test('a protobuf body of another kind is not decoded as DeleteOptions', () => {
  const body = envelope('Secret', field(4, Buffer.from('Background')));
  assert.deepEqual(read(body, `${PROTOBUF}; charset=utf-8`), { apiVersion: 'v1', kind: 'Secret' });
});

const refused = [
  { name: 'an undecodable protobuf body', body: '{}', type: PROTOBUF, code: 400 },
  { name: 'undecodable JSON', body: '{', type: 'application/json', code: 400 },
  { name: 'an unsupported content type', body: '{}', type: 'text/plain', code: 415 },
];
for (const { name, body, type, code } of refused) {
  test(`${name}: ${code}`, () => {
    assert.throws(
      () => read(Buffer.from(body), type),
      (error) => error instanceof StatusError && error.code === code,
    );
  });
}
