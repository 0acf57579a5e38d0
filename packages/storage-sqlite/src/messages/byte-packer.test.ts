import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BytePacker, unpack } from './byte-packer.ts';

test('values of any size are the same after packing and unpacking', () => {
  const sizes = fc.array(fc.oneof(fc.nat(100), fc.nat(70_000), fc.constant(0)), { maxLength: 50 });
  fc.assert(
    fc.property(sizes, (lengths) => {
      const values = lengths.map((length, at) => Buffer.alloc(length, at + 1));
      const packer = new BytePacker();
      for (let round = 0; round < 2; round += 1) {
        const places = values.map((value) => packer.add(value));
        const buffers = packer.finish();
        for (const [at, place] of places.entries()) {
          assert.ok(Buffer.compare(unpack(buffers, place), values[at] as Buffer) === 0);
        }
      }
    }),
    { numRuns: 30 },
  );
});

test('a small value retains little memory of others', () => {
  const packer = new BytePacker();
  const places = Array.from({ length: 1000 }, () => packer.add(Buffer.alloc(1000)));
  const large = packer.add(Buffer.alloc(1_000_000));
  const buffers = packer.finish();
  for (const place of places) {
    assert.ok((buffers[place.buffer]?.byteLength ?? 0) <= 64 * 1024);
  }
  assert.equal(buffers[large.buffer]?.byteLength, 1_000_000);
});
