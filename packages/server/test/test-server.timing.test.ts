/** A test server starts at once, because slow servers lead to fewer tests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leastMs } from '../../../test/harness/index.ts';
import { slowness } from '../../cel/test/thread-time.ts';
import { startTestServer } from '../src/testing/index.ts';
import { everything } from './everything-api.ts';

const START_MS_MAX = 50;
/** 2 ms on a quiet machine. */
const RESET_MS_MAX = 20;

/** The duration on a machine of the usual speed. */
async function measured(run: () => Promise<void>): Promise<number> {
  const factor = slowness();
  const startMs = performance.now();
  await run();
  return (performance.now() - startMs) / Math.max(factor, slowness());
}

test('it starts faster than anybody waits', async () => {
  const start = async () => (await startTestServer(everything)).close();
  await start(); // all code is loaded then
  const least = await leastMs(START_MS_MAX, () => measured(start));
  assert.ok(least < START_MS_MAX, `a start took ${least} ms`);
});

test('it resets faster than anybody waits', async (t) => {
  const server = await startTestServer(everything);
  t.after(() => server.close());
  const least = await leastMs(RESET_MS_MAX, () => measured(() => server.reset()));
  assert.ok(least < RESET_MS_MAX, `a reset took ${least} ms`);
});
