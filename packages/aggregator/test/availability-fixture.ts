/** Availability with a clock, servers and registrations that a test moves by hand. */

import type { APIService } from '@tributary/api/apiregistration-v1';
import { conflict, notFound } from '@tributary/apimachinery';
import type { Target, Targets } from '@tributary/proxy';
import {
  type Backend,
  BackendFailure,
  type BackendRequest,
  type BackendResponse,
} from '@tributary/proxy';
import { VirtualClock } from '../../../test/harness/index.ts';
import { silentLog } from '../../server/test/log-fixture.ts';
import type { Registration, RemoteRegistration } from '../src/api-services/registration.ts';
import { apiServices } from '../src/api-services/resources.ts';
import {
  type RunningAvailability,
  startAvailability,
} from '../src/availability/start-availability.ts';
import type { RegistrationListener, Registrations } from '../src/registrations/registrations.ts';
import { type HandInformer, handInformer } from './manual-informer.ts';

/** The result of a probe: an HTTP status code, or a failure. */
export type Behaviour = number | 'refused' | 'reset' | 'frozen' | 'wrong name';

export interface HandServers {
  /** By name of the registration; a server of several targets has one for each. */
  readonly behaviour: Map<string, Behaviour | readonly Behaviour[]>;
  readonly probes: {
    readonly name: string;
    readonly atMs: number;
    readonly request: BackendRequest;
  }[];
  readonly inFlight: Map<string, number>;
  inFlightMost: number;
  idleDropped: number;
  of(registration: RemoteRegistration): Backend;
}

export function target(at: number): Target {
  return { host: `10.1.0.${at + 1}`, port: 8443, serverName: 'api.wardle.svc' };
}

export function handServers(clock: VirtualClock): HandServers {
  const servers: HandServers = {
    behaviour: new Map(),
    probes: [],
    inFlight: new Map(),
    inFlightMost: 0,
    idleDropped: 0,
    of: (registration) => ({
      server: registration,
      send: (request) => send(registration.name, request),
      upgrade: () => Promise.reject(new Error('no probe does that')),
      dropIdle: () => {
        servers.idleDropped += 1;
      },
    }),
  };
  let next = 0;
  const send = async (name: string, request: BackendRequest) => {
    servers.probes.push({ name, atMs: clock.nowMs(), request });
    const count = (servers.inFlight.get(name) ?? 0) + 1;
    servers.inFlight.set(name, count);
    servers.inFlightMost = Math.max(servers.inFlightMost, count);
    try {
      const all = [servers.behaviour.get(name) ?? 200].flat() as Behaviour[];
      const at = next++ % all.length;
      return await respond(all[at] ?? 200, target(at), request.signal);
    } finally {
      servers.inFlight.set(name, (servers.inFlight.get(name) ?? 0) - 1);
    }
  };
  return servers;
}

async function respond(
  behaviour: Behaviour,
  at: Target,
  signal: AbortSignal,
): Promise<BackendResponse> {
  const fail = (message: string, hop: BackendFailure['hop']) =>
    new BackendFailure(message, { hop, maybeProcessed: false, target: at });
  switch (behaviour) {
    case 'refused':
      throw fail(`connection refused by ${at.host}:${at.port} - Local (10.9.9.9:51234)`, 'connect');
    case 'reset':
      throw fail('the connection was reset', 'reset');
    case 'wrong name':
      throw fail('the certificate is for other.svc', 'tls-name');
    case 'frozen':
      return new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    default:
      return {
        status: behaviour,
        headers: [],
        target: at,
        cancel() {},
        get body(): never {
          throw new Error('nobody reads the body of a probe');
        },
      };
  }
}

export interface HandRegistrations extends Registrations {
  put(registration: Registration): void;
  remove(name: string): void;
}

