import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMs, ownTime } from './own-time.ts';

/** Blocks this thread with a computation. */
function compute(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('computing counts', () => {
  assert.ok(cpuMs(() => compute(200)) > 20);
  assert.ok(cpuMs(() => {}) < 20);
});

test('waiting counts', async () => {
  const time = ownTime();
  await sleep(200);
  // Late timers do not count, and on a busy machine many are late.
  assert.ok(time.elapsedMs() > 20);
  time.close();
});

test('a loop that is blocked by its own work counts', () => {
  const time = ownTime();
  compute(300);
  assert.ok(time.elapsedMs() > 50);
  time.close();
});

test('time in which the process is stopped does not count', async () => {
  const time = ownTime();
  const script = `sleep 0.05; kill -STOP ${process.pid}; sleep 0.5; kill -CONT ${process.pid}`;
  const startMs = performance.now();
  await once(spawn('sh', ['-c', script]), 'exit');
  const wallMs = performance.now() - startMs;
  assert.ok(wallMs > 500);
  assert.ok(time.elapsedMs() < wallMs - 400, `${time.elapsedMs()} of ${wallMs} ms`);
  time.close();
});
