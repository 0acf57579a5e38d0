import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Clock, Informer } from '@tributary/client';
import type { BackendFailure, Backends } from '@tributary/proxy';
import type { HealthCheck, Logger } from '@tributary/server';
import type { MetricsRegistry } from '@tributary/server/operations';
import { isRemote, type Registration } from '../api-services/registration.ts';
import type { RegistrationListener, Registrations } from '../registrations/registrations.ts';
import type { WatchedTargets } from '../targets/watch-targets.ts';
import type { Availability } from './availability.ts';
import { availabilityHealthChecks } from './availability-health-checks.ts';
import { availabilityMetrics } from './availability-metrics.ts';
import { isSameFinding, storedState } from './condition.ts';
import { type ConditionWriter, conditionWriter, type WriteStatus } from './condition-writer.ts';
import { decideAvailability, newHistory, type Sign } from './decide-availability.ts';
import { type ProbeScheduler, probeScheduler } from './probe-scheduler.ts';
import {
  isSameServer,
  isUnavailable,
  newProbedServer,
  type ProbedServer,
  stateOf,
} from './probed-server.ts';
import { type ProbeSchedule, standardSchedule } from './schedule.ts';

export interface AvailabilityOptions {
  readonly registrations: Registrations;
  readonly targets: Pick<WatchedTargets, 'find' | 'onChange'>;
  readonly backends: Pick<Backends, 'of'>;
  /** The APIServices, for their stored conditions. A shared informer. */
  readonly apiServices: Informer<APIService>;
  readonly writeStatus: WriteStatus;
  readonly clock: Clock;
  readonly log: Logger;
  /** At least 0 and less than 1. */
  readonly random?: () => number;
  readonly schedule?: ProbeSchedule;
}

export interface RunningAvailability extends Availability, AsyncDisposable {
  readonly healthChecks: readonly HealthCheck[];
  registerMetrics(registry: MetricsRegistry): void;
  /** Resolves when nothing is running. Idempotent. */
  close(): Promise<void>;
}

/** By the name of the registration. */
type ServersByName = Map<string, ProbedServer>;

