import type { Clock } from '@tributary/client';
import type { Backends, FindTargets, Target } from '@tributary/proxy';
import type { Logger } from '@tributary/server';
import { isRemote, type RemoteRegistration } from '../api-services/registration.ts';
import type { Sign } from './decide-availability.ts';
import { ATTEMPTS_MAX, probe } from './probe.ts';
import { probeSlots } from './probe-slots.ts';
import { isUnavailable, type ProbedServer } from './probed-server.ts';
import {
  delayAfterProbe,
  delayWhileDown,
  type ProbePressure,
  type ProbeSchedule,
  probeTimeout,
} from './schedule.ts';

export interface ProbeSchedulerOptions {
  readonly findTargets: FindTargets;
  readonly backends: Pick<Backends, 'of'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random: () => number;
  readonly schedule: ProbeSchedule;
  /** The number of unavailable backends. */
  readonly countDown: () => number;
  /** Adds a sign to the history of the server. */
  readonly take: (server: ProbedServer, sign: Sign) => void;
}

/** Schedules probes. Each server has one timer, or one probe. */
export interface ProbeScheduler {
  /** Schedules the next probe after this time. */
  wakeAfter(server: ProbedServer, delayMs: number): void;
  /** Probes now, unless a probe has just ended: a request failed, or a finding needs confirmation. */
  probeSoon(server: ProbedServer): void;
  /** Replaces a running probe, because the address of the server has changed. */
  restartProbe(server: ProbedServer): void;
  /** A request is about to be sent: schedules a probe early enough to notice that the server became silent. */
  onRequest(server: ProbedServer): void;
  /** Ends the probes of the server. */
  stop(server: ProbedServer): void;
  /** Resolves when no probe is running. Running ones must have been stopped before. */
  drained(): Promise<void>;
}

/** Probes of silent servers keep a slot until their timeout, and cost nothing meanwhile. */
const PROBES_AT_ONCE_MAX = 256;

export function probeScheduler(options: ProbeSchedulerOptions): ProbeScheduler {
  const { findTargets, clock, random, schedule, countDown, take } = options;
  const slots = probeSlots(PROBES_AT_ONCE_MAX);
  const underWay = new Set<Promise<void>>();

  const wakeAfter = (server: ProbedServer, delayMs: number): void => {
    server.cancelTimer();
    server.dueMs = clock.nowMs() + delayMs;
    server.cancelTimer = clock.schedule(delayMs, () => look(server));
  };
  const pressureOn = (server: ProbedServer): ProbePressure => ({
    down: isUnavailable(server) ? countDown() : 0,
    refusedMs: server.refusedMs,
    nowMs: clock.nowMs(),
  });
  const wakeByCourse = (server: ProbedServer): void => {
    const pressure = { ...pressureOn(server), random };
    wakeAfter(server, delayAfterProbe(server.course, schedule, pressure));
  };

  const look = (server: ProbedServer): void => {
    const { registration } = server;
    if (server.probe !== undefined || !isRemote(registration)) return;
    const restMs = server.mustProbe ? undefined : trustedForMs(server, schedule, clock.nowMs());
    if (restMs !== undefined) {
      wakeAfter(server, restMs);
      return;
    }
    server.mustProbe = false;
    const found = findTargets(registration.remote);
    if ('problem' in found) {
      take(server, { kind: 'nobody', problem: found.problem });
      wakeByCourse(server);
      return;
    }
    const own = new AbortController();
    server.probe = own;
    slots.acquire(() => {
      const running = run(server, own, found.targets).finally(() => {
        underWay.delete(running);
        slots.release();
      });
      underWay.add(running);
    });
  };

  const run = async (
    server: ProbedServer,
    own: AbortController,
    targets: readonly Target[],
  ): Promise<void> => {
    const { registration, course } = server;
    // Stopped, or replaced, while it waited for a slot.
    if (server.probe !== own || !isRemote(registration)) return;
    const isAvailable = course.state?.status === 'True' && course.doubt === undefined;
    const attempts = isAvailable ? 1 : Math.min(targets.length, ATTEMPTS_MAX);
    server.startedMs = clock.nowMs();
    const timeoutMs = probeTimeout(course, schedule, pressureOn(server));
    const sign = await runProbe(registration, { targets, attempts, timeoutMs, stop: own }, options);
    if (server.probe !== own) return;
    server.probe = undefined;
    server.endedMs = clock.nowMs();
    if (sign.kind === 'passed') server.passedMs = server.endedMs;
    take(server, sign);
    wakeByCourse(server);
    if (server.mustProbe) probeSoon(server);
  };

  const probeSoon = (server: ProbedServer): void => {
    server.mustProbe = true;
    if (server.probe !== undefined) return;
    const { endedMs, passedMs } = server;
    const nowMs = clock.nowMs();
    // Limits the probes caused by requests to a few per second.
    const lastMs = isUnavailable(server) ? endedMs : passedMs;
    const delayMs = Math.max(0, lastMs + schedule.gapMs - nowMs);
    if (server.dueMs > nowMs + delayMs) wakeAfter(server, delayMs);
  };

  const stopProbing = (server: ProbedServer): void => {
    server.cancelTimer();
    server.probe?.abort(new Error('the answer is no longer of interest'));
    server.probe = undefined;
  };

  const restartProbe = (server: ProbedServer): void => {
    stopProbing(server);
    server.mustProbe = true;
    wakeAfter(server, 0);
  };

  return {
    wakeAfter,
    probeSoon,
    restartProbe,
    onRequest(server) {
      if (server.registration.remote === undefined) return;
      const nowMs = clock.nowMs();
      server.askedMs = nowMs;
      if (isUnavailable(server)) server.refusedMs = nowMs;
      if (server.probe !== undefined) {
        // The server may have returned at another address than the one of the old connection.
        const isOld = nowMs - server.startedMs > schedule.timeoutMs;
        if (isOld && isUnavailable(server)) restartProbe(server);
        return;
      }
      const delayMs = delayWhenAsked(server, schedule, pressureOn(server));
      if (server.dueMs - nowMs > delayMs) wakeAfter(server, delayMs);
    },
    stop: stopProbing,
    drained: async () => {
      await Promise.all(underWay);
    },
  };
}

