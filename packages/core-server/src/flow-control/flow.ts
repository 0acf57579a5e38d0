import type { FlowSchemaSpec } from '@tributary/api/flowcontrol-v1';
import type { AccessInfo, UserInfo } from '@tributary/server';
import type { Flow, Seat, WaitLimit } from '@tributary/server/filters';
import type { QueuingOptions } from './fair-queues.ts';
import type { SchemaMetrics } from './metrics.ts';
import type { PriorityLevel, RequestFlow } from './priority-level.ts';
import { dealHand, hashFlow } from './shuffle-sharding.ts';

/** A FlowSchema whose priority level exists. */
export interface ActiveSchema {
  readonly name: string;
  readonly spec: FlowSchemaSpec;
  readonly headers: Flow['headers'];
  readonly level: PriorityLevel;
  readonly metrics: SchemaMetrics;
}

/** Requests of one schema with the same distinguisher. It is also the seat of requests that did not wait. */
export class SchemaFlow implements Flow, Seat, RequestFlow {
  readonly headers: Flow['headers'];
  readonly metrics: SchemaMetrics;
  readonly #schema: ActiveSchema;
  readonly #distinguisher: string;
  #hand: { readonly queuing: QueuingOptions; readonly numbers: readonly number[] } | undefined;

  constructor(schema: ActiveSchema, distinguisher: string) {
    this.headers = schema.headers;
    this.metrics = schema.metrics;
    this.#schema = schema;
    this.#distinguisher = distinguisher;
  }

  tryTake(width = 1): Seat | undefined {
    const { level } = this.#schema;
    const seats = level.widthOf(width);
    if (!level.tryTake(seats)) return undefined;
    this.metrics.started(seats);
    if (!level.isExempt) this.metrics.waited(true, 0);
    return seats === 1 ? this : { release: () => this.#release(seats) };
  }

  release(): void {
    this.#release(1);
  }

  #release(seats: number): void {
    this.metrics.ended(seats);
    this.#schema.level.release(seats);
  }

  wait(limit: WaitLimit): Promise<Seat | undefined> | undefined {
    return this.#schema.level.wait(this, limit);
  }

  retryAfterSeconds(): number {
    return this.#schema.level.retryAfter.seconds;
  }

  /** Computed when the first request has to wait. */
  hand(queuing: QueuingOptions): readonly number[] {
    if (this.#hand?.queuing !== queuing) {
      const flow = hashFlow(this.#schema.name, this.#distinguisher);
      this.#hand = { queuing, numbers: dealHand(flow, queuing) };
    }
    return this.#hand.numbers;
  }
}

export function distinguisherOf(
  { distinguisherMethod }: FlowSchemaSpec,
  user: UserInfo,
  info: AccessInfo,
): string {
  switch (distinguisherMethod?.type) {
    case 'ByUser':
      return user.name;
    case 'ByNamespace':
      return info.namespace;
    default:
      return '';
  }
}
