import { type Clock, sleep, systemClock } from './clock.ts';
import { abortScope } from './deadline.ts';
import { type Lease, type LeaseLock, type LeaseSpec, leaseLock, microTime } from './lease.ts';
import type { ResourceClient } from './resource-client.ts';

export interface LeaderElectionOptions {
  /** In one namespace: `client.resource<Lease>(LEASES).in('kube-system')`. */
  readonly leases: ResourceClient<Lease>;
  readonly name: string;
  /** Different for every candidate, also for two on one machine. */
  readonly identity: string;
  /** After so long without a sign of the leader others may take over. Default: 15 s. */
  readonly leaseDurationMs?: number;
  /** After so long without a renewal the leader gives up. Default: 10 s. */
  readonly renewDeadlineMs?: number;
  /** Between two tries, with jitter while there is another leader. Default: 2 s. */
  readonly retryPeriodMs?: number;
  /** Whether the Lease is given back, so that others need not wait for its end. Default: yes. */
  readonly releaseOnCancel?: boolean;
  /**
   * This is the leader, until the signal fires. The Lease is given back after the promise settles. What it throws
   * ends the leadership.
   */
  onStartedLeading(signal: AbortSignal): void | Promise<void>;
  /** The end, also of a candidate that never led. */
  onStoppedLeading?(): void;
  /** Another leader than before was seen, the first one included. */
  onNewLeader?(identity: string): void;
  /** Hears of every try that failed. */
  onError?(error: unknown): void;
  readonly clock?: Clock;
  /** At least 0 and less than 1. */
  readonly random?: () => number;
}

const LEASE_DURATION_MS = 15_000;
const RENEW_DEADLINE_MS = 10_000;
const RETRY_PERIOD_MS = 2_000;
const JITTER_FACTOR = 1.2;

/** What is waited for must not end because somebody set the time of day. */
const monotonicClock: Clock = {
  nowMs: () => performance.timeOrigin + performance.now(),
  schedule: systemClock.schedule,
};

/**
 * Waits to become the leader and stays it as long as it can. Resolves when the signal fires or the Lease is lost;
 * then somebody else may lead, and who wants to again calls again. At most one of all candidates leads at a time, as
 * long as their clocks run at about the same speed; what the clocks show is of no matter.
 */
export async function electLeader(
  options: LeaderElectionOptions,
  signal: AbortSignal,
): Promise<void> {
  const times = timesOf(options);
  const candidate = new Candidate(options, times);
  try {
    if (await acquire(candidate, times, signal)) await lead(candidate, times, signal);
  } finally {
    options.onStoppedLeading?.();
  }
}

