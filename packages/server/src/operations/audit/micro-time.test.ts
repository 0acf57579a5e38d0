import assert from 'node:assert/strict';
import { test } from 'node:test';
import { microTimeFormat } from './micro-time.ts';

const START = Date.parse('2026-11-16T00:37:44Z');
const cases = [
  { ms: START, want: '2026-11-16T00:37:44.000000Z' },
  { ms: START + 1.25, want: '2026-11-16T00:37:44.001250Z' },
  { ms: START + 999.999, want: '2026-11-16T00:37:44.999999Z' },
  { ms: START + 1000, want: '2026-11-16T00:37:45.000000Z' },
  { ms: START - 1, want: '2026-11-16T00:37:43.999000Z' },
];
test('times are written with microseconds', () => {
  const format = microTimeFormat();
  assert.deepEqual(
    cases.map(({ ms }) => format(ms)),
    cases.map(({ want }) => want),
  );
});
