import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Client, createClient } from '@tributary/client';
import { startTestServer } from '@tributary/server/testing';
import { eventually, VirtualClock } from '../../../../test/harness/index.ts';
import { everything } from '../../../server/test/everything-api.ts';
import { silentLog } from '../../../server/test/log-fixture.ts';
import { whenReady } from './when-ready.ts';

async function clientOfServer(t: TestContext, check: () => string | undefined): Promise<Client> {
  const healthChecks = [{ name: 'a-hook', endpoints: ['readyz'] as const, check }];
  const server = await startTestServer(everything, { healthChecks });
  t.after(() => server.close());
  const { url, ca, token } = await server.listen();
  const client = createClient({
    server: url,
    ca: { pem: ca },
    identity: { authorization: { kind: 'token', token } },
    namespace: 'default',
  });
  t.after(() => client.close());
  return client;
}

const never = new Promise<void>(() => {});

test('a server is ready when its last check passes, and what takes long is named', async (t) => {
  let isDone = false;
  const client = await clientOfServer(t, () => (isDone ? undefined : 'not finished'));
  const { log, lines } = silentLog();
  const clock = new VirtualClock();
  let responded: boolean | undefined;
  const waiting = whenReady(client, { log, stopped: never, clock }).then((isReady) => {
    responded = isReady;
  });
  /** Returns when it has looked and pauses until it looks again. */
  const pauses = () => eventually('it pauses', () => clock.pending > 0, { everyMs: 0 });
  await pauses();
  await clock.advance(9_000);
  await pauses();
  assert.deepEqual(lines, [], 'it has not taken long yet');
  await clock.advance(1_000);
  await pauses();
  assert.equal(responded, undefined, 'a check still fails');
  assert.match(String(lines[0]), /Not ready yet.*a-hook/);
  isDone = true;
  await clock.advance(1_000);
  await waiting;
  assert.equal(responded, true);
});

test('who is told to stop does not wait any longer', async (t) => {
  const asked = Promise.withResolvers<void>();
  const client = await clientOfServer(t, () => {
    asked.resolve();
    return 'not finished';
  });
  const options = { log: silentLog().log, stopped: asked.promise, clock: new VirtualClock() };
  assert.equal(await whenReady(client, options), false);
});
