import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadUp } from './load-up.ts';

test('from sources, a server that answers writes no compiled code: that would take seconds in one go', async () => {
  const { keepCodeAfterMs } = await loadUp();
  assert.equal(keepCodeAfterMs, undefined);
});
