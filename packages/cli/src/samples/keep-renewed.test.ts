import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../../test/harness/index.ts';
import { keepRenewed } from './keep-renewed.ts';

const MINUTE_MS = 60_000;

test('is renewed in time, and tried again when that fails, until it is over', async () => {
  const clock = new VirtualClock();
  const startMs = clock.nowMs();
  const stop = new AbortController();
  const renewedAt: number[] = [];
  const failures: unknown[] = [];
  const renewing = keepRenewed(
    async () => {
      renewedAt.push((clock.nowMs() - startMs) / MINUTE_MS);
      if (renewedAt.length === 2) throw new Error('not now');
      return { expiresAtMs: clock.nowMs() + 60 * MINUTE_MS };
    },
    {
      expiresAtMs: startMs + 10 * MINUTE_MS,
      clock,
      onFailed: (error) => failures.push(error),
      signal: stop.signal,
    },
  );
  for (let step = 0; step < 240; step += 1) await clock.advance(MINUTE_MS / 2);
  assert.deepEqual(renewedAt, [8, 56, 56.5, 104.5]);
  assert.deepEqual(failures.map(String), ['Error: not now']);
  stop.abort(new Error('over'));
  await assert.rejects(renewing, /over/);
});
