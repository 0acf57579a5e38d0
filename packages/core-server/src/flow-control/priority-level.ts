import type { PriorityLevelConfigurationSpec } from '@tributary/api/flowcontrol-v1';
import type { Seat, WaitLimit } from '@tributary/server/filters';
import type { Clock } from '@tributary/storage';
import { FairQueues, type Queue, type QueuingOptions, type Waiter } from './fair-queues.ts';
import type { LevelMetrics, SchemaMetrics } from './metrics.ts';
import { RetryAfter } from './retry-after.ts';
import type { SeatLimits } from './seat-limits.ts';
import type { SeatHolder, SeatPool } from './seat-pool.ts';

interface LevelDependencies {
  readonly clock: Clock;
  readonly pool: SeatPool;
  readonly metrics: LevelMetrics;
}

/** The flow of a request, with the metrics of its schema. */
export interface RequestFlow {
  readonly metrics: SchemaMetrics;
  /** The numbers of the queues of this flow. */
  hand(queuing: QueuingOptions): readonly number[];
}

/** The part of the nominal seats that one request may take. */
const WIDTH_PART = 0.15;

/** The seats of a priority level and the requests that wait for them. */
export class PriorityLevel implements SeatHolder {
  readonly retryAfter: RetryAfter;
  readonly #dependencies: LevelDependencies;
  #exempt = false;
  #limits: SeatLimits = { nominal: 0, lower: 0, upper: 0 };
  #queuing: QueuingOptions | undefined;
  #queues: FairQueues | undefined;
  #taken = 0;

  constructor(dependencies: LevelDependencies) {
    this.#dependencies = dependencies;
    this.retryAfter = new RetryAfter(() => dependencies.clock.nowMs());
  }

  get isExempt(): boolean {
    return this.#exempt;
  }

  get limits(): SeatLimits {
    return this.#limits;
  }

  get taken(): number {
    return this.#taken;
  }

  get isIdle(): boolean {
    return this.#taken === 0 && this.#waiting === 0;
  }

  /** The seats that the level could hold now: its own, borrowed ones, and free ones of the pool. */
  get currentLimit(): number {
    const { lower, upper } = this.#limits;
    return Math.min(upper, Math.max(lower, this.#taken) + this.#dependencies.pool.free);
  }

  configure({ type, limited }: PriorityLevelConfigurationSpec, limits: SeatLimits): void {
    this.#exempt = type === 'Exempt';
    this.#limits = limits;
    this.#queuing = limited?.limitResponse.queuing;
    if (this.#queuing === undefined) return;
    if (this.#queues === undefined) this.#queues = new FairQueues(this.#queuing);
    else this.#queues.configure(this.#queuing);
  }

  /** As upstream: a request takes at most a part of the seats of a level. */
  widthOf(seats: number): number {
    if (seats === 1 || this.#exempt) return 1;
    const { nominal } = this.#limits;
    const perHand = Math.floor(nominal / (this.#queuing?.handSize ?? 1));
    return Math.min(seats, Math.max(1, Math.min(Math.ceil(nominal * WIDTH_PART), perHand)));
  }

  get nextWidth(): number {
    return this.#queues?.nextWidth ?? 1;
  }

  /** Takes seats without waiting, when they are free and no request waits. */
  tryTake(width: number): boolean {
    if (!this.#exempt) {
      if (this.#waiting > 0 || !this.#dependencies.pool.mayTake(this, width)) return false;
      this.#dependencies.pool.take(this, width);
    }
    this.#addTaken(width);
    return true;
  }

  release(width: number): void {
    this.#addTaken(-width);
    if (!this.#exempt) this.#dependencies.pool.release(this, width);
  }

  wait(
    flow: RequestFlow,
    { waitMsMax, width: wanted = 1, cancelled }: WaitLimit,
  ): Promise<Seat | undefined> | undefined {
    const queuing = this.#queuing;
    const queues = this.#queues;
    if (queuing === undefined || queues === undefined)
      return this.#reject(flow, 'concurrency-limit');
    const { metrics } = flow;
    const { promise, resolve } = Promise.withResolvers<Seat | undefined>();
    const startMs = performance.now();
    const end = (seat: Seat | undefined) => {
      cancelTimer();
      cancelled.removeEventListener('abort', cancel);
      metrics.inQueue.add(-1);
      metrics.waited(seat !== undefined, performance.now() - startMs);
      resolve(seat);
    };
    const width = this.widthOf(wanted);
    const waiter: Waiter = {
      width,
      finish: (queue) => end(queue && this.#seat(flow, queues, { queue, width })),
    };
    const leave = cancelled.aborted ? undefined : queues.enter(flow.hand(queuing), waiter);
    if (leave === undefined) return this.#reject(flow, 'queue-full');
    const cancel = () => {
      if (!leave()) return;
      this.#dependencies.metrics.demand(this.#demand);
      this.#reject(flow, 'time-out');
      end(undefined);
    };
    const cancelTimer = this.#dependencies.clock.schedule(waitMsMax, cancel);
    cancelled.addEventListener('abort', cancel);
    metrics.inQueue.add(1);
    this.#dependencies.metrics.demand(this.#demand);
    this.#dependencies.pool.addWaiting(this);
    return promise;
  }

  /** Called by the pool when it has enough seats for the next request. */
  seatNext(): boolean {
    const next = this.#queues?.next();
    if (next === undefined) return false;
    const { width } = next.waiter;
    this.#dependencies.pool.take(this, width);
    this.#addTaken(width);
    next.waiter.finish(next.queue);
    return this.#waiting > 0;
  }

  #seat(
    { metrics }: RequestFlow,
    queues: FairQueues,
    { queue, width }: { readonly queue: Queue; readonly width: number },
  ): Seat {
    const startMs = performance.now();
    metrics.started(width);
    return {
      release: () => {
        metrics.ended(width);
        queues.charge(queue, performance.now() - startMs, width);
        this.release(width);
      },
    };
  }

  #reject({ metrics }: RequestFlow, reason: string): undefined {
    this.retryAfter.add();
    metrics.rejected(reason);
  }

  get #waiting(): number {
    return this.#queues?.size ?? 0;
  }

  get #demand(): number {
    return this.#taken + this.#waiting;
  }

  #addTaken(by: number): void {
    this.#taken += by;
    this.#dependencies.metrics.demand(this.#demand);
  }
}
