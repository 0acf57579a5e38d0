import type { Clock } from '@tributary/client';
import type { Backends, FindTargets, Target } from '@tributary/proxy';
import type { Logger } from '@tributary/server';
import { isRemote, type RemoteRegistration } from '../api-services/registration.ts';
import type { Sign } from './course.ts';
import { ATTEMPTS_MAX, probe } from './probe.ts';
import { probeSeats } from './probe-seats.ts';
import {
  delayAfterProbe,
  delayWhileDown,
  type ProbePressure,
  type ProbeSchedule,
  probeTimeout,
} from './schedule.ts';
import { isDown, type Watched } from './watched.ts';

export interface ProbingOptions {
  readonly findTargets: FindTargets;
  readonly backends: Pick<Backends, 'of'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random: () => number;
  readonly schedule: ProbeSchedule;
  /** How many servers are unavailable. */
  readonly countDown: () => number;
  /** What was found out. Changes the course of the registration. */
  readonly take: (watched: Watched, sign: Sign) => void;
}

/** When servers are asked. Each has one timer, or one probe. */
export interface Probing {
  /** Is looked at after that time, and not before. */
  wakeAfter(watched: Watched, delayMs: number): void;
  /** A request failed, or somebody wants to know: now, unless it was asked just before. */
  probeSoon(watched: Watched): void;
  /** Where it is has changed: what a probe under way says is worth nothing. */
  probeAnew(watched: Watched): void;
  /** Somebody is about to wait for it: if it falls silent, that must show before long. */
  askedFor(watched: Watched): void;
  /** It is no longer looked after. */
  leave(watched: Watched): void;
  /** When no probe is under way any more. Those that are must have been left before. */
  settled(): Promise<void>;
}

/** Servers that do not answer keep a seat until their time is over, and cost nothing meanwhile. */
const PROBES_AT_ONCE_MAX = 256;

export function probing(options: ProbingOptions): Probing {
  const { findTargets, clock, random, schedule, countDown, take } = options;
  const seats = probeSeats(PROBES_AT_ONCE_MAX);
  const underWay = new Set<Promise<void>>();

  const wakeAfter = (watched: Watched, delayMs: number): void => {
    watched.cancelTimer();
    watched.dueMs = clock.nowMs() + delayMs;
    watched.cancelTimer = clock.schedule(delayMs, () => look(watched));
  };
  const pressureOn = (watched: Watched): ProbePressure => ({
    down: isDown(watched) ? countDown() : 0,
    refusedMs: watched.refusedMs,
    nowMs: clock.nowMs(),
  });
  const wakeByCourse = (watched: Watched): void => {
    const pressure = { ...pressureOn(watched), random };
    wakeAfter(watched, delayAfterProbe(watched.course, schedule, pressure));
  };

  const look = (watched: Watched): void => {
    const { registration } = watched;
    if (watched.probe !== undefined || !isRemote(registration)) return;
    const restMs = watched.mustProbe ? undefined : restOfTrust(watched, schedule, clock.nowMs());
    if (restMs !== undefined) {
      wakeAfter(watched, restMs);
      return;
    }
    watched.mustProbe = false;
    const found = findTargets(registration.remote);
    if ('problem' in found) {
      take(watched, { kind: 'nobody', problem: found.problem });
      wakeByCourse(watched);
      return;
    }
    const own = new AbortController();
    watched.probe = own;
    seats.take(() => {
      const running = run(watched, own, found.targets).finally(() => {
        underWay.delete(running);
        seats.free();
      });
      underWay.add(running);
    });
  };

  const run = async (
    watched: Watched,
    own: AbortController,
    targets: readonly Target[],
  ): Promise<void> => {
    const { registration, course } = watched;
    // Left, or begun anew, while it waited for its turn.
    if (watched.probe !== own || !isRemote(registration)) return;
    const isWell = course.state?.status === 'True' && course.doubt === undefined;
    const attempts = isWell ? 1 : Math.min(targets.length, ATTEMPTS_MAX);
    watched.startedMs = clock.nowMs();
    const timeoutMs = probeTimeout(course, schedule, pressureOn(watched));
    const sign = await ask(registration, { targets, attempts, timeoutMs, stop: own }, options);
    if (watched.probe !== own) return;
    watched.probe = undefined;
    watched.endedMs = clock.nowMs();
    if (sign.kind === 'passed') watched.passedMs = watched.endedMs;
    take(watched, sign);
    wakeByCourse(watched);
    if (watched.mustProbe) probeSoon(watched);
  };

  const probeSoon = (watched: Watched): void => {
    watched.mustProbe = true;
    if (watched.probe !== undefined) return;
    const { endedMs, passedMs } = watched;
    const nowMs = clock.nowMs();
    // However many requests fail or succeed, they bring about a few probes a second.
    const lastMs = isDown(watched) ? endedMs : passedMs;
    const delayMs = Math.max(0, lastMs + schedule.gapMs - nowMs);
    if (watched.dueMs > nowMs + delayMs) wakeAfter(watched, delayMs);
  };

  const abandon = (watched: Watched): void => {
    watched.cancelTimer();
    watched.probe?.abort(new Error('the answer is no longer of interest'));
    watched.probe = undefined;
  };

  const probeAnew = (watched: Watched): void => {
    abandon(watched);
    watched.mustProbe = true;
    wakeAfter(watched, 0);
  };

  return {
    wakeAfter,
    probeSoon,
    probeAnew,
    askedFor(watched) {
      if (watched.registration.remote === undefined) return;
      const nowMs = clock.nowMs();
      watched.askedMs = nowMs;
      if (isDown(watched)) watched.refusedMs = nowMs;
      if (watched.probe !== undefined) {
        // It may have come back where the old connection does not lead.
        const isOld = nowMs - watched.startedMs > schedule.timeoutMs;
        if (isOld && isDown(watched)) probeAnew(watched);
        return;
      }
      const delayMs = delayWhenAsked(watched, schedule, pressureOn(watched));
      if (watched.dueMs - nowMs > delayMs) wakeAfter(watched, delayMs);
    },
    leave: abandon,
    settled: async () => {
      await Promise.all(underWay);
    },
  };
}

