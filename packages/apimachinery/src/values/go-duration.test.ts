import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatGoDuration, parseGoDuration } from './go-duration.ts';

function parsed(text: string): string {
  const result = parseGoDuration(text);
  return result.ok
    ? `${result.nanoseconds}: ${formatGoDuration(result.nanoseconds)}`
    : result.message;
}

const texts = [
  { name: 'zero', input: '0', want: '0: 0s' },
  { name: 'a signed zero', input: '-0', want: '0: 0s' },
  { name: 'seconds', input: '5s', want: '5000000000: 5s' },
  { name: 'hours and minutes', input: '2h45m', want: '9900000000000: 2h45m0s' },
  { name: 'milliseconds', input: '300ms', want: '300000000: 300ms' },
  { name: 'a fraction', input: '1.5h', want: '5400000000000: 1h30m0s' },
  { name: 'only a fraction', input: '.5s', want: '500000000: 500ms' },
  { name: 'a point at the end', input: '1.s', want: '1000000000: 1s' },
  { name: 'negative', input: '-1.5h', want: '-5400000000000: -1h30m0s' },
  { name: 'a plus sign', input: '+5s', want: '5000000000: 5s' },
  { name: 'microseconds', input: '5us', want: '5000: 5µs' },
  { name: 'micro sign', input: '5µs', want: '5000: 5µs' },
  { name: 'Greek mu', input: '5\u03bcs', want: '5000: 5µs' },
  { name: 'nanoseconds', input: '1ns', want: '1: 1ns' },
  { name: 'units in any order', input: '5s1h', want: '3605000000000: 1h0m5s' },
  {
    name: 'the largest',
    input: '9223372036854775807ns',
    want: '9223372036854775807: 2562047h47m16.854775807s',
  },
  {
    name: 'the smallest',
    input: '-9223372036854775808ns',
    want: '-9223372036854775808: -2562047h47m16.854775808s',
  },
  {
    name: 'too large',
    input: '9223372036854775808ns',
    want: 'time: invalid duration "9223372036854775808ns"',
  },
  { name: 'too many hours', input: '3000000h', want: 'time: invalid duration "3000000h"' },
  { name: 'a long fraction', input: '0.3333333333333333333h', want: '1200000000000: 20m0s' },
  { name: 'empty', input: '', want: 'time: invalid duration ""' },
  { name: 'a sign alone', input: '-', want: 'time: invalid duration "-"' },
  { name: 'a number alone', input: '5', want: 'time: missing unit in duration "5"' },
  { name: 'a unit alone', input: 's', want: 'time: invalid duration "s"' },
  { name: 'an unknown unit', input: '5d', want: 'time: unknown unit "d" in duration "5d"' },
  { name: 'a space', input: '5 s', want: 'time: unknown unit " s" in duration "5 s"' },
  { name: 'two signs', input: '--5s', want: 'time: invalid duration "--5s"' },
  { name: 'two points', input: '1.1.1s', want: 'time: missing unit in duration "1.1.1s"' },
  {
    name: 'beyond ASCII',
    input: '5é',
    want: 'time: unknown unit "\\xc3\\xa9" in duration "5\\xc3\\xa9"',
  },
  {
    name: 'a huge number without a unit',
    input: '999999999999999999999999999999',
    want: 'time: invalid duration "999999999999999999999999999999"',
  },
  { name: 'a point alone', input: '.s', want: 'time: invalid duration ".s"' },
];
for (const { name, input, want } of texts) {
  test(`parse and print: ${name}`, () => assert.equal(parsed(input), want));
}

test('a duration has milliseconds for timers', () => {
  const result = parseGoDuration('1m0.0005s');
  assert.ok(result.ok);
  assert.equal(result.milliseconds, 60_000.5);
});

test('a formatted duration parses to the same duration', () => {
  fc.assert(
    fc.property(fc.bigInt(-(2n ** 53n), 2n ** 53n), (nanoseconds) => {
      const result = parseGoDuration(formatGoDuration(nanoseconds));
      assert.ok(result.ok);
      assert.equal(result.nanoseconds, nanoseconds);
    }),
  );
});
