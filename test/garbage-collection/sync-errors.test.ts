/** Whoever looks at the figures of a control plane sees that its collector is blind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CoreExtension } from '../../packages/core-server/src/core-extension.ts';
import { startTestCore, type TestCore } from '../../packages/core-server/test/core-fixture.ts';

const FIGURE = /^garbagecollector_controller_resources_sync_error_total (\d+)$/m;
const WITHIN_MS = 10_000;

const withoutDiscovery: CoreExtension = {
  apis: [],
  routes: [
    ({ path }) => {
      if (path === '/apis') throw new Error('nobody knows what is served');
      return undefined;
    },
  ],
  start: async () => {},
  close: async () => {},
};

test('the errors of the collector are among the figures of a server', async (t) => {
  await t.test('none while it knows what is served', async () => {
    await using core = await startTestCore();
    assert.equal(await syncErrors(core), 0);
  });

  await t.test('one for each time that discovery fails', async () => {
    await using core = await startTestCore({ config: { extend: () => withoutDiscovery } });
    const deadlineMs = performance.now() + WITHIN_MS;
    while ((await syncErrors(core)) === 0 && performance.now() < deadlineMs) await sleep(20);
    // The next look is half a minute later.
    assert.equal(await syncErrors(core), 1);
    assert.match(core.problems.join('\n'), /The garbage collector does not know what is served/);
  });
});

async function syncErrors({ admin }: TestCore): Promise<number> {
  const { body } = await admin.transport.request('GET', '/metrics');
  const [, count] = FIGURE.exec(Buffer.from(body).toString()) ?? [];
  assert.ok(count !== undefined, 'the figure is there');
  return Number(count);
}
