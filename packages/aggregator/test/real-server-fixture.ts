/** Availability of real servers, each a process: they are killed and frozen. */
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@tributary/client';
import { openBackends } from '@tributary/proxy';
import {
  createAuthority,
  logShows,
  type StartedProcess,
  startProcess,
  VirtualClock,
} from '../../../test/harness/index.ts';
import { silentLog } from '../../server/test/log-fixture.ts';
import type { RemoteRegistration } from '../src/api-services/registration.ts';
import {
  type RunningAvailability,
  startAvailability,
} from '../src/availability/start-availability.ts';
import { apiServiceOf, handRegistrations, handStore } from './availability-fixture.ts';
import { remoteRegistration, remoteServer } from './service-objects.ts';

export const SERVER_NAME = 'api.wardle.svc';
const PROGRAM = fileURLToPath(new URL('./discovery-server.ts', import.meta.url));
export const authority = createAuthority('servers');
export const registration = remoteRegistration({
  remote: remoteServer({ caBundle: authority.cert }),
});
export const { name } = registration;

export function startServer(t: TestContext, port: number, certificateFor = SERVER_NAME) {
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

export async function kill(server: StartedProcess): Promise<void> {
  server.kill('SIGKILL');
  await server.exited;
}

/** Real connections and the real time; only what is registered and written is moved by hand. */
export async function look(
  t: TestContext,
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
    onEvidence: (of, evidence) => availability.onEvidence(of, evidence),
    clock: systemClock,
  });
  const availability: RunningAvailability = startAvailability({
    registrations,
    targets: { find, onChange: () => () => {} },
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
    const respond = await backends.of(registration).send({
      method: 'GET',
      path: '/apis/wardle.example.com/v1alpha1/flunders',
      headers: [],
      body: undefined,
      signal: AbortSignal.timeout(60_000),
      use: 'request',
    });
    respond.cancel();
    return respond.status;
  };
  return { availability, request };
}

/** Faults between a server and its registration, and their messages. */
export const broken = [
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
