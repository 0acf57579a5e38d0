import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Clock, Informer } from '@tributary/client';
import type { BackendFailure, Backends } from '@tributary/proxy';
import type { HealthCheck, Logger } from '@tributary/server';
import type { MetricsRegistry } from '@tributary/server/operations';
import { isRemote, type Registration } from '../api-services/registration.ts';
import type { RegistrationListener, Registrations } from '../registrations/registrations.ts';
import type { FollowedTargets } from '../targets/follow-targets.ts';
import type { Availability } from './availability.ts';
import { availabilityHealthChecks } from './availability-health-checks.ts';
import { availabilityMetrics } from './availability-metrics.ts';
import { believedState, isSameFinding } from './condition.ts';
import { type ConditionWriter, conditionWriter, type WriteStatus } from './condition-writer.ts';
import { follow, newCourse, type Sign } from './course.ts';
import { type Probing, probing } from './probing.ts';
import { type ProbeSchedule, standardSchedule } from './schedule.ts';
import { isDown, isSameServer, newWatched, stateOf, type Watched } from './watched.ts';

export interface AvailabilityOptions {
  readonly registrations: Registrations;
  readonly targets: Pick<FollowedTargets, 'find' | 'follow'>;
  readonly backends: Pick<Backends, 'of'>;
  /** The APIServices, for what was written of them. Others may share it. */
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
  /** When nothing of it is under way any more. Twice is harmless. */
  close(): Promise<void>;
}

/** All that is known, by the name of the registration. */
type AllWatched = Map<string, Watched>;

