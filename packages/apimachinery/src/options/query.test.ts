import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '../errors/status.ts';
import { parseGoInt64, parseGoUint64 } from '../values/go-integer.ts';
import {
  booleanParameter,
  integerParameter,
  parseQuery,
  stringParameter,
  timeoutParameterMs,
} from './query.ts';

const booleans = [
  { name: 'absent', query: '', want: undefined },
  { name: 'empty', query: 'x=', want: true },
  { name: 'without equals sign', query: 'x', want: true },
  { name: 'true', query: 'x=true', want: true },
  { name: '1', query: 'x=1', want: true },
  { name: 'no', query: 'x=no', want: true },
  { name: '0', query: 'x=0', want: false },
  { name: '00', query: 'x=00', want: true },
  { name: 'false', query: 'x=false', want: false },
  { name: 'False', query: 'x=False', want: false },
  { name: 'the first wins', query: 'x=0&x=1', want: false },
];
for (const { name, query, want } of booleans) {
  test(`a boolean: ${name}`, () => {
    assert.equal(booleanParameter(new URLSearchParams(query), 'x'), want);
  });
}

const integers = [
  { name: 'absent', query: '', want: undefined },
  { name: 'a number', query: 'x=5', want: 5 },
  { name: 'a sign', query: 'x=-5', want: -5 },
  { name: 'zeros', query: 'x=007', want: 7 },
];
for (const { name, query, want } of integers) {
  test(`an integer: ${name}`, () => {
    assert.equal(integerParameter(new URLSearchParams(query), 'x'), want);
  });
}

const refusals = [
  { name: 'empty', query: 'x=', want: 'strconv.ParseInt: parsing "": invalid syntax' },
  { name: 'a fraction', query: 'x=1.5', want: 'strconv.ParseInt: parsing "1.5": invalid syntax' },
  { name: 'a separator', query: 'x=1_0', want: 'strconv.ParseInt: parsing "1_0": invalid syntax' },
  {
    name: 'beyond 64 bits',
    query: 'x=9223372036854775808',
    want: 'strconv.ParseInt: parsing "9223372036854775808": value out of range',
  },
];
for (const { name, query, want } of refusals) {
  test(`an invalid integer: ${name}`, () => {
    assert.throws(
      () => integerParameter(new URLSearchParams(query), 'x'),
      (error) => error instanceof StatusError && error.code === 400 && error.message === want,
    );
  });
}

const queries = [
  {
    name: 'pairs',
    query: 'a=1&b=2',
    want: [
      ['a', '1'],
      ['b', '2'],
    ],
  },
  { name: 'escapes', query: 'a%20b=c+d%2B', want: [['a b', 'c d+']] },
  { name: 'empty pairs', query: '&&a=1&', want: [['a', '1']] },
  { name: 'a pair with a semicolon is dropped', query: 'a=1;b=2&c=3', want: [['c', '3']] },
  { name: 'a broken escape is dropped', query: 'a=%zz&b=%2&c=3', want: [['c', '3']] },
  { name: 'a value with equals signs', query: 'a=b=c', want: [['a', 'b=c']] },
  { name: 'a leading question mark is data', query: '?a=1', want: [['?a', '1']] },
];
for (const { name, query, want } of queries) {
  test(`a query: ${name}`, () => assert.deepEqual([...parseQuery(query)], want));
}

test('a string parameter is the first value or empty', () => {
  assert.equal(stringParameter(new URLSearchParams('x=a&x=b'), 'x'), 'a');
  assert.equal(stringParameter(new URLSearchParams(), 'x'), '');
});

test('a timeout is a Go duration', () => {
  assert.equal(timeoutParameterMs(new URLSearchParams('timeout=1m30s')), 90_000);
  assert.equal(timeoutParameterMs(new URLSearchParams('timeout=')), undefined);
  assert.throws(() => timeoutParameterMs(new URLSearchParams('timeout=5')), {
    message: 'invalid timeout specified in the request URL - time: missing unit in duration "5"',
  });
});

test('long numbers are rejected without conversion', () => {
  assert.equal(parseGoInt64('9'.repeat(1e6)).ok, false);
  assert.deepEqual(parseGoUint64(`${'0'.repeat(1e6)}5`), { ok: true, value: 5n });
});
