import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareText } from './compare-text.ts';

test('strings are ordered by their UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      assert.equal(Math.sign(compareText(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});
