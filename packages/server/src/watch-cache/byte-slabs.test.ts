import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteSlabs } from './byte-slabs.ts';

const KIB = 1024;
const SLAB = 128 * KIB;

/** Skips the first values, which are allocated individually. */
function openSlabs(): ByteSlabs {
  const slabs = new ByteSlabs();
  slabs.allocate(16 * KIB);
  assert.equal(slabs.bytes, 0);
  return slabs;
}

test('the first values and large ones are allocated individually, others share slabs', () => {
  const slabs = new ByteSlabs();
  const [first, second] = [slabs.allocate(8 * KIB), slabs.allocate(8 * KIB)];
  assert.notEqual(first.buffer, second.buffer);
  const [one, other] = [slabs.allocate(100), slabs.allocate(200)];
  assert.equal(one.buffer, other.buffer);
  assert.deepEqual([one.byteOffset, other.byteOffset, other.length], [0, 100, 200]);
  const large = slabs.allocate(16 * KIB + 1);
  assert.equal(large.byteLength, large.buffer.byteLength);
  assert.equal(slabs.bytes, SLAB);
});

test('a slab is freed with its last value, except the one that is being filled', () => {
  const slabs = openSlabs();
  const values = Array.from({ length: 257 }, () => slabs.allocate(KIB));
  assert.equal(slabs.bytes, 3 * SLAB);
  for (const value of values.slice(0, 127)) slabs.release(value);
  assert.equal(slabs.bytes, 3 * SLAB);
  for (const value of values.slice(127)) slabs.release(value);
  assert.equal(slabs.bytes, SLAB);
  for (let count = 0; count < 128; count += 1) slabs.allocate(KIB);
  assert.equal(slabs.bytes, 2 * SLAB);
});

test('releasing bytes that are not in a slab does nothing', () => {
  const slabs = new ByteSlabs();
  slabs.release(slabs.allocate(KIB));
  slabs.release(Buffer.from('not from here'));
  assert.equal(slabs.bytes, 0);
});

test('values that hold much idle memory are moved together', () => {
  const slabs = openSlabs();
  let retained: Buffer[] = [];
  for (let number = 0; number < 20 * KIB; number += 1) {
    const value = slabs.allocate(KIB).fill(number % 251);
    if (number % 64 === 0) retained.push(value);
    else slabs.release(value);
  }
  const before = slabs.bytes;
  assert.equal(before, 20 * KIB * KIB);
  assert.equal(slabs.isSparse, true);
  const content = retained.map((value) => Buffer.from(value));
  retained = retained.map((value) => slabs.moved(value) ?? value);
  slabs.tidied();
  assert.equal(slabs.isSparse, false);
  assert.ok(slabs.bytes <= 4 * SLAB, `${slabs.bytes} of ${before} are left`);
  for (const [at, value] of retained.entries()) assert.deepEqual(value, content[at]);
  for (const value of retained) slabs.release(value);
  assert.equal(slabs.bytes, SLAB);
});

test('values in a well-used slab are not moved', () => {
  const slabs = openSlabs();
  const values = Array.from({ length: 256 }, () => slabs.allocate(KIB));
  for (const value of values.slice(0, 63)) slabs.release(value);
  assert.equal(slabs.moved(values[100] as Buffer), undefined);
  slabs.release(values[63] as Buffer);
  assert.notEqual(slabs.moved(values[100] as Buffer), undefined);
  assert.equal(slabs.moved(values[200] as Buffer), undefined, 'it is being filled');
});

test('idle memory that only history holds does not cause repeated compaction', () => {
  const slabs = openSlabs();
  for (let number = 0; number < 20 * KIB; number += 1) {
    const value = slabs.allocate(KIB);
    if (number % 64 !== 0) slabs.release(value);
  }
  assert.equal(slabs.isSparse, true);
  slabs.tidied();
  assert.equal(slabs.isSparse, false);
});
