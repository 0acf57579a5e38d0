import type { ResourceClient } from '../resource/resource-client.ts';
import type { Clock } from '../timing/clock.ts';
import { abortScope } from '../transport/deadline.ts';
import { type Lease, type LeaseLock, type LeaseSpec, leaseLock, microTime } from './lease.ts';

export interface CandidateOptions {
  readonly leases: ResourceClient<Lease>;
  readonly name: string;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly clock: Clock;
  onNewLeader(identity: string): void;
  onError(error: unknown): void;
}

/** One candidate's view of the Lease, with the time of the last change. */
export class LeaseCandidate {
  readonly #options: CandidateOptions;
  readonly #clock: Clock;
  readonly #lock: LeaseLock;
  readonly #leaseDurationSeconds: number;
  #observed: LeaseSpec = {};
  #observedMs = 0;
  #reportedLeader = '';

  constructor(options: CandidateOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#lock = leaseLock(options.leases, options.name);
    this.#leaseDurationSeconds = Math.floor(options.leaseDurationMs / 1000);
  }

  /** Whether this candidate is the leader now. An attempt that takes too long has failed. */
  async tryWithin(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    try {
      return await this.#bounded(timeoutMs, signal, (bounded) => this.#acquireOrRenew(bounded));
    } catch (error) {
      if (!signal.aborted) this.#options.onError(error);
      return false;
    }
  }

  reportLeader(): void {
    const { holderIdentity = '' } = this.#observed;
    if (holderIdentity === this.#reportedLeader) return;
    this.#reportedLeader = holderIdentity;
    this.#options.onNewLeader(holderIdentity);
  }

  /** Releases the Lease, if this candidate holds it. */
  async release(timeoutMs: number): Promise<void> {
    if (!this.#isLeader()) return;
    try {
      await this.#bounded(timeoutMs, undefined, async (signal) => {
        const found = await this.#lock.read(signal);
        if (found?.holderIdentity !== this.#options.identity) return;
        const time = microTime(this.#clock.nowMs());
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
      this.#options.onError(error);
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

  /** Most renewals need no read: only its holder writes a held Lease. */
  async #renewUnread(signal: AbortSignal): Promise<boolean> {
    const spec = this.#own(this.#observed);
    try {
      await this.#lock.write(spec, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      this.#options.onError(error);
      return false;
    }
    this.#observe(spec);
    return true;
  }

  #own({ acquireTime, leaseTransitions = 0 }: LeaseSpec): LeaseSpec {
    const time = microTime(this.#clock.nowMs());
    return {
      holderIdentity: this.#options.identity,
      leaseDurationSeconds: this.#leaseDurationSeconds,
      acquireTime: acquireTime ?? time,
      renewTime: time,
      leaseTransitions,
    };
  }

  #observe(spec: LeaseSpec): void {
    this.#observed = spec;
    this.#observedMs = this.#clock.nowMs();
  }

  #isLeader(): boolean {
    return this.#observed.holderIdentity === this.#options.identity;
  }

  /** Counted from the time at which this candidate saw the last change. */
  #isValid(): boolean {
    const durationMs = (this.#observed.leaseDurationSeconds ?? 0) * 1000;
    return this.#clock.nowMs() < this.#observedMs + durationMs;
  }

  async #bounded<Value>(
    timeoutMs: number,
    signal: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    const { controller, release } = abortScope([signal]);
    const cancel = this.#clock.schedule(timeoutMs, () =>
      controller.abort(new Error(`no response about the Lease within ${timeoutMs} ms`)),
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
