import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDecision } from './self-review.ts';

const cases = [
  { review: { status: { allowed: true } }, want: { allowed: true } },
  { review: { status: { allowed: false } }, want: { allowed: false } },
  { review: { status: { allowed: false, reason: 'no' } }, want: { allowed: false, reason: 'no' } },
  { review: { status: { allowed: 'true' } }, want: { allowed: false } },
  { review: {}, want: { allowed: false } },
  { review: null, want: { allowed: false } },
];
for (const { review, want } of cases) {
  test(`${JSON.stringify(review)} is ${JSON.stringify(want)}`, () => {
    assert.deepEqual(readDecision(review), want);
  });
}
