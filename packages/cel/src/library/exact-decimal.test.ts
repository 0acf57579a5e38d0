import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toFixedExactly, toScientificExactly } from './exact-decimal.ts';

const fixed = [
  { value: 0.125, digits: 2, want: '0.12' },
  { value: 0.375, digits: 2, want: '0.38' },
  { value: 1.005, digits: 2, want: '1.00' },
  { value: 2.5, digits: 0, want: '2' },
  { value: 3.5, digits: 0, want: '4' },
  { value: -0.001, digits: 2, want: '-0.00' },
  { value: 1e22, digits: 1, want: '10000000000000000000000.0' },
  { value: 5e-324, digits: 3, want: '0.000' },
  { value: 0.1, digits: 25, want: '0.1000000000000000055511151' },
];
for (const { value, digits, want } of fixed) {
  test(`${value} with ${digits} digits`, () => assert.equal(toFixedExactly(value, digits), want));
}

const scientific = [
  { value: 0, want: '0.000000 0' },
  { value: 1234566.5, want: '1.234566 6' },
  { value: 1234567.5, want: '1.234568 6' },
  { value: 9.9999999, want: '1.000000 1' },
  { value: 1e-300, want: '1.000000 -300' },
  { value: -2.5, want: '2.500000 0' },
];
for (const { value, want } of scientific) {
  test(`${value} with an exponent`, () => {
    const { mantissa, exponent } = toScientificExactly(value, 6);
    assert.equal(`${mantissa} ${exponent}`, want);
  });
}