/** Determines the availability of all backends until it is closed. Starts at once and waits for no backend. */
export function startAvailability(options: AvailabilityOptions): RunningAvailability {
  const { random = Math.random, schedule = standardSchedule, clock } = options;
  const all: ServersByName = new Map();
  const listeners = new Set<(name: string) => void>();
  const stop = new AbortController();
  const metrics = availabilityMetrics(() => metricsOf(all));
  const writer = conditionWriter({
    ...options,
    informer: options.apiServices,
    historyOf(name, uid) {
      const server = all.get(name);
      return server?.registration.uid === uid ? server.course : undefined;
    },
    confirm(name) {
      const server = all.get(name);
      if (server !== undefined) probes.probeSoon(server);
    },
    becameUnavailable: metrics.becameUnavailable,
    signal: stop.signal,
  });
  const take = signHandler({ ...options, listeners, writer });
  const countDown = () =>
    all.values().reduce((count, one) => count + Number(isUnavailable(one)), 0);
  const findTargets = options.targets.find;
  const probes = probeScheduler({ ...options, findTargets, random, schedule, countDown, take });
  const parts: Parts = { ...options, all, probes, writer, take, random, schedule };
  const unsubscribe = [
    options.registrations.onChange(registrationListener(parts)),
    options.targets.onChange((service) => servicesChanged(parts, service)),
  ];
  const close = async (): Promise<void> => {
    for (const stop of unsubscribe) stop();
    for (const server of all.values()) probes.stop(server);
    stop.abort(new Error('availability is no longer looked after'));
    await Promise.all([writer.done, probes.drained()]);
  };
  return {
    stateOf(name) {
      const server = all.get(name);
      return server && stateOf(server);
    },
    refusal(name) {
      const server = all.get(name);
      if (server === undefined) return undefined;
      if (!stop.signal.aborted) probes.onRequest(server);
      return isUnavailable(server) ? stateOf(server) : undefined;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onEvidence({ name, uid }, { failure }) {
      const server = all.get(name);
      if (server?.registration.uid !== uid || stop.signal.aborted) return;
      if (failure === undefined) onResponse(parts, server, clock.nowMs());
      else onRequestFailed(parts, server, failure);
    },
    onConnectionLost({ name, uid }) {
      const server = all.get(name);
      if (server?.registration.uid !== uid || stop.signal.aborted || isUnavailable(server)) return;
      probes.probeSoon(server);
    },
    healthChecks: availabilityHealthChecks(() => !stop.signal.aborted),
    registerMetrics: metrics.register,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function* metricsOf(all: ServersByName) {
  for (const { registration, course } of all.values()) {
    if (course.state === undefined) continue;
    yield { name: registration.name, isAvailable: course.state.status === 'True' };
  }
}

/** Adds a sign to the history of a server, and notifies listeners and the condition writer. */
function signHandler(parts: {
  readonly clock: Clock;
  readonly log: Logger;
  readonly listeners: ReadonlySet<(name: string) => void>;
  readonly writer: ConditionWriter;
}): (server: ProbedServer, sign: Sign) => void {
  const { clock, log, listeners, writer } = parts;
  return (server, sign) => {
    const { name } = server.registration;
    const before = server.course.state;
    server.course = decideAvailability(server.course, sign, clock.nowMs());
    const { state } = server.course;
    if (state === undefined || state === before) return;
    if (state.status !== before?.status) {
      log.info('changing APIService availability', {
        name,
        oldStatus: before?.status ?? 'Unknown',
        newStatus: state.status,
        message: state.message,
        reason: state.reason,
      });
      for (const listener of listeners) listener(name);
    }
    if (isSameFinding(before, state)) writer.confirmed(name);
    else writer.check(name);
  };
}

interface Parts {
  readonly all: ServersByName;
  readonly probes: ProbeScheduler;
  readonly writer: ConditionWriter;
  readonly take: (server: ProbedServer, sign: Sign) => void;
  readonly apiServices: Informer<APIService>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly schedule: ProbeSchedule;
}

function registrationListener(parts: Parts): RegistrationListener {
  const { all, probes, writer, take, clock, random, schedule } = parts;
  const beganMs = clock.nowMs();
  const removed = ({ name }: Registration): void => {
    const server = all.get(name);
    if (server === undefined) return;
    probes.stop(server);
    all.delete(name);
    writer.forget(name);
  };
  const added = (registration: Registration): void => {
    const server = newProbedServer(registration, firstHistory(registration, parts));
    all.set(registration.name, server);
    if (isRemote(registration)) {
      const isStart = clock.nowMs() - beganMs < schedule.startMs;
      probes.wakeAfter(server, isStart ? random() * schedule.startMs : 0);
    } else {
      take(server, { kind: 'local' });
    }
  };
  const changed = (registration: Registration): void => {
    const server = all.get(registration.name);
    if (server?.registration.uid !== registration.uid) {
      removed(registration);
      added(registration);
      return;
    }
    const before = server.registration.remote;
    server.registration = registration;
    if (isSameServer(before, registration.remote)) return;
    server.course = { ...server.course, doubt: undefined };
    if (isRemote(registration)) {
      probes.restartProbe(server);
    } else {
      probes.stop(server);
      take(server, { kind: 'local' });
    }
  };
  return { changed, removed };
}

/** The stored condition is the state until there is a finding. */
function firstHistory({ name, uid }: Registration, { apiServices, clock }: Parts) {
  const nowMs = clock.nowMs();
  const stored = apiServices.store.get(name);
  const isSame = stored?.metadata.uid === uid;
  return newHistory(nowMs, isSame ? storedState(stored.status?.conditions, nowMs) : undefined);
}

/** By `namespace/name`; undefined: any Service. */
function servicesChanged({ all, probes }: Parts, service: string | undefined): void {
  for (const server of all.values()) {
    const { remote } = server.registration;
    if (remote === undefined || remote.url !== undefined) continue;
    const { namespace, name } = remote.service;
    if (service === undefined || service === `${namespace}/${name}`) probes.restartProbe(server);
  }
}

function onResponse({ take, probes }: Parts, server: ProbedServer, nowMs: number): void {
  server.respondedMs = nowMs;
  if (server.course.doubt === undefined) return;
  take(server, { kind: 'request-answered' });
  // Only a probe brings it back, and a response is a good reason for one.
  if (isUnavailable(server)) probes.probeSoon(server);
}

function onRequestFailed(
  { take, probes }: Parts,
  server: ProbedServer,
  { hop }: BackendFailure,
): void {
  // The limit of this process says nothing about the backend, and failures of an unavailable one are expected.
  if (hop === 'busy' || isUnavailable(server)) return;
  if (hop !== 'target') take(server, { kind: 'request-failed' });
  probes.probeSoon(server);
}
