/** How soon a server is known to be down or up, and what servers that are down cost. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, freePort, ownTime } from '../../../../test/harness/index.ts';
import {
  broken,
  kill,
  look,
  name,
  registration,
  startServer,
} from '../../test/real-server-fixture.ts';
import { remoteServer } from '../../test/service-objects.ts';

/** How long it takes until it is so. */
async function until(isSo: () => boolean): Promise<number> {
  using time = ownTime();
  await eventually('it comes about', isSo, { withinMs: 60_000 });
  return time.elapsedMs();
}

test('a server that is killed is down within a second, and up within another when it is back', async (t) => {
  const port = await freePort();
  let server = await startServer(t, port);
  const { availability, request } = await look(t, port);
  await until(() => availability.stateOf(name)?.status === 'True');
  assert.equal(await request(), 200);
  for (let round = 0; round < 2; round += 1) {
    await kill(server);
    await assert.rejects(request());
    const downMs = await until(() => availability.refusal(name) !== undefined);
    assert.ok(downMs < 1_000, `down after ${downMs} ms`);
    assert.match(availability.refusal(name)?.message ?? '', /connection refused/);
    await sleep(700);
    server = await startServer(t, port);
    const upMs = await until(() => availability.refusal(name) === undefined);
    assert.ok(upMs < 1_000, `up after ${upMs} ms`);
    assert.equal(await request(), 200);
  }
});

test('a server that freezes is down within five seconds, and up within one when it goes on', async (t) => {
  const port = await freePort();
  const server = await startServer(t, port);
  const { availability, request } = await look(t, port);
  await until(() => availability.stateOf(name)?.status === 'True');
  assert.equal(await request(), 200);
  server.kill('SIGSTOP');
  t.after(() => server.kill('SIGCONT'));
  const waiting = request();
  const downMs = await until(() => availability.refusal(name) !== undefined);
  assert.ok(downMs <= 5_000, `down after ${downMs} ms`);
  assert.match(availability.refusal(name)?.message ?? '', /^timed out waiting for https:/);
  await sleep(2_000);
  server.kill('SIGCONT');
  const upMs = await until(() => availability.refusal(name) === undefined);
  assert.ok(upMs < 1_000, `up after ${upMs} ms`);
  assert.equal(await waiting, 200);
});

for (const { what, server, ca } of broken) {
  test(`a server that fails by ${what} is down within a second`, async (t) => {
    const port = await freePort();
    await startServer(t, port, server);
    const remote = remoteServer({ caBundle: ca });
    const { availability } = await look(t, port, [{ ...registration, remote }]);
    const downMs = await until(() => availability.refusal(name) !== undefined);
    assert.ok(downMs < 1_000, `down after ${downMs} ms`);
  });
}

for (const how of ['dead', 'frozen'] as const) {
  test(`fifty servers that are ${how} cost next to nothing`, async (t) => {
    const port = await freePort();
    const server = await startServer(t, port);
    if (how === 'dead') await kill(server);
    else server.kill('SIGSTOP');
    t.after(() => server.kill('SIGCONT'));
    const all = Array.from({ length: 50 }, (_, at) => ({
      ...registration,
      name: `v1.group-${at}`,
      uid: `uid-${at}`,
    }));
    const { availability } = await look(t, port, all);
    await until(() => all.every((one) => availability.stateOf(one.name)?.status === 'False'));
    await sleep(3_000);
    const before = process.cpuUsage();
    const beganMs = performance.now();
    await sleep(4_000);
    const { user, system } = process.cpuUsage(before);
    const share = (user + system) / 1000 / (performance.now() - beganMs);
    t.diagnostic(`${(share * 100).toFixed(2)} % of a processor`);
    // The aim is 2 %; a busy machine counts some of its own trouble here.
    assert.ok(share < 0.05, `${share * 100} %`);
  });
}
