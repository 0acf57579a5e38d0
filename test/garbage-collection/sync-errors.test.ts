/** The metrics of a control plane show that its garbage collector has no watch. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoreExtension } from '../../packages/core-server/src/assembly/core-extension.ts';
import { startTestCore, type TestCore } from '../../packages/core-server/test/core-fixture.ts';
import { eventually } from '../harness/index.ts';

const LOGGED = /Garbage collector discovery failed/;
const FIGURE = /^garbagecollector_controller_resources_sync_error_total (\d+)$/m;

const withoutDiscovery: CoreExtension = {
  apis: () => [],
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
    const isCounted = async () => {
      const count = await syncErrors(core);
      return count > 0 && count === core.problems.filter((line) => LOGGED.test(line)).length;
    };
    await eventually('each error that is logged is counted', isCounted);
  });
});

async function syncErrors({ admin }: TestCore): Promise<number> {
  const { body } = await admin.transport.request('GET', '/metrics');
  const [, count] = FIGURE.exec(Buffer.from(body).toString()) ?? [];
  assert.ok(count !== undefined, 'the figure is there');
  return Number(count);
}