/** Finds out who is available, for as long as it is open. Begins at once and waits for nobody. */
export function startAvailability(options: AvailabilityOptions): RunningAvailability {
  const { random = Math.random, schedule = standardSchedule, clock } = options;
  const all: AllWatched = new Map();
  const listeners = new Set<(name: string) => void>();
  const stop = new AbortController();
  const metrics = availabilityMetrics(() => figuresOf(all));
  const writer = conditionWriter({
    ...options,
    informer: options.apiServices,
    courseOf(name, uid) {
      const watched = all.get(name);
      return watched?.registration.uid === uid ? watched.course : undefined;
    },
    confirm(name) {
      const watched = all.get(name);
      if (watched !== undefined) probes.probeSoon(watched);
    },
    becameUnavailable: metrics.becameUnavailable,
    signal: stop.signal,
  });
  const take = takeSigns({ ...options, listeners, writer });
  const countDown = () => all.values().reduce((count, one) => count + Number(isDown(one)), 0);
  const findTargets = options.targets.find;
  const probes = probing({ ...options, findTargets, random, schedule, countDown, take });
  const parts: Parts = { ...options, all, probes, writer, take, random, schedule };
  const unfollow = [
    options.registrations.follow(registrationListener(parts)),
    options.targets.follow((service) => servicesChanged(parts, service)),
  ];
  const close = async (): Promise<void> => {
    for (const leave of unfollow) leave();
    for (const watched of all.values()) probes.leave(watched);
    stop.abort(new Error('availability is no longer looked after'));
    await Promise.all([writer.done, probes.settled()]);
  };
  return {
    stateOf(name) {
      const watched = all.get(name);
      return watched && stateOf(watched);
    },
    refusal(name) {
      const watched = all.get(name);
      if (watched === undefined) return undefined;
      if (!stop.signal.aborted) probes.askedFor(watched);
      return isDown(watched) ? stateOf(watched) : undefined;
    },
    follow(hear) {
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
    hearEvidence({ name, uid }, { failure }) {
      const watched = all.get(name);
      if (watched?.registration.uid !== uid || stop.signal.aborted) return;
      if (failure === undefined) requestAnswered(parts, watched, clock.nowMs());
      else requestFailed(parts, watched, failure);
    },
    hearLost({ name, uid }) {
      const watched = all.get(name);
      if (watched?.registration.uid !== uid || stop.signal.aborted || isDown(watched)) return;
      probes.probeSoon(watched);
    },
    healthChecks: availabilityHealthChecks(() => !stop.signal.aborted),
    registerMetrics: metrics.register,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function* figuresOf(all: AllWatched) {
  for (const { registration, course } of all.values()) {
    if (course.state === undefined) continue;
    yield { name: registration.name, isAvailable: course.state.status === 'True' };
  }
}

/** Goes on in the course of a registration, and tells whoever must know. */
function takeSigns(parts: {
  readonly clock: Clock;
  readonly log: Logger;
  readonly listeners: ReadonlySet<(name: string) => void>;
  readonly writer: ConditionWriter;
}): (watched: Watched, sign: Sign) => void {
  const { clock, log, listeners, writer } = parts;
  return (watched, sign) => {
    const { name } = watched.registration;
    const before = watched.course.state;
    watched.course = follow(watched.course, sign, clock.nowMs());
    const { state } = watched.course;
    if (state === undefined || state === before) return;
    if (state.status !== before?.status) {
      log.info('changing APIService availability', {
        name,
        oldStatus: before?.status ?? 'Unknown',
        newStatus: state.status,
        message: state.message,
        reason: state.reason,
      });
      for (const hear of listeners) hear(name);
    }
    if (isSameFinding(before, state)) writer.confirmed(name);
    else writer.check(name);
  };
}

interface Parts {
  readonly all: AllWatched;
  readonly probes: Probing;
  readonly writer: ConditionWriter;
  readonly take: (watched: Watched, sign: Sign) => void;
  readonly apiServices: Informer<APIService>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly schedule: ProbeSchedule;
}

function registrationListener(parts: Parts): RegistrationListener {
  const { all, probes, writer, take, clock, random, schedule } = parts;
  const beganMs = clock.nowMs();
  const removed = ({ name }: Registration): void => {
    const watched = all.get(name);
    if (watched === undefined) return;
    probes.leave(watched);
    all.delete(name);
    writer.forget(name);
  };
  const added = (registration: Registration): void => {
    const watched = newWatched(registration, firstCourse(registration, parts));
    all.set(registration.name, watched);
    if (isRemote(registration)) {
      const isStart = clock.nowMs() - beganMs < schedule.startMs;
      probes.wakeAfter(watched, isStart ? random() * schedule.startMs : 0);
    } else {
      take(watched, { kind: 'local' });
    }
  };
  const changed = (registration: Registration): void => {
    const watched = all.get(registration.name);
    if (watched?.registration.uid !== registration.uid) {
      removed(registration);
      added(registration);
      return;
    }
    const before = watched.registration.remote;
    watched.registration = registration;
    if (isSameServer(before, registration.remote)) return;
    watched.course = { ...watched.course, doubt: undefined };
    if (isRemote(registration)) {
      probes.probeAnew(watched);
    } else {
      probes.leave(watched);
      take(watched, { kind: 'local' });
    }
  };
  return { changed, removed };
}

/** What the APIService says is believed until something else was found out. */
function firstCourse({ name, uid }: Registration, { apiServices, clock }: Parts) {
  const nowMs = clock.nowMs();
  const stored = apiServices.store.get(name);
  const isSame = stored?.metadata.uid === uid;
  return newCourse(nowMs, isSame ? believedState(stored.status?.conditions, nowMs) : undefined);
}

/** By `namespace/name`; undefined: any. */
function servicesChanged({ all, probes }: Parts, service: string | undefined): void {
  for (const watched of all.values()) {
    const { remote } = watched.registration;
    if (remote === undefined || remote.url !== undefined) continue;
    const { namespace, name } = remote.service;
    if (service === undefined || service === `${namespace}/${name}`) probes.probeAnew(watched);
  }
}

function requestAnswered({ take, probes }: Parts, watched: Watched, nowMs: number): void {
  watched.answeredMs = nowMs;
  if (watched.course.doubt === undefined) return;
  take(watched, { kind: 'request-answered' });
  // Only a probe brings it back, and now is a good time for one.
  if (isDown(watched)) probes.probeSoon(watched);
}

function requestFailed({ take, probes }: Parts, watched: Watched, { hop }: BackendFailure): void {
  // Our own bound says nothing of the server; and of one that is unavailable nothing else is expected.
  if (hop === 'busy' || isDown(watched)) return;
  if (hop !== 'target') take(watched, { kind: 'request-failed' });
  probes.probeSoon(watched);
}
