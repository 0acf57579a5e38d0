import type { ResourceClient } from '../resource/resource-client.ts';
import { type Clock, sleep, systemClock } from '../timing/clock.ts';
import type { Lease } from './lease.ts';
import { LeaseCandidate } from './lease-candidate.ts';

export interface LeaderElectionOptions {
  /** In one namespace: `client.resource<Lease>(LEASES).in('kube-system')`. */
  readonly leases: ResourceClient<Lease>;
  readonly name: string;
  /** Different for every candidate, also for two on one machine. */
  readonly identity: string;
  /** Other candidates may take over after this time without a renewal by the leader. Default: 15 s. */
  readonly leaseDurationMs?: number;
  /** The leader stops after this time without a successful renewal. Default: 10 s. */
  readonly renewDeadlineMs?: number;
  /** The delay between two attempts, with jitter while there is another leader. Default: 2 s. */
  readonly retryPeriodMs?: number;
  /** Whether the Lease is released at the end, so that others need not wait for its expiry. Default: yes. */
  readonly releaseOnCancel?: boolean;
  /**
   * This candidate is the leader until the signal fires. The Lease is released after the promise settles. An error ends
   * the leadership.
   */
  onStartedLeading(signal: AbortSignal): void | Promise<void>;
  /** Called at the end, also for a candidate that never led. */
  onStoppedLeading?(): void;
  /** Called for another leader than before, including the first one. */
  onNewLeader?(identity: string): void;
  /** Called for every failed attempt. */
  onError?(error: unknown): void;
  readonly clock?: Clock;
  /** At least 0 and less than 1. */
  readonly random?: () => number;
}

const LEASE_DURATION_MS = 15_000;
const RENEW_DEADLINE_MS = 10_000;
const RETRY_PERIOD_MS = 2_000;
const JITTER_FACTOR = 1.2;

/** Waits must not end because the time of day is set. */
const monotonicClock: Clock = {
  nowMs: () => performance.timeOrigin + performance.now(),
  schedule: systemClock.schedule,
};

/**
 * Waits to become the leader and remains it as long as possible. Resolves when the signal fires or the Lease is lost;
 * then another candidate may lead, and a candidate that wants to lead again calls again. At most one candidate leads at
 * a time, as long as their clocks run at about the same speed; their times may differ.
 */
export async function electLeader(
  options: LeaderElectionOptions,
  signal: AbortSignal,
): Promise<void> {
  const election = electionOf(options);
  try {
    if (await acquire(election, signal)) await lead(election, signal);
  } finally {
    options.onStoppedLeading?.();
  }
}

interface Election {
  readonly options: LeaderElectionOptions;
  readonly candidate: LeaseCandidate;
  readonly clock: Clock;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

function electionOf(options: LeaderElectionOptions): Election {
  const {
    leaseDurationMs = LEASE_DURATION_MS,
    renewDeadlineMs = RENEW_DEADLINE_MS,
    retryPeriodMs = RETRY_PERIOD_MS,
    clock = monotonicClock,
  } = options;
  if (options.identity === '') throw new RangeError('a candidate needs an identity');
  if (leaseDurationMs < 1000) throw new RangeError('leaseDurationMs must be at least a second');
  if (leaseDurationMs <= renewDeadlineMs) {
    throw new RangeError('leaseDurationMs must be greater than renewDeadlineMs');
  }
  if (renewDeadlineMs <= retryPeriodMs * JITTER_FACTOR) {
    throw new RangeError(`renewDeadlineMs must be greater than retryPeriodMs * ${JITTER_FACTOR}`);
  }
  if (!(retryPeriodMs > 0)) throw new RangeError('retryPeriodMs must be greater than zero');
  const candidate = new LeaseCandidate({
    leases: options.leases,
    name: options.name,
    identity: options.identity,
    leaseDurationMs,
    clock,
    onNewLeader: (identity) => options.onNewLeader?.(identity),
    onError: (error) => options.onError?.(error),
  });
  return { options, candidate, clock, renewDeadlineMs, retryPeriodMs };
}

/** True when this is the leader, false when the signal fired before. */
async function acquire(election: Election, signal: AbortSignal): Promise<boolean> {
  const { candidate, renewDeadlineMs, retryPeriodMs, options } = election;
  const { random = Math.random } = options;
  while (!signal.aborted) {
    const isLeader = await candidate.tryWithin(renewDeadlineMs, signal);
    candidate.reportLeader();
    if (isLeader) return true;
    await pause(election, retryPeriodMs * (1 + random() * JITTER_FACTOR), signal);
  }
  return false;
}

async function lead(election: Election, signal: AbortSignal): Promise<void> {
  const { candidate, renewDeadlineMs, options } = election;
  const leadership = new AbortController();
  const cancel = (): void => leadership.abort(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const work = startWork(options, leadership);
  work.catch(() => {}); // It is awaited below, maybe long after it failed.
  try {
    await renew(election, leadership.signal);
    leadership.abort(new Error('the Lease was lost'));
    await work;
  } finally {
    signal.removeEventListener('abort', cancel);
    if (options.releaseOnCancel !== false) await candidate.release(renewDeadlineMs);
  }
}

/** Work that fails ends the leadership; work that the signal stopped may reject with its reason. */
async function startWork(
  options: LeaderElectionOptions,
  leadership: AbortController,
): Promise<void> {
  const { signal } = leadership;
  try {
    await options.onStartedLeading(signal);
  } catch (error) {
    if (signal.aborted && error === signal.reason) return;
    leadership.abort(error);
    throw error;
  }
}

/** Until the signal fires, or no renewal succeeds within the deadline. */
async function renew(election: Election, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(election, election.retryPeriodMs, signal);
    if (signal.aborted) return;
    const isRenewed = await renewOnce(election, signal);
    election.candidate.reportLeader();
    if (!isRenewed) return;
  }
}

async function renewOnce(election: Election, signal: AbortSignal): Promise<boolean> {
  const { candidate, clock, renewDeadlineMs, retryPeriodMs } = election;
  const endMs = clock.nowMs() + renewDeadlineMs;
  for (;;) {
    const leftMs = endMs - clock.nowMs();
    if (leftMs <= 0 || signal.aborted) return false;
    // A connection that breaks during one attempt must leave time for another one.
    if (await candidate.tryWithin(Math.min(leftMs, renewDeadlineMs / 2), signal)) return true;
    await pause(election, Math.min(retryPeriodMs, endMs - clock.nowMs()), signal);
  }
}

/** Callers check the signal next. */
async function pause({ clock }: Election, delayMs: number, signal: AbortSignal): Promise<void> {
  if (delayMs <= 0 || signal.aborted) return;
  try {
    await sleep(clock, delayMs, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
