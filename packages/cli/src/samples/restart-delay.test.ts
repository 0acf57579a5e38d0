import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restartDelayMs } from './restart-delay.ts';

const cases: { name: string; previousMs?: number; ranMs: number; want: number }[] = [
  { name: 'the first time', ranMs: 10, want: 500 },
  { name: 'again at once', previousMs: 500, ranMs: 10, want: 1_000 },
  { name: 'up to a bound', previousMs: 16_000, ranMs: 10, want: 30_000 },
  { name: 'and not beyond it', previousMs: 30_000, ranMs: 59_999, want: 30_000 },
  { name: 'after a good minute', previousMs: 30_000, ranMs: 60_000, want: 500 },
];
for (const { name, previousMs, ranMs, want } of cases) {
  test(`a program that ends is started again: ${name}`, () => {
    assert.equal(restartDelayMs(previousMs, ranMs), want);
  });
}
