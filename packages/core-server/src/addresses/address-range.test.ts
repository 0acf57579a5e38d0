import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatIp } from '@tributary/apimachinery';
import { allocatableAddress, parseAddressRange } from './address-range.ts';

describe('parsed ranges', () => {
  const cases = [
    { text: '10.0.0.0/24', first: '10.0.0.1', last: '10.0.0.254', reserved: 16n },
    { text: '10.96.0.0/12', first: '10.96.0.1', last: '10.111.255.254', reserved: 256n },
    { text: '10.0.0.0/22', first: '10.0.0.1', last: '10.0.3.254', reserved: 64n },
    { text: '10.0.0.0/28', first: '10.0.0.1', last: '10.0.0.14', reserved: 0n },
    { text: '10.0.0.0/30', first: '10.0.0.1', last: '10.0.0.2', reserved: 0n },
    { text: 'fd00::/108', first: 'fd00::1', last: 'fd00::f:ffff', reserved: 256n },
    { text: 'fd00::/64', first: 'fd00::1', last: 'fd00::ffff:ffff:ffff:ffff', reserved: 256n },
  ];
  for (const { text, first, last, reserved } of cases) {
    test(text, () => {
      const range = parseAddressRange(text);
      const { family } = range;
      assert.equal(range.text, text);
      assert.equal(formatIp({ family, value: range.first }), first);
      assert.equal(formatIp({ family, value: range.last }), last);
      assert.equal(range.reserved, reserved);
    });
  }
});

describe('rejected ranges', () => {
  const cases = {
    x: /is not a CIDR/,
    '10.0.0.0': /is not a CIDR/,
    '::ffff:10.0.0.0/120': /is not a CIDR/,
    '10.0.0.0/31': /has no allocatable address/,
    '10.0.0.0/32': /has no allocatable address/,
    'fd00::/63': /shortest allowed prefix length for service CIDR is 64, got 63/,
  };
  for (const [text, message] of Object.entries(cases)) {
    test(text, () => assert.throws(() => parseAddressRange(text), message));
  }
});

describe('allocatable addresses', () => {
  const range = parseAddressRange('10.0.0.0/24');
  const cases = {
    '10.0.0.1': true,
    '10.0.0.254': true,
    '10.0.0.0': false,
    '10.0.0.255': false,
    '10.0.1.1': false,
    'fd00::1': false,
    x: false,
  };
  for (const [text, isIn] of Object.entries(cases)) {
    test(text, () => assert.equal(allocatableAddress(range, text) !== undefined, isIn));
  }
});
