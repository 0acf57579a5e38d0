import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrorText, root } from '@tributary/apimachinery';
import { costMessage, TotalCost, timesCost } from './rule-cost.ts';

const factors = [
  { cost: 10_000_001n, want: '1.000000x' },
  { cost: 11_234_567n, want: '1.123457x' },
  { cost: 14_999_999n, want: '1.500000x' },
  { cost: 15_000_000n, want: '1.5x' },
  { cost: 22_500_000n, want: '2.2x' },
  { cost: 999_900_000n, want: '100.0x' },
  { cost: 1_000_000_000n, want: '100.0x' },
  { cost: 1_000_000_001n, want: 'more than 100x' },
];

for (const { cost, want } of factors) {
  test(`${cost} is ${want}`, () => {
    const text = costMessage('estimated rule cost', cost, 10_000_000n);
    assert.ok(
      text.startsWith(`estimated rule cost exceeds budget by factor of ${want} (try`),
      text,
    );
  });
}

test('costs saturate at 64 bits', () => {
  assert.equal(timesCost(2n ** 63n, 4n), 2n ** 64n - 1n);
  assert.equal(timesCost(0n, 2n ** 64n), 0n);
});

test('an exceeded total cost names the four most expensive rules', () => {
  const total = new TotalCost();
  for (const [index, cost] of [5n, 9n, 40n, 1n, 30n, 20n].entries()) {
    total.add(root(`rule${index}`), cost * 1_000_000n);
  }
  const texts = total.errors(root('schema')).map(fieldErrorText);
  assert.deepEqual(
    texts.map((text) => text.split(':')[0]),
    ['rule2', 'rule4', 'rule5', 'rule1', 'schema'],
  );
  assert.match(texts.at(-1) ?? '', /factor of 1\.050000x/);
});

test('a total cost within the limit has no errors', () => {
  const total = new TotalCost();
  total.add(root('rule'), 100_000_000n);
  assert.deepEqual(total.errors(root('schema')), []);
});
