/** The inputs of discovery, controlled by a test: faulty servers, registrations, and availability. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { defaultBackendLimits } from '@tributary/proxy';
import { createAuthority } from '@tributary/server/pki';
import { defer, eventually } from '../../../test/harness/index.ts';
import type { Registration, RemoteRegistration } from '../src/api-services/registration.ts';
import type { Availability } from '../src/availability/availability.ts';
import type { DocumentStore, StoredDocument } from '../src/document-store/document-store.ts';
import type {
  RegistrationListener,
  RegistrationSnapshot,
  Registrations,
} from '../src/registrations/registrations.ts';

const authority = createAuthority('discovery-test');
const serving = authority.issue({ commonName: 'test', names: ['localhost'], usage: 'server' });

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

export interface LyingServer {
  readonly url: URL;
  readonly ca: string;
  behave: Behaviour;
  /** `GET /apis` and so on, as they came. */
  readonly seen: { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  stop(): Promise<void>;
}

/** TLS, on a port of its own. */
export async function lyingServer(
  t: TestContext,
  behave: Behaviour,
  port = 0,
): Promise<LyingServer> {
  const seen: LyingServer['seen'] = [];
  const server = createServer({ cert: serving.cert, key: serving.key }, (request, response) => {
    seen.push({ path: request.url ?? '', headers: request.headers });
    made.behave(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  const url = new URL(`https://localhost:${(server.address() as AddressInfo).port}`);
  const made: LyingServer = { url, ca: authority.cert, behave, seen, stop };
  defer(t, stop);
  return made;
}

export interface TestRegistrations extends Registrations {
  put(registration: Registration): void;
  remove(name: string): void;
}

export function testRegistrations(): TestRegistrations {
  const all = new Map<string, Registration>();
  const listeners = new Set<RegistrationListener>();
  const snapshot = (): RegistrationSnapshot => {
    const now = new Map(all);
    return {
      all: [...now.values()],
      byName: (name) => now.get(name),
      byGroupVersion: (group, version) => now.get(`${version}.${group}`),
    };
  };
  let current = snapshot();
  return {
    get current() {
      return current;
    },
    onChange(onChange) {
      listeners.add(onChange);
      for (const one of all.values()) onChange.changed(one, undefined);
      return () => void listeners.delete(onChange);
    },
    put(registration) {
      const before = all.get(registration.name);
      all.set(registration.name, registration);
      current = snapshot();
      for (const { changed } of listeners) changed(registration, before);
    },
    remove(name) {
      const gone = all.get(name);
      all.delete(name);
      current = snapshot();
      if (gone !== undefined) for (const { removed } of listeners) removed(gone);
    },
  };
}

export interface TestAvailability extends Availability {
  set(name: string, status: 'True' | 'False'): void;
}

/** Nothing is refused but what is known to be unavailable. */
export function testAvailability(): TestAvailability {
  const states = new Map<string, 'True' | 'False'>();
  const listeners = new Set<(name: string) => void>();
  const stateOf = (name: string) => {
    const status = states.get(name);
    if (status === undefined) return undefined;
    return {
      status,
      reason: 'Test',
      message: 'as the test says',
      sinceMs: 0,
      lastSuccessMs: undefined,
    };
  };
  return {
    stateOf,
    refusal: (name) => (states.get(name) === 'False' ? stateOf(name) : undefined),
    onChange(onChange) {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
    onEvidence() {},
    onConnectionLost() {},
    set(name, status) {
      states.set(name, status);
      for (const onChange of listeners) onChange(name);
    },
  };
}

export function remoteAt(
  { url, ca }: Pick<LyingServer, 'url' | 'ca'>,
  group: string,
  version: string,
  more: Partial<Registration> = {},
): RemoteRegistration {
  return {
    ...localAt(group, version, more),
    remote: {
      service: { namespace: 'test', name: 'api', port: Number(url.port) },
      url,
      caBundle: ca,
      insecureSkipTlsVerify: false,
      limits: defaultBackendLimits,
      forwardsToken: false,
    },
  };
}

export function localAt(
  group: string,
  version: string,
  more: Partial<Registration> = {},
): Registration {
  const name = `${version}.${group}`;
  const priorities = { groupPriorityMinimum: 1000, versionPriority: 15 };
  return { name, uid: `uid of ${name}`, group, version, ...priorities, remote: undefined, ...more };
}

/** In memory, with everything that was ever written to it. */
export function memoryDocuments(stored: readonly StoredDocument[] = []): DocumentStore & {
  readonly now: Map<string, StoredDocument>;
  writes: number;
} {
  const now = new Map(stored.map((one) => [one.registration, one]));
  return {
    now,
    writes: 0,
    read: async () => [...now.values()],
    write(document) {
      this.writes += 1;
      now.set(document.registration, document);
    },
    remove: (registration) => void now.delete(registration),
    flush: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Asks until it is right, for what comes over a socket. */
export async function soon(isRight: () => boolean, what: string, withinMs?: number): Promise<void> {
  await eventually(what, isRight, { withinMs, everyMs: 5 });
}
