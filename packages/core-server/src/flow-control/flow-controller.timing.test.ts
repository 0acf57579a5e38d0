import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessInfo, UserInfo } from '@tributary/server';
import { manualClock } from '@tributary/storage';
import { leastMs } from '../../../../test/harness/index.ts';
import { bootstrapObjects } from './bootstrap-objects.ts';
import { FlowController } from './flow-controller.ts';

const REQUESTS = 10_000;
/** About a microsecond each, with an order of magnitude of room for slower machines. */
const BOUND_MS = REQUESTS / 100;

test('classifying a request takes about a microsecond', async (t) => {
  const controller = new FlowController({ clock: manualClock(), seats: 600 });
  const { levels, schemas } = bootstrapObjects();
  for (const one of levels) controller.putLevel(one);
  for (const one of schemas) controller.putSchema(one);
  const user: UserInfo = { name: 'mary', uid: '', groups: ['system:authenticated'], extra: {} };
  const infos = ['pods', 'services', 'secrets'].map(infoOf);
  const run = (count: number): void => {
    for (let at = 0; at < count; at += 1) {
      const info = infos[at % infos.length] ?? infoOf('pods');
      controller.classify({ user, info }).tryTake()?.release();
    }
  };
  run(2 * REQUESTS);
  const ms = await leastMs(BOUND_MS, () => {
    const startMs = performance.now();
    run(REQUESTS);
    return performance.now() - startMs;
  });
  t.diagnostic(`${((ms * 1000) / REQUESTS).toFixed(2)} µs for a seat and back`);
  assert.ok(ms < BOUND_MS, `${ms} ms for ${REQUESTS} requests`);
});

function infoOf(resource: string): AccessInfo {
  return {
    isResourceRequest: true,
    verb: 'list',
    path: '',
    group: '',
    version: 'v1',
    namespace: 'eu',
    resource,
    subresource: '',
    name: '',
    fieldSelector: '',
    labelSelector: '',
  };
}
