import assert from 'node:assert/strict';
import { test } from 'node:test';
import { humanAge, humanDuration } from './human-duration.ts';

const durations = [
  { name: 'nothing', milliseconds: 0, want: '0s' },
  { name: 'half a second', milliseconds: 500, want: '0s' },
  { name: 'a second in the future', milliseconds: -1000, want: '0s' },
  { name: 'almost two seconds in the future', milliseconds: -1999, want: '0s' },
  { name: 'two seconds in the future', milliseconds: -2000, want: '<invalid>' },
  { name: '119 s', milliseconds: 119000, want: '119s' },
  { name: 'two minutes', milliseconds: 120000, want: '2m' },
  { name: 'two and a half minutes', milliseconds: 150000, want: '2m30s' },
  { name: 'just below ten minutes', milliseconds: 599999, want: '9m59s' },
  { name: 'ten minutes', milliseconds: 600000, want: '10m' },
  { name: 'just below three hours', milliseconds: 10799999, want: '179m' },
  { name: 'three hours', milliseconds: 10800000, want: '3h' },
  { name: 'three and a half hours', milliseconds: 12600000, want: '3h30m' },
  { name: 'just below eight hours', milliseconds: 28799999, want: '7h59m' },
  { name: 'eight hours', milliseconds: 28800000, want: '8h' },
  { name: '47 hours', milliseconds: 169200000, want: '47h' },
  { name: 'two days', milliseconds: 172800000, want: '2d' },
  { name: 'two days and an hour', milliseconds: 176400000, want: '2d1h' },
  { name: 'just below eight days', milliseconds: 691199999, want: '7d23h' },
  { name: 'eight days', milliseconds: 691200000, want: '8d' },
  { name: 'just below two years', milliseconds: 63071999999, want: '729d' },
  { name: 'two years', milliseconds: 63072000000, want: '2y' },
  { name: 'two years and a day', milliseconds: 63158400000, want: '2y1d' },
  { name: 'eight years', milliseconds: 252288000000, want: '8y' },
  { name: 'a hundred years', milliseconds: 3153600000000, want: '100y' },
];
for (const { name, milliseconds, want } of durations) {
  test(`humanDuration: ${name}`, () => assert.equal(humanDuration(milliseconds), want));
}

test('an age without a creationTimestamp is unknown', () => {
  const nowMs = Date.parse('2024-01-01T00:05:00Z');
  assert.equal(humanAge('2024-01-01T00:00:00Z', nowMs), '5m');
  assert.equal(humanAge(null, nowMs), '<unknown>');
  assert.equal(humanAge(undefined, nowMs), '<unknown>');
  assert.equal(humanAge('yesterday', nowMs), '<unknown>');
});
