/** How soon an extension server is well after its core has come, or come back. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { eventually, leastMs } from '../../../test/harness/index.ts';
import { type Extension, isReady, startExtension, startedCore } from './extension-fixture.ts';
import { miniCore } from './mini-core.ts';
import { forecasts } from './server-fixture.ts';

const WELL_WITHIN_MS = 1_000;

async function measured(what: string, look: () => Promise<boolean>): Promise<number> {
  const startMs = performance.now();
  await eventually(what, look);
  return performance.now() - startMs;
}

const ready = (extension: Extension) => measured('it is ready', () => isReady(extension));

async function readyAfterStart(t: TestContext): Promise<number> {
  const core = await miniCore(t);
  const extension = await startExtension(t, core);
  assert.equal(await isReady(extension), false);
  await core.start();
  return ready(extension);
}

async function wellAfterReturn(t: TestContext): Promise<number> {
  const core = await startedCore(t);
  const extension = await startExtension(t, core);
  await ready(extension);
  core.tokens.set('other', { username: 'alice' });
  const code = async () => (await extension.ask(forecasts, { token: 'other' })).status;
  await core.stop();
  assert.equal(await code(), 401);
  await core.start();
  return measured('tokens are reviewed again', async () => (await code()) === 200);
}

for (const { name, run } of [
  { name: 'its core comes', run: readyAfterStart },
  { name: 'its core comes back', run: wellAfterReturn },
]) {
  test(`an extension server is well within a second after ${name}`, async (t) => {
    const least = await leastMs(WELL_WITHIN_MS, () => run(t));
    assert.ok(least < WELL_WITHIN_MS, `it took ${least} ms`);
  });
}
