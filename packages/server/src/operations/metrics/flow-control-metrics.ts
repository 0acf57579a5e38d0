import { CounterFamily, GaugeFamily, type Histogram, HistogramFamily } from './family.ts';
import type { MetricsRegistry } from './registry.ts';

const WAIT_BUCKETS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const DEMAND_BUCKETS = [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6];
const LEVEL = ['priority_level'];
const SCHEMA = ['priority_level', 'flow_schema'];

export type FlowControlMetrics = ReturnType<typeof flowControlMetrics>;

/** Metrics of executed, queued and rejected requests, by priority level and flow schema. */
export function flowControlMetrics(registry: MetricsRegistry) {
  const name = (suffix: string) => `apiserver_flowcontrol_${suffix}`;
  const counter = (suffix: string, help: string, labelNames: string[]) =>
    registry.add(new CounterFamily({ name: name(suffix), help, labelNames }));
  const gauge = (suffix: string, help: string, labelNames: string[]) =>
    registry.add(new GaugeFamily({ name: name(suffix), help, labelNames }));
  const histogram = (suffix: string, help: string, labelNames: string[], buckets: number[]) =>
    registry.add(new HistogramFamily({ name: name(suffix), help, labelNames, buckets }));
  return {
    rejected: counter('rejected_requests_total', 'Requests rejected by flow control', [
      ...SCHEMA,
      'reason',
    ]),
    dispatched: counter('dispatched_requests_total', 'Requests dispatched for execution', SCHEMA),
    inQueue: gauge('current_inqueue_requests', 'Queued requests', SCHEMA),
    executing: gauge('current_executing_requests', 'Requests being executed', SCHEMA),
    executingSeats: gauge(
      'current_executing_seats',
      'Seats occupied by requests being executed',
      SCHEMA,
    ),
    waitSeconds: histogram(
      'request_wait_duration_seconds',
      'Time that requests spent in a queue',
      [...SCHEMA, 'execute'],
      WAIT_BUCKETS,
    ),
    nominal: gauge(
      'nominal_limit_seats',
      'Nominal concurrency limit of a priority level, in seats',
      LEVEL,
    ),
    lower: gauge('lower_limit_seats', 'Seats that a priority level does not lend', LEVEL),
    upper: gauge(
      'upper_limit_seats',
      'Upper bound of the concurrency limit, with borrowed seats',
      LEVEL,
    ),
    current: gauge(
      'current_limit_seats',
      'Current concurrency limit of a priority level, in seats',
      LEVEL,
    ),
    demand: histogram(
      'demand_seats',
      'Seat demand relative to the nominal limit, weighted by nanoseconds',
      LEVEL,
      DEMAND_BUCKETS,
    ),
  };
}

/** A number over time: a histogram of its values, weighted by nanoseconds. */
export class TimedLevel {
  readonly #histogram: Histogram;
  readonly #nowMs: () => number;
  #value = 0;
  #sinceMs: number;
  /** The value that is observed as 1. */
  unit = 1;

  constructor(histogram: Histogram, nowMs: () => number = () => performance.now()) {
    this.#histogram = histogram;
    this.#nowMs = nowMs;
    this.#sinceMs = nowMs();
  }

  /** Observes the value until now, and replaces it. */
  set(value: number): void {
    const nowMs = this.#nowMs();
    this.#histogram.observe(this.#value / this.unit, Math.round((nowMs - this.#sinceMs) * 1e6));
    this.#value = value;
    this.#sinceMs = nowMs;
  }

  update(): void {
    this.set(this.#value);
  }
}
