import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatMicroTime, formatTime, parseMicroTime, parseTime } from './time.ts';

function time(text: string): string {
  const result = parseTime(text);
  return result.ok ? formatTime(result.milliseconds) : result.message;
}

function microTime(text: string): string {
  const result = parseMicroTime(text);
  return result.ok ? formatMicroTime(result.nanoseconds / 1000n) : result.message;
}

const times = [
  { name: 'UTC', input: '2020-01-02T03:04:05Z', want: '2020-01-02T03:04:05Z' },
  { name: 'an offset', input: '2020-01-01T05:04:05+02:00', want: '2020-01-01T03:04:05Z' },
  { name: 'a negative offset', input: '2020-01-01T23:04:05-02:30', want: '2020-01-02T01:34:05Z' },
  {
    name: 'a fraction is truncated',
    input: '2020-01-01T05:04:05.999999Z',
    want: '2020-01-01T05:04:05Z',
  },
  { name: 'a comma for the point', input: '2020-01-01T05:04:05,5Z', want: '2020-01-01T05:04:05Z' },
  { name: 'one digit of the hour', input: '2020-01-01T5:04:05Z', want: '2020-01-01T05:04:05Z' },
  { name: 'a leap day', input: '2024-02-29T00:00:00Z', want: '2024-02-29T00:00:00Z' },
  {
    name: 'no leap day',
    input: '2021-02-29T00:00:00Z',
    want: 'parsing time "2021-02-29T00:00:00Z": day out of range',
  },
  {
    name: 'month 13',
    input: '2020-13-01T00:00:00Z',
    want: 'parsing time "2020-13-01T00:00:00Z": month out of range',
  },
  {
    name: 'day 0',
    input: '2020-01-00T00:00:00Z',
    want: 'parsing time "2020-01-00T00:00:00Z": day out of range',
  },
  {
    name: 'hour 24',
    input: '2020-01-01T24:00:00Z',
    want: 'parsing time "2020-01-01T24:00:00Z": hour out of range',
  },
  {
    name: 'minute 60',
    input: '2020-01-01T05:60:05Z',
    want: 'parsing time "2020-01-01T05:60:05Z": minute out of range',
  },
  {
    name: 'a leap second',
    input: '2020-01-01T05:04:60Z',
    want: 'parsing time "2020-01-01T05:04:60Z": second out of range',
  },
  {
    name: 'no zone',
    input: '2020-01-01T05:04:05',
    want: 'parsing time "2020-01-01T05:04:05" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
  },
  {
    name: 'a space for the T',
    input: '2020-01-01 05:04:05Z',
    want: 'parsing time "2020-01-01 05:04:05Z" as "2006-01-02T15:04:05Z07:00": cannot parse " 05:04:05Z" as "T"',
  },
  {
    name: 'a small z',
    input: '2020-01-01T05:04:05z',
    want: 'parsing time "2020-01-01T05:04:05z" as "2006-01-02T15:04:05Z07:00": cannot parse "z" as "Z07:00"',
  },
  {
    name: 'text after the document',
    input: '2020-01-01T05:04:05Zx',
    want: 'parsing time "2020-01-01T05:04:05Zx": extra text: "x"',
  },
  {
    name: 'an offset of 25 hours',
    input: '2020-01-01T05:04:05+25:00',
    want: 'parsing time "2020-01-01T05:04:05+25:00": time zone offset hour out of range',
  },
  {
    name: 'an offset without a colon',
    input: '2020-01-01T05:04:05+0200',
    want: 'parsing time "2020-01-01T05:04:05+0200" as "2006-01-02T15:04:05Z07:00": cannot parse "+0200" as "Z07:00"',
  },
  {
    name: 'words',
    input: 'yesterday',
    want: 'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
  },
  {
    name: 'only a date',
    input: '2020-01-01',
    want: 'parsing time "2020-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"',
  },
  {
    name: 'a year of five digits',
    input: '9999-12-31T23:59:59-23:59',
    want: '10000-01-01T23:58:59Z',
  },
  { name: 'a year before 0', input: '0000-01-01T00:00:00+01:00', want: '-0001-12-31T23:00:00Z' },
  { name: 'year 0', input: '0000-01-01T00:00:00Z', want: '0000-01-01T00:00:00Z' },
  {
    name: 'beyond ASCII',
    input: 'café',
    want: 'parsing time "caf\\xc3\\xa9" as "2006-01-02T15:04:05Z07:00": cannot parse "caf\\xc3\\xa9" as "2006"',
  },
];
const microTimes = [
  { name: 'six digits', input: '2020-01-01T05:04:05.123456Z', want: '2020-01-01T05:04:05.123456Z' },
  {
    name: 'an offset',
    input: '2020-01-01T05:04:05.000001+01:00',
    want: '2020-01-01T04:04:05.000001Z',
  },
  {
    name: 'five digits',
    input: '2020-01-01T05:04:05.12345Z',
    want: 'parsing time "2020-01-01T05:04:05.12345Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse ".12345Z" as ".000000"',
  },
  {
    name: 'seven digits',
    input: '2020-01-01T05:04:05.1234567Z',
    want: 'parsing time "2020-01-01T05:04:05.1234567Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "7Z" as "Z07:00"',
  },
  {
    name: 'no fraction',
    input: '2020-01-01T05:04:05Z',
    want: 'parsing time "2020-01-01T05:04:05Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
  },
];
for (const { name, input, want } of times) {
  test(`Time: ${name}`, () => assert.equal(time(input), want));
}
for (const { name, input, want } of microTimes) {
  test(`MicroTime: ${name}`, () => assert.equal(microTime(input), want));
}

test('a Date and its milliseconds are the same time', () => {
  assert.equal(formatTime(new Date(1_577_934_245_999)), '2020-01-02T03:04:05Z');
  assert.equal(formatTime(1_577_934_245_999), '2020-01-02T03:04:05Z');
});

test('times before 1970 are truncated downwards', () => {
  assert.equal(formatTime(-1), '1969-12-31T23:59:59Z');
  assert.equal(formatMicroTime(-1n), '1969-12-31T23:59:59.999999Z');
});

test('a Time survives formatting and parsing', () => {
  fc.assert(
    fc.property(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), (seconds) => {
      const result = parseTime(formatTime(seconds * 1000));
      assert.ok(result.ok);
      assert.equal(result.milliseconds, seconds * 1000);
    }),
  );
});

test('a MicroTime survives formatting and parsing', () => {
  fc.assert(
    fc.property(fc.bigInt(-62_135_596_800_000_000n, 253_402_300_799_999_999n), (microseconds) => {
      const result = parseMicroTime(formatMicroTime(microseconds));
      assert.ok(result.ok);
      assert.equal(result.nanoseconds, microseconds * 1000n);
    }),
  );
});
