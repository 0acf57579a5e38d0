import assert from 'node:assert/strict';
import test from 'node:test';
import { eventually, freePort } from '../../../../test/harness/index.ts';
import {
  broken,
  kill,
  look,
  name,
  registration,
  startServer,
} from '../../test/real-server-fixture.ts';
import { remoteServer } from '../../test/service-objects.ts';

test('a server that is killed, and comes back', async (t) => {
  const port = await freePort();
  let server = await startServer(t, port);
  const { availability, request } = await look(t, port);
  await eventually('it is known', () => availability.stateOf(name)?.status === 'True');
  assert.equal(await request(), 200);
  for (let round = 0; round < 2; round += 1) {
    await kill(server);
    await assert.rejects(request());
    await eventually('it is down', () => availability.refusal(name) !== undefined);
    assert.match(availability.refusal(name)?.message ?? '', /connection refused/);
    server = await startServer(t, port);
    await eventually('it is up', () => availability.refusal(name) === undefined);
    assert.equal(await request(), 200);
  }
});

test('a server that freezes, and goes on', async (t) => {
  const port = await freePort();
  const server = await startServer(t, port);
  const { availability, request } = await look(t, port);
  await eventually('it is known', () => availability.stateOf(name)?.status === 'True');
  assert.equal(await request(), 200);
  server.kill('SIGSTOP');
  t.after(() => server.kill('SIGCONT'));
  const waiting = request();
  await eventually('it is down', () => availability.refusal(name) !== undefined);
  assert.match(availability.refusal(name)?.message ?? '', /^timed out waiting for https:/);
  server.kill('SIGCONT');
  await eventually('it is up', () => availability.refusal(name) === undefined);
  assert.equal(await waiting, 200);
});

for (const { what, server, ca, want } of broken) {
  test(`a server that fails by ${what}`, async (t) => {
    const port = await freePort();
    await startServer(t, port, server);
    const remote = remoteServer({ caBundle: ca });
    const { availability } = await look(t, port, [{ ...registration, remote }]);
    await eventually('it is down', () => availability.refusal(name) !== undefined);
    assert.equal(availability.refusal(name)?.reason, 'FailedDiscoveryCheck');
    assert.match(availability.refusal(name)?.message ?? '', want);
  });
}