/**
 * A server that answers requests need not be asked by a probe, too, until its turn: how long that is. Less when a
 * request waits that came after the last answer.
 */
function restOfTrust(
  { course, answeredMs, askedMs, passedMs }: Watched,
  { askedForMs, wellMs }: ProbeSchedule,
  nowMs: number,
): number | undefined {
  const isTrusted = course.state?.status === 'True' && course.isOwn && course.doubt === undefined;
  if (!isTrusted || answeredMs === undefined) return undefined;
  const untilTurnMs = passedMs + wellMs - nowMs;
  const untilStaleMs = answeredMs + askedForMs - nowMs;
  if (untilTurnMs <= 0 || untilStaleMs <= 0) return undefined;
  return askedMs > answeredMs ? Math.min(untilTurnMs, untilStaleMs) : untilTurnMs;
}

/** How soon a server must be looked at that somebody asks for. */
function delayWhenAsked(
  watched: Watched,
  schedule: ProbeSchedule,
  pressure: ProbePressure,
): number {
  const { nowMs } = pressure;
  const { course, endedMs, passedMs, answeredMs = Number.NEGATIVE_INFINITY } = watched;
  if (isDown(watched)) {
    const isAsked = course.doubt !== undefined;
    const dueMs = endedMs + delayWhileDown(schedule, pressure);
    return isAsked ? Math.max(0, dueMs - nowMs) : schedule.askedForMs;
  }
  const staleMs = Math.max(passedMs, answeredMs) + schedule.askedForMs;
  return Math.max(schedule.patienceMs, staleMs - nowMs);
}

interface Question {
  readonly targets: readonly Target[];
  readonly attempts: number;
  readonly timeoutMs: number;
  readonly stop: AbortController;
}

/** Never rejects: a fault of ours in one probe must not end all of them. */
async function ask(
  registration: RemoteRegistration,
  question: Question,
  { backends, clock, log }: ProbingOptions,
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
    log.error(error, 'A probe could not be made', { name: registration.name });
    return { kind: 'failed', failure: { kind: 'refused', message: String(error) } };
  }
}
