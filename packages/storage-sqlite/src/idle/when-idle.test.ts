import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '@tributary/storage';
import { whenIdle } from './when-idle.ts';

const cases = [
  { name: 'never runs in a busy thread', shares: '0.5 0.06 0.5 0.05 1', runs: [] },
  { name: 'runs after three idle seconds', shares: '0.5 0.01 0 0.04', runs: [4] },
  { name: 'runs once in a longer idle period', shares: '0 0 0 0 0 0 0 0', runs: [3] },
  { name: 'runs again after work in between', shares: '0 0 0.9 0 0 0 0.2 0 0 0', runs: [6, 10] },
];

for (const { name, shares, runs } of cases) {
  test(name, () => {
    const clock = manualClock();
    const seconds = shares.split(' ').map(Number);
    const ran: number[] = [];
    let at = 0;
    const stop = whenIdle(() => ran.push(at), {
      clock,
      workShare: () => {
        at += 1;
        return seconds[at - 1] ?? 1;
      },
    });
    clock.advance(seconds.length * 1000);
    assert.deepEqual(ran, runs);
    assert.equal(at, seconds.length);
    stop();
    clock.advance(10_000);
    assert.equal(at, seconds.length, 'no further poll');
  });
}
