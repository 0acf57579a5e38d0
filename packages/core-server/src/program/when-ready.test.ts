import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '@tributary/client';
import { startTestServer } from '@tributary/server/testing';
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
  let answered: boolean | undefined;
  const waiting = whenReady(client, { log, stopped: never, sayEveryMs: 20 }).then((isReady) => {
    answered = isReady;
  });
  while (lines.length === 0) await sleep(5);
  assert.equal(answered, undefined, 'a check still fails');
  assert.match(String(lines[0]), /Not ready yet.*a-hook/);
  isDone = true;
  await waiting;
  assert.equal(answered, true);
});

test('who is told to stop does not wait any longer', async (t) => {
  const client = await clientOfServer(t, () => 'not finished');
  const stopped = sleep(30);
  assert.equal(await whenReady(client, { log: silentLog().log, stopped }), false);
});
