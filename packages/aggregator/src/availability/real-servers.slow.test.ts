import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@tributary/client';
import {
  createAuthority,
  freePort,
  logShows,
  ownTime,
  type StartedProcess,
  startProcess,
  VirtualClock,
} from '../../../../test/harness/index.ts';
import { silentLog } from '../../../server/test/log-fixture.ts';
import { apiServiceOf, handRegistrations, handStore } from '../../test/availability-fixture.ts';
import { remoteRegistration, remoteServer } from '../../test/service-objects.ts';
import { openBackends } from '../backend/open-backends.ts';
import type { RemoteRegistration } from '../registrations/registration.ts';
import { type RunningAvailability, startAvailability } from './start-availability.ts';

const SERVER_NAME = 'api.wardle.svc';
const PROGRAM = fileURLToPath(new URL('../../test/discovery-server.ts', import.meta.url));
const authority = createAuthority('servers');
const registration = remoteRegistration({ remote: remoteServer({ caBundle: authority.cert }) });
const { name } = registration;

function startServer(t: test.TestContext, port: number, certificateFor = SERVER_NAME) {
  const { cert, key } = authority.issue({
    commonName: certificateFor,
    names: [certificateFor],
    usage: 'server',
  });
  return startProcess(t, {
    command: process.execPath,
    args: [PROGRAM],
    env: { PORT: String(port), CERT: cert, KEY: key },
    name: 'discovery-server',
    ready: logShows(/listening/),
  });
}

async function kill(server: StartedProcess): Promise<void> {
  server.kill('SIGKILL');
  await server.exited;
}

/** Real connections and the real time; only what is registered and written is moved by hand. */
async function look(
  t: test.TestContext,
  port: number,
  registered: readonly RemoteRegistration[] = [registration],
) {
  const registrations = handRegistrations();
  const store = await handStore(new VirtualClock());
  for (const one of registered) {
    await store.hand.put(apiServiceOf(one));
    registrations.put(one);
  }
  const find = () => ({ targets: [{ host: '127.0.0.1', port, serverName: SERVER_NAME }] });
  const backends = openBackends({
    findTargets: find,
    identity: () => undefined,
    hearEvidence: (of, evidence) => availability.hearEvidence(of, evidence),
    clock: systemClock,
  });
  const availability: RunningAvailability = startAvailability({
    registrations,
    targets: { find, follow: () => () => {} },
    backends,
    apiServices: store.hand.informer,
    writeStatus: store.writer('one'),
    clock: systemClock,
    log: silentLog().log,
  });
  t.after(async () => {
    await availability.close();
    await backends.close();
    await store.hand.informer.close();
  });
  /** An ordinary request, as the proxy sends it: only where nothing speaks against it. */
  const request = async (): Promise<number | undefined> => {
    if (availability.refusal(name) !== undefined) return undefined;
    const answer = await backends.of(registration).send({
      method: 'GET',
      path: '/apis/wardle.example.com/v1alpha1/flunders',
      headers: [],
      body: undefined,
      signal: AbortSignal.timeout(10_000),
      use: 'request',
    });
    answer.cancel();
    return answer.status;
  };
  return { availability, request };
}

/** How long it takes until it is so; a minute is for ever. */
async function until(isSo: () => boolean): Promise<number> {
  const beganMs = performance.now();
  using time = ownTime();
  while (!isSo()) {
    assert.ok(performance.now() - beganMs < 60_000, 'it never came about');
    await sleep(10);
  }
  return time.elapsedMs();
}

test('a server that is killed, and comes back', async (t) => {
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

test('a server that freezes, and goes on', async (t) => {
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

const broken = [
  {
    what: 'the name in its certificate',
    server: 'other.wardle.svc',
    ca: authority.cert,
    want: /other\.wardle\.svc/,
  },
  {
    what: 'who signed its certificate',
    server: SERVER_NAME,
    ca: createAuthority('others').cert,
    want: /sign|issuer|authority/i,
  },
  {
    what: 'a caBundle that is none',
    server: SERVER_NAME,
    ca: 'garbage',
    want: /unable to parse bytes as PEM block/,
  },
];
for (const { what, server, ca, want } of broken) {
  test(`a server that fails by ${what}`, async (t) => {
    const port = await freePort();
    await startServer(t, port, server);
    const remote = remoteServer({ caBundle: ca });
    const { availability } = await look(t, port, [{ ...registration, remote }]);
    const downMs = await until(() => availability.refusal(name) !== undefined);
    assert.ok(downMs < 1_000, `down after ${downMs} ms`);
    assert.equal(availability.refusal(name)?.reason, 'FailedDiscoveryCheck');
    assert.match(availability.refusal(name)?.message ?? '', want);
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