/**
 * The time until the next probe of a server that responds to requests. Shorter when a request without a response is
 * waiting.
 */
function trustedForMs(
  { course, respondedMs, askedMs, passedMs }: ProbedServer,
  { requestedMs, availableMs }: ProbeSchedule,
  nowMs: number,
): number | undefined {
  const isTrusted = course.state?.status === 'True' && course.isOwn && course.doubt === undefined;
  if (!isTrusted || respondedMs === undefined) return undefined;
  const untilTurnMs = passedMs + availableMs - nowMs;
  const untilStaleMs = respondedMs + requestedMs - nowMs;
  if (untilTurnMs <= 0 || untilStaleMs <= 0) return undefined;
  return askedMs > respondedMs ? Math.min(untilTurnMs, untilStaleMs) : untilTurnMs;
}

/** The delay of the probe that a request causes. */
function delayWhenAsked(
  server: ProbedServer,
  schedule: ProbeSchedule,
  pressure: ProbePressure,
): number {
  const { nowMs } = pressure;
  const { course, endedMs, passedMs, respondedMs = Number.NEGATIVE_INFINITY } = server;
  if (isUnavailable(server)) {
    const hasTarget = course.doubt !== undefined;
    const dueMs = endedMs + delayWhileDown(schedule, pressure);
    return hasTarget ? Math.max(0, dueMs - nowMs) : schedule.requestedMs;
  }
  const staleMs = Math.max(passedMs, respondedMs) + schedule.requestedMs;
  return Math.max(schedule.slowRequestMs, staleMs - nowMs);
}

interface ProbeAttempts {
  readonly targets: readonly Target[];
  readonly attempts: number;
  readonly timeoutMs: number;
  readonly stop: AbortController;
}

/** Never rejects: a bug in one probe must not end all probes. */
async function runProbe(
  registration: RemoteRegistration,
  question: ProbeAttempts,
  { backends, clock, log }: ProbeSchedulerOptions,
): Promise<Sign> {
  try {
    const backend = backends.of(registration);
    return await probe({
      ...question,
      backend,
      registration,
      clock,
    });
  } catch (error) {
    log.error(error, 'Probing API server failed', { name: registration.name });
    return { kind: 'failed', failure: { kind: 'refused', message: String(error) } };
  }
}
