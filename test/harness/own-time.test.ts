import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leastMs } from './own-time.ts';

const rounds = [
  { name: 'the first is within the bound', times: [3, 90], want: [3, 1] },
  { name: 'something interrupts the first', times: [70, 4, 90], want: [4, 2] },
  { name: 'it is slow every time', times: [70, 60, 80, 90, 75, 1], want: [60, 5] },
];
for (const { name, times, want } of rounds) {
  test(`the best of N runs: ${name}`, async () => {
    let count = 0;
    const least = await leastMs(50, (round) => {
      assert.equal(round, count);
      count += 1;
      return times[round] ?? 0;
    });
    assert.deepEqual([least, count], want);
  });
}
