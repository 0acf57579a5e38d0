/** Dozens of resources that come and go. Whether others wait for them is in `many-live-resources.timing.test.ts`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { groupOf, serveOne, start } from './many-live-fixture.ts';

const COUNT = 20;

test('resources that come one by one are found and documented, and gone when they go', async (t) => {
  const { server, ask } = await start(t, COUNT);
  const last = new RegExp(`"resource":"things${COUNT - 1}"`);
  for (let number = 0; number < COUNT; number += 1) {
    serveOne(server, number);
    await setImmediate(); // they come one by one, as events of a watch
  }
  assert.match(await ask('/apis'), last);
  await server.clock.advance(2000);
  for (const path of ['/openapi/v3', `/openapi/v3/apis/${groupOf(COUNT - 1)}/v1`, '/openapi/v2']) {
    await ask(path);
  }
  for (let number = 0; number < COUNT; number += 1) {
    server.live.stop(`thing-${number}`);
    await setImmediate();
  }
  assert.doesNotMatch(await ask('/apis'), last);
  assert.deepEqual(server.bugs, []);
});