interface Times {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

function timesOf(options: LeaderElectionOptions): Times {
  const {
    leaseDurationMs = LEASE_DURATION_MS,
    renewDeadlineMs = RENEW_DEADLINE_MS,
    retryPeriodMs = RETRY_PERIOD_MS,
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
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}

/** True when this is the leader, false when the signal fired before. */
async function acquire(
  candidate: Candidate,
  { retryPeriodMs, renewDeadlineMs }: Times,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    const isLeader = await candidate.tryWithin(renewDeadlineMs, signal);
    candidate.reportLeader();
    if (isLeader) return true;
    await pause(candidate, retryPeriodMs * (1 + candidate.random() * JITTER_FACTOR), signal);
  }
  return false;
}

async function lead(candidate: Candidate, times: Times, signal: AbortSignal): Promise<void> {
  const leadership = new AbortController();
  const cancel = (): void => leadership.abort(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const work = startWork(candidate, leadership);
  try {
    await renew(candidate, times, leadership.signal);
    leadership.abort(new Error('the Lease was lost'));
    await work;
  } finally {
    signal.removeEventListener('abort', cancel);
    await candidate.release(times.renewDeadlineMs);
  }
}

/** Work that fails ends the leadership. */
async function startWork(candidate: Candidate, leadership: AbortController): Promise<void> {
  try {
    await candidate.options.onStartedLeading(leadership.signal);
  } catch (error) {
    leadership.abort(error);
    throw error;
  }
}

/** Until the signal fires, or no renewal succeeds within the deadline. */
async function renew(
  candidate: Candidate,
  { retryPeriodMs, renewDeadlineMs }: Times,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await pause(candidate, retryPeriodMs, signal);
    if (signal.aborted) return;
    const isRenewed = await renewOnce(candidate, { retryPeriodMs, renewDeadlineMs }, signal);
    candidate.reportLeader();
    if (!isRenewed) return;
  }
}

async function renewOnce(
  candidate: Candidate,
  { retryPeriodMs, renewDeadlineMs }: Pick<Times, 'retryPeriodMs' | 'renewDeadlineMs'>,
  signal: AbortSignal,
): Promise<boolean> {
  const endMs = candidate.clock.nowMs() + renewDeadlineMs;
  for (;;) {
    const leftMs = endMs - candidate.clock.nowMs();
    if (leftMs <= 0 || signal.aborted) return false;
    if (await candidate.tryWithin(leftMs, signal)) return true;
    await pause(candidate, Math.min(retryPeriodMs, endMs - candidate.clock.nowMs()), signal);
  }
}

/** Whoever waits looks at the signal next. */
async function pause({ clock }: Candidate, delayMs: number, signal: AbortSignal): Promise<void> {
  if (delayMs <= 0 || signal.aborted) return;
  try {
    await sleep(clock, delayMs, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** What one candidate has seen of the Lease, and when. */
class Candidate {
  readonly options: LeaderElectionOptions;
  readonly clock: Clock;
  readonly random: () => number;
  readonly #lock: LeaseLock;
  readonly #leaseDurationSeconds: number;
  #observed: LeaseSpec = {};
  #observedMs = 0;
  #reportedLeader = '';

  constructor(options: LeaderElectionOptions, { leaseDurationMs }: Times) {
    this.options = options;
    this.clock = options.clock ?? monotonicClock;
    this.random = options.random ?? Math.random;
    this.#lock = leaseLock(options.leases, options.name);
    this.#leaseDurationSeconds = Math.floor(leaseDurationMs / 1000);
  }

  /** Whether this is the leader now. A try that takes too long has failed. */
  async tryWithin(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    try {
      return await this.#bounded(timeoutMs, signal, (bounded) => this.#acquireOrRenew(bounded));
    } catch (error) {
      if (!signal.aborted) this.options.onError?.(error);
      return false;
    }
  }

  reportLeader(): void {
    const { holderIdentity = '' } = this.#observed;
    if (holderIdentity === this.#reportedLeader) return;
    this.#reportedLeader = holderIdentity;
    this.options.onNewLeader?.(holderIdentity);
  }

  /** Gives the Lease back, if it is still ours. */
  async release(timeoutMs: number): Promise<void> {
    if (this.options.releaseOnCancel === false || !this.#isLeader()) return;
    try {
      await this.#bounded(timeoutMs, undefined, async (signal) => {
        const found = await this.#lock.read(signal);
        if (found?.holderIdentity !== this.options.identity) return;
        const time = microTime(this.clock.nowMs());
        const spec = {
          holderIdentity: '',
          leaseDurationSeconds: 1,
          acquireTime: time,
          renewTime: time,
          leaseTransitions: found.leaseTransitions ?? 0,
        };
        await this.#lock.write(spec, signal);
        this.#observe(spec);
      });
    } catch (error) {
      this.options.onError?.(error);
    }
  }

  async #acquireOrRenew(signal: AbortSignal): Promise<boolean> {
    if (this.#isLeader() && this.#isValid() && (await this.#renewUnread(signal))) return true;
    const found = await this.#lock.read(signal);
    if (found === undefined) {
      const spec = this.#own({ leaseTransitions: 0 });
      await this.#lock.create(spec, signal);
      this.#observe(spec);
      return true;
    }
    if (!isSame(found, this.#observed)) this.#observe(found);
    if (found.holderIdentity && this.#isValid() && !this.#isLeader()) return false;
    const spec = this.#isLeader()
      ? this.#own(found)
      : this.#own({ leaseTransitions: (found.leaseTransitions ?? 0) + 1 });
    await this.#lock.write(spec, signal);
    this.#observe(spec);
    return true;
  }

  /** Most renewals need no read: nobody else writes a Lease that is held. */
  async #renewUnread(signal: AbortSignal): Promise<boolean> {
    const spec = this.#own(this.#observed);
    try {
      await this.#lock.write(spec, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      this.options.onError?.(error);
      return false;
    }
    this.#observe(spec);
    return true;
  }

  #own({ acquireTime, leaseTransitions = 0 }: LeaseSpec): LeaseSpec {
    const time = microTime(this.clock.nowMs());
    return {
      holderIdentity: this.options.identity,
      leaseDurationSeconds: this.#leaseDurationSeconds,
      acquireTime: acquireTime ?? time,
      renewTime: time,
      leaseTransitions,
    };
  }

  #observe(spec: LeaseSpec): void {
    this.#observed = spec;
    this.#observedMs = this.clock.nowMs();
  }

  #isLeader(): boolean {
    return this.#observed.holderIdentity === this.options.identity;
  }

  /** Counted from when the last change was seen here. */
  #isValid(): boolean {
    const durationMs = (this.#observed.leaseDurationSeconds ?? 0) * 1000;
    return this.clock.nowMs() < this.#observedMs + durationMs;
  }

  async #bounded<Value>(
    timeoutMs: number,
    signal: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    const { controller, release } = abortScope([signal]);
    const cancel = this.clock.schedule(timeoutMs, () =>
      controller.abort(new Error(`no answer about the Lease within ${timeoutMs} ms`)),
    );
    try {
      return await run(controller.signal);
    } finally {
      cancel();
      release();
    }
  }
}

function isSame(a: LeaseSpec, b: LeaseSpec): boolean {
  return (
    a.holderIdentity === b.holderIdentity &&
    a.leaseDurationSeconds === b.leaseDurationSeconds &&
    a.acquireTime === b.acquireTime &&
    a.renewTime === b.renewTime &&
    a.leaseTransitions === b.leaseTransitions
  );
}