export function handRegistrations(): HandRegistrations {
  const all = new Map<string, Registration>();
  const listeners = new Set<RegistrationListener>();
  return {
    get current() {
      return {
        all: [...all.values()],
        byName: (name: string) => all.get(name),
        byGroupVersion: () => undefined,
      };
    },
    onChange(listener) {
      listeners.add(listener);
      for (const registration of all.values()) listener.changed(registration, undefined);
      return () => void listeners.delete(listener);
    },
    put(registration) {
      const before = all.get(registration.name);
      all.set(registration.name, registration);
      for (const { changed } of listeners) changed(registration, before);
    },
    remove(name) {
      const registration = all.get(name);
      all.delete(name);
      if (registration) for (const { removed } of listeners) removed(registration);
    },
  };
}

export function apiServiceOf({ name, uid, group, version }: Registration): APIService {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name, uid },
    spec: { group, version, groupPriorityMinimum: 2000, versionPriority: 200 },
    status: {},
  };
}

/** APIServices in a store that several processes write to. */
export interface HandStore {
  readonly hand: HandInformer<APIService>;
  readonly writes: { readonly by: string; readonly status: string; readonly atMs: number }[];
  writer(by: string): (apiService: APIService) => Promise<unknown>;
  condition(name: string): string;
}

export async function handStore(clock: VirtualClock): Promise<HandStore> {
  const hand = handInformer<APIService>(apiServices);
  await hand.start();
  const writes: HandStore['writes'] = [];
  const about = { group: 'apiregistration.k8s.io', resource: 'apiservices' };
  return {
    hand,
    writes,
    writer: (by) => async (apiService) => {
      const { name = '', resourceVersion } = apiService.metadata;
      const live = hand.informer.store.get(name);
      if (live === undefined) throw notFound(about, name);
      if (live.metadata.resourceVersion !== resourceVersion) throw conflict(about, name, 'changed');
      const [first] = apiService.status.conditions ?? [];
      writes.push({ by, status: `${first?.status}`, atMs: clock.nowMs() });
      await hand.put(apiService);
    },
    condition(name) {
      const conditions = hand.informer.store.get(name)?.status.conditions ?? [];
      return conditions.map(({ type, status, reason }) => `${type}=${status}/${reason}`).join(' ');
    },
  };
}

export interface AvailabilityFixture extends AsyncDisposable {
  readonly clock: VirtualClock;
  readonly servers: HandServers;
  readonly registrations: HandRegistrations;
  readonly store: HandStore;
  readonly availability: RunningAvailability;
  readonly log: readonly string[];
  /** Changes the registrations, and notifies listeners. */
  setTargets(targets: Targets): void;
  /** The registration, and its APIService. */
  register(registration: Registration, status?: APIService['status']): Promise<void>;
  /** Moves the time in small steps, so that everything runs that would. */
  advance(ms: number): Promise<void>;
}

export interface FixtureOptions {
  readonly clock?: VirtualClock;
  readonly store?: HandStore;
  readonly name?: string;
  /** There before it starts. */
  readonly before?: readonly Registration[];
}

export async function startFixture(options: FixtureOptions = {}): Promise<AvailabilityFixture> {
  const clock = options.clock ?? new VirtualClock();
  const servers = handServers(clock);
  const registrations = handRegistrations();
  for (const registration of options.before ?? []) registrations.put(registration);
  const store = options.store ?? (await handStore(clock));
  let current: Targets = { targets: [target(0)] };
  const listeners = new Set<(service: string | undefined) => void>();
  const { log, lines } = silentLog();
  const availability = startAvailability({
    registrations,
    targets: {
      find: () => current,
      onChange(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    backends: servers,
    apiServices: store.hand.informer,
    writeStatus: store.writer(options.name ?? 'one'),
    clock,
    log,
    random: () => 0.5,
  });
  return {
    clock,
    servers,
    registrations,
    store,
    availability,
    log: lines,
    setTargets(targets) {
      current = targets;
      for (const listener of listeners) listener('wardle/api');
    },
    async register(registration, status = {}) {
      await store.hand.put({ ...apiServiceOf(registration), status });
      registrations.put(registration);
    },
    async advance(ms) {
      for (let rest = ms; rest > 0; rest -= 50) await clock.advance(Math.min(50, rest));
    },
    [Symbol.asyncDispose]: async () => {
      await availability.close();
      if (options.store === undefined) await store.hand.informer.close();
    },
  };
}
