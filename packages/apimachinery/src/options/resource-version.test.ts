import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '../errors/status.ts';
import {
  compareResourceVersions,
  parseListResourceVersion,
  parseObjectResourceVersion,
  parseResourceVersion,
} from './resource-version.ts';

/** The number, or the code, reason and message of the failure. */
function outcome(parse: () => number): number | string {
  try {
    return parse();
  } catch (error) {
    assert.ok(error instanceof StatusError);
    return `${error.code} ${error.reason ?? 'unknown'}: ${error.message}`;
  }
}

const versions = [
  { name: 'empty', text: '', want: 0 },
  { name: 'zero', text: '0', want: 0 },
  { name: 'a number', text: '42', want: 42 },
  { name: 'leading zeros', text: '007', want: 7 },
  { name: 'the largest', text: '18446744073709551615', want: 2 ** 64 },
  {
    name: 'beyond 64 bits',
    text: '18446744073709551616',
    want: 'resourceVersion: Invalid value: "18446744073709551616": strconv.ParseUint: parsing "18446744073709551616": value out of range',
  },
  {
    name: 'a sign',
    text: '-1',
    want: 'resourceVersion: Invalid value: "-1": strconv.ParseUint: parsing "-1": invalid syntax',
  },
  {
    name: 'a plus sign',
    text: '+1',
    want: 'resourceVersion: Invalid value: "+1": strconv.ParseUint: parsing "+1": invalid syntax',
  },
  {
    name: 'letters',
    text: 'abc',
    want: 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
  },
  {
    name: 'a fraction',
    text: '1.0',
    want: 'resourceVersion: Invalid value: "1.0": strconv.ParseUint: parsing "1.0": invalid syntax',
  },
  {
    name: 'a space',
    text: ' 1',
    want: 'resourceVersion: Invalid value: " 1": strconv.ParseUint: parsing " 1": invalid syntax',
  },
  {
    name: 'quotes',
    text: '"1"',
    want: 'resourceVersion: Invalid value: "\\"1\\"": strconv.ParseUint: parsing "\\"1\\"": invalid syntax',
  },
];
for (const { name, text, want } of versions) {
  const isNumber = typeof want === 'number';
  test(`GET and WATCH: ${name}`, () => {
    const expected = isNumber ? want : `500 unknown: ${want}`;
    assert.equal(
      outcome(() => parseResourceVersion(text)),
      expected,
    );
  });
  test(`LIST: ${name}`, () => {
    const expected = isNumber ? want : `400 BadRequest: invalid resource version: ${want}`;
    assert.equal(
      outcome(() => parseListResourceVersion(text)),
      expected,
    );
  });
  test(`an object: ${name}`, () => {
    const bare = isNumber ? want : `500 unknown: ${want.slice(want.indexOf('strconv'))}`;
    assert.equal(
      outcome(() => parseObjectResourceVersion(text)),
      bare,
    );
  });
}

const comparisons = [
  { name: 'equal', a: '5', b: '5', want: 0 },
  { name: 'less', a: '5', b: '6', want: -1 },
  { name: 'more digits are greater', a: '10', b: '9', want: 1 },
  { name: 'beyond 2^53', a: '9007199254740993', b: '9007199254740992', want: 1 },
];
for (const { name, a, b, want } of comparisons) {
  test(`compare: ${name}`, () => assert.equal(Math.sign(compareResourceVersions(a, b)), want));
}
