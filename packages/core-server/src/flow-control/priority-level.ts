import type { PriorityLevelConfigurationSpec } from '@tributary/api/flowcontrol-v1';
import type { Seat, WaitLimit } from '@tributary/server/filters';
import type { Clock } from '@tributary/storage';
import { FairQueues, type Queue, type QueuingOptions, type Waiter } from './fair-queues.ts';
import type { LevelFigures, SchemaFigures } from './metrics.ts';
import { RetryAfter } from './retry-after.ts';
import type { SeatLimits } from './seat-limits.ts';
import type { SeatHolder, SeatPool } from './seat-pool.ts';

interface LevelParts {
  readonly clock: Clock;
  readonly pool: SeatPool;
  readonly figures: LevelFigures;
}

/** Whoever waits or was seated; its figures are those of its schema. */
export interface Seated {
  readonly figures: SchemaFigures;
  /** Its queues. */
  hand(queuing: QueuingOptions): readonly number[];
}

/** Of the nominal seats of a level. */
const WIDTH_PART = 0.15;

/** The seats of a priority level, and who waits for them. */
export class PriorityLevel implements SeatHolder {
  readonly retryAfter: RetryAfter;
  readonly #parts: LevelParts;
  #exempt = false;
  #limits: SeatLimits = { nominal: 0, lower: 0, upper: 0 };
  #queuing: QueuingOptions | undefined;
  #queues: FairQueues | undefined;
  #taken = 0;

  constructor(parts: LevelParts) {
    this.#parts = parts;
    this.retryAfter = new RetryAfter(() => parts.clock.nowMs());
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

  /** What it could hold right now: its own, what it has borrowed, and what nobody uses. */
  get currentLimit(): number {
    const { lower, upper } = this.#limits;
    return Math.min(upper, Math.max(lower, this.#taken) + this.#parts.pool.free);
  }

  configure({ type, limited }: PriorityLevelConfigurationSpec, limits: SeatLimits): void {
    this.#exempt = type === 'Exempt';
    this.#limits = limits;
    this.#queuing = limited?.limitResponse.queuing;
    if (this.#queuing === undefined) return;
    if (this.#queues === undefined) this.#queues = new FairQueues(this.#queuing);
    else this.#queues.configure(this.#queuing);
  }

  /** As upstream: no request takes more than a part of a level. */
  widthOf(seats: number): number {
    if (seats === 1 || this.#exempt) return 1;
    const { nominal } = this.#limits;
    const perHand = Math.floor(nominal / (this.#queuing?.handSize ?? 1));
    return Math.min(seats, Math.max(1, Math.min(Math.ceil(nominal * WIDTH_PART), perHand)));
  }

  get nextWidth(): number {
    return this.#queues?.nextWidth ?? 1;
  }

  /** Seats without waiting: nobody else waits, and they are free. */
  tryTake(width: number): boolean {
    if (!this.#exempt) {
      if (this.#waiting > 0 || !this.#parts.pool.mayTake(this, width)) return false;
      this.#parts.pool.take(this, width);
    }
    this.#count(width);
    return true;
  }

  release(width: number): void {
    this.#count(-width);
    if (!this.#exempt) this.#parts.pool.giveBack(this, width);
  }

  wait(
    flow: Seated,
    { waitMsMax, width: wanted = 1, cancelled }: WaitLimit,
  ): Promise<Seat | undefined> | undefined {
    const queuing = this.#queuing;
    const queues = this.#queues;
    if (queuing === undefined || queues === undefined)
      return this.#refuse(flow, 'concurrency-limit');
    const { figures } = flow;
    const { promise, resolve } = Promise.withResolvers<Seat | undefined>();
    const startMs = performance.now();
    const end = (seat: Seat | undefined) => {
      cancelTimer();
      cancelled.removeEventListener('abort', giveUp);
      figures.inQueue.add(-1);
      figures.waited(seat !== undefined, performance.now() - startMs);
      resolve(seat);
    };
    const width = this.widthOf(wanted);
    const waiter: Waiter = {
      width,
      settle: (queue) => end(queue && this.#seat(flow, queues, { queue, width })),
    };
    const leave = cancelled.aborted ? undefined : queues.enter(flow.hand(queuing), waiter);
    if (leave === undefined) return this.#refuse(flow, 'queue-full');
    const giveUp = () => {
      if (!leave()) return;
      this.#parts.figures.demand(this.#demand);
      this.#refuse(flow, 'time-out');
      end(undefined);
    };
    const cancelTimer = this.#parts.clock.schedule(waitMsMax, giveUp);
    cancelled.addEventListener('abort', giveUp);
    figures.inQueue.add(1);
    this.#parts.figures.demand(this.#demand);
    this.#parts.pool.await(this);
    return promise;
  }

  /** Called by the pool, which has a seat. */
  seatNext(): boolean {
    const next = this.#queues?.next();
    if (next === undefined) return false;
    const { width } = next.waiter;
    this.#parts.pool.take(this, width);
    this.#count(width);
    next.waiter.settle(next.queue);
    return this.#waiting > 0;
  }

  #seat(
    { figures }: Seated,
    queues: FairQueues,
    { queue, width }: { readonly queue: Queue; readonly width: number },
  ): Seat {
    const startMs = performance.now();
    figures.started(width);
    return {
      release: () => {
        figures.ended(width);
        queues.charge(queue, performance.now() - startMs, width);
        this.release(width);
      },
    };
  }

  #refuse({ figures }: Seated, reason: string): undefined {
    this.retryAfter.add();
    figures.rejected(reason);
  }

  get #waiting(): number {
    return this.#queues?.size ?? 0;
  }

  get #demand(): number {
    return this.#taken + this.#waiting;
  }

  #count(by: number): void {
    this.#taken += by;
    this.#parts.figures.demand(this.#demand);
  }
}
