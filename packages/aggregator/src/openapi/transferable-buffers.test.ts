import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transferableBuffers } from './transferable-buffers.ts';

const own = new Uint8Array(8);
const shared = new Uint8Array(new ArrayBuffer(16), 4, 8);

const rows = [
  { name: 'bytes at any depth', message: { a: [{ b: own }] }, want: [own.buffer] },
  { name: 'the same bytes once', message: [own, own], want: [own.buffer] },
  { name: 'no part of other memory', message: { shared }, want: [] },
  { name: 'no part of the pool', message: { text: Buffer.from('short') }, want: [] },
  { name: 'nothing that is empty', message: new Uint8Array(), want: [] },
  { name: 'nothing else', message: { a: null, b: 1, c: 'x', d: undefined }, want: [] },
];
for (const { name, message, want } of rows) {
  test(`changes hands: ${name}`, () => assert.deepEqual(transferableBuffers(message), want));
}
