import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { numberPool } from './number-pool.ts';

const bounds = { first: 1n, last: 10n, reserved: 4n };

describe('pick', () => {
  test('prefers numbers that are not reserved', () => {
    const pool = numberPool({ ...bounds, random: (bound) => bound - 1n });
    const picked: bigint[] = [];
    for (;;) {
      const number = pool.pick();
      if (number === undefined) break;
      pool.allocate(number, 'a');
      picked.push(number);
    }
    assert.deepEqual(picked.slice(0, 6), [10n, 5n, 6n, 7n, 8n, 9n]);
    assert.deepEqual(picked.slice(6).sort(), [1n, 2n, 3n, 4n]);
  });

  test('returns every free number at random', () => {
    const seen = new Set<bigint>();
    const pool = numberPool({ ...bounds, reserved: 0n });
    for (let round = 0; round < 1000; round += 1) seen.add(pool.pick() ?? 0n);
    assert.equal(seen.size, 10);
  });

  test('does not allocate the number', () => {
    const pool = numberPool({ ...bounds, random: () => 0n });
    assert.equal(pool.pick(), 5n);
    assert.equal(pool.pick(), 5n);
    assert.equal(pool.isAllocated(5n), false);
  });

  test('skips excluded numbers', () => {
    const pool = numberPool({ ...bounds, random: () => 0n });
    assert.equal(pool.pick(new Set([5n, 6n])), 7n);
  });

  test('finds the only free number of a large pool', () => {
    const pool = numberPool({ first: 0n, last: 9_999n, reserved: 0n });
    for (let number = 0n; number < 10_000n; number += 1n) {
      if (number !== 7_777n) pool.allocate(number, 'a');
    }
    assert.equal(pool.pick(), 7_777n);
    pool.allocate(7_777n, 'a');
    assert.equal(pool.pick(), undefined);
  });

  test('works with ranges beyond safe integers', () => {
    const pool = numberPool({ first: 1n, last: 2n ** 64n, reserved: 256n });
    assert.ok((pool.pick() ?? 0n) > 256n);
  });
});

test('only the owner releases a number', () => {
  const pool = numberPool(bounds);
  pool.allocate(5n, 'a');
  pool.allocate(5n, 'b');
  pool.release(5n, 'a');
  assert.equal(pool.isAllocated(5n), true);
  pool.release(5n, 'b');
  assert.equal(pool.isAllocated(5n), false);
});

test('an avoided number is skipped for ten seconds', () => {
  let nowMs = 0;
  const pool = numberPool({
    first: 1n,
    last: 2n,
    reserved: 0n,
    random: () => 0n,
    nowMs: () => nowMs,
  });
  pool.avoid(1n);
  assert.equal(pool.pick(), 2n);
  pool.avoid(2n);
  assert.equal(pool.pick(), undefined);
  nowMs = 10_000;
  assert.equal(pool.pick(), 1n);
});
