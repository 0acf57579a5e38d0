/** How soon a registration and its faults are visible. Their messages are in lifecycle.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyKubectl, eventually, ownTime, skipOrFail } from '../harness/index.ts';
import { must } from './gateway-program.ts';
import { NAME, registrationFaults, runnerOf } from './lifecycle-faults.ts';
import {
  APISERVICES,
  apiService,
  apiServicePath,
  GROUP,
  startPublished,
  untilReason,
} from './registration-objects.ts';

const VISIBLE_MS = 1_000;
const version = 'v1alpha1';

test(`a registration, its faults and its end are visible within ${VISIBLE_MS} ms`, async (t) => {
  const kubectl = await anyKubectl();
  if (kubectl === undefined) return skipOrFail(t, 'no kubectl');
  const { gateway, authority, wardle } = await startPublished(t);
  const run = runnerOf(kubectl, gateway);
  const visible = async (what: string, isVisible: () => Promise<unknown>): Promise<void> => {
    using time = ownTime();
    await isVisible();
    const ms = time.elapsedMs();
    t.diagnostic(`${what}: ${Math.round(ms)} ms`);
    assert.ok(ms < VISIBLE_MS, `${what}: ${ms} ms`);
  };
  const says = (reason: string) => (): Promise<unknown> =>
    untilReason(gateway, { version, reason });

  await must(gateway.send('POST', APISERVICES, apiService({ version, ca: authority.cert })));
  await visible('registered', says('Passed'));
  for (const fault of await registrationFaults(t, { authority, wardle })) {
    await fault.breaks(run);
    await visible(fault.name, says(fault.reason));
    await fault.repairs(run);
    await visible(`${fault.name}, repaired`, says('Passed'));
  }
  await must(gateway.send('DELETE', apiServicePath(version)));
  await visible(`${NAME} is gone`, () =>
    eventually('/apis is without it', async () => {
      const { body } = await gateway.ask('/apis');
      return !body.includes(GROUP);
    }),
  );
});
