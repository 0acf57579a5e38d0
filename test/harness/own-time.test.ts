import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMs, leastMs, ownTime } from './own-time.ts';

/** Keeps this thread computing. */
function compute(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('what is computed counts', () => {
  assert.ok(cpuMs(() => compute(200)) > 20);
  assert.ok(cpuMs(() => {}) < 20);
});

test('waiting counts', async () => {
  const time = ownTime();
  await sleep(200);
  // Timers that come late do not count, and on a busy machine many do.
  assert.ok(time.elapsedMs() > 20);
  time.close();
});

test('a loop that is blocked by its own work counts', () => {
  const time = ownTime();
  compute(300);
  assert.ok(time.elapsedMs() > 50);
  time.close();
});

test('a process that is not let does not count', async () => {
  const time = ownTime();
  const script = `sleep 0.05; kill -STOP ${process.pid}; sleep 0.5; kill -CONT ${process.pid}`;
  const startMs = performance.now();
  await once(spawn('sh', ['-c', script]), 'exit');
  const wallMs = performance.now() - startMs;
  assert.ok(wallMs > 500);
  assert.ok(time.elapsedMs() < wallMs - 400, `${time.elapsedMs()} of ${wallMs} ms`);
  time.close();
});

const rounds = [
  { name: 'the first is within the bound', times: [3, 90], want: [3, 1] },
  { name: 'something came into the first', times: [70, 4, 90], want: [4, 2] },
  { name: 'it is slow every time', times: [70, 60, 80, 90, 75, 1], want: [60, 5] },
];
for (const { name, times, want } of rounds) {
  test(`the least of some rounds: ${name}`, async () => {
    let count = 0;
    const least = await leastMs(50, (round) => {
      assert.equal(round, count);
      count += 1;
      return times[round] ?? 0;
    });
    assert.deepEqual([least, count], want);
  });
}
