import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAGING_BYTES, Staging } from './staging.ts';

const cases = [
  { name: 'nothing', lengths: [], pieces: [] },
  { name: 'small chunks are gathered', lengths: [1, 2, 3], pieces: [6] },
  { name: 'an empty chunk adds nothing', lengths: [0, 5, 0], pieces: [5] },
  {
    name: 'what fits exactly is one piece',
    lengths: [STAGING_BYTES / 2, STAGING_BYTES / 2],
    pieces: [STAGING_BYTES],
  },
  {
    name: 'what does not fit begins the next',
    lengths: [STAGING_BYTES / 2, STAGING_BYTES / 2, 1],
    pieces: [STAGING_BYTES, 1],
  },
  {
    name: 'a large chunk between small ones keeps its place',
    lengths: [10, STAGING_BYTES * 3, 20],
    pieces: [10, STAGING_BYTES * 3, 20],
  },
];

for (const { name, lengths, pieces } of cases) {
  test(name, () => {
    const staging = new Staging();
    const chunks = lengths.map((length, index) => Buffer.alloc(length, 65 + index));
    const seen = [...staging.pieces(chunks)].map(({ bytes }) => bytes);
    assert.deepEqual(
      seen.map(({ length }) => length),
      pieces,
    );
    assert.ok(Buffer.concat(seen).equals(Buffer.concat(chunks)));
  });
}

test('a large chunk is not copied', () => {
  const chunk = Buffer.alloc(STAGING_BYTES);
  const [piece] = new Staging().pieces([chunk]);
  assert.equal(piece?.bytes, chunk);
});

test('a buffer is used again only when its bytes were taken', () => {
  const staging = new Staging();
  const small = [Buffer.from('a')];
  const [first] = staging.pieces(small);
  const [second] = staging.pieces(small);
  assert.notEqual(first?.bytes.buffer, second?.bytes.buffer);
  first?.taken?.();
  const [third] = staging.pieces(small);
  assert.equal(third?.bytes.buffer, first?.bytes.buffer);
});

test('no more buffers are kept than the bound', () => {
  const staging = new Staging();
  const pieces = Array.from({ length: 20 }, () => [...staging.pieces([Buffer.from('a')])]).flat();
  for (const { taken } of pieces) taken?.();
  assert.equal(staging.free, 16);
});
