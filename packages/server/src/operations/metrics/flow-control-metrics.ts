import { CounterFamily, GaugeFamily, type Histogram, HistogramFamily } from './family.ts';
import type { MetricsRegistry } from './registry.ts';

const WAIT_BUCKETS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const DEMAND_BUCKETS = [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6];
const LEVEL = ['priority_level'];
const SCHEMA = ['priority_level', 'flow_schema'];

export type FlowControlMetrics = ReturnType<typeof flowControlMetrics>;

/** Who was served, waited and was turned away, by priority level and flow schema. */
export function flowControlMetrics(registry: MetricsRegistry) {
  const name = (suffix: string) => `apiserver_flowcontrol_${suffix}`;
  const counter = (suffix: string, help: string, labelNames: string[]) =>
    registry.add(new CounterFamily({ name: name(suffix), help, labelNames }));
  const gauge = (suffix: string, help: string, labelNames: string[]) =>
    registry.add(new GaugeFamily({ name: name(suffix), help, labelNames }));
  const histogram = (suffix: string, help: string, labelNames: string[], buckets: number[]) =>
    registry.add(new HistogramFamily({ name: name(suffix), help, labelNames, buckets }));
  return {
    rejected: counter('rejected_requests_total', 'Requests that were turned away', [
      ...SCHEMA,
      'reason',
    ]),
    dispatched: counter('dispatched_requests_total', 'Requests that got a seat', SCHEMA),
    inQueue: gauge('current_inqueue_requests', 'Requests that wait for a seat', SCHEMA),
    executing: gauge('current_executing_requests', 'Requests that have a seat', SCHEMA),
    executingSeats: gauge('current_executing_seats', 'Seats that are taken', SCHEMA),
    waitSeconds: histogram(
      'request_wait_duration_seconds',
      'How long requests waited for a seat',
      [...SCHEMA, 'execute'],
      WAIT_BUCKETS,
    ),
    nominal: gauge('nominal_limit_seats', 'The share of a level of all seats', LEVEL),
    lower: gauge('lower_limit_seats', 'Seats that a level never lends', LEVEL),
    upper: gauge('upper_limit_seats', 'Seats of a level with all that it may borrow', LEVEL),
    current: gauge('current_limit_seats', 'Seats that a level could have at the moment', LEVEL),
    demand: histogram(
      'demand_seats',
      'Nanoseconds by how many seats a level could use, as a part of its share',
      LEVEL,
      DEMAND_BUCKETS,
    ),
  };
}

/** A number over time: a histogram of how long it was how high, in nanoseconds. */
export class TimedLevel {
  readonly #histogram: Histogram;
  readonly #nowMs: () => number;
  #value = 0;
  #sinceMs: number;
  /** What counts as 1. */
  unit = 1;

  constructor(histogram: Histogram, nowMs: () => number = () => performance.now()) {
    this.#histogram = histogram;
    this.#nowMs = nowMs;
    this.#sinceMs = nowMs();
  }

  /** Counts the time until now, and goes on with another value. */
  set(value: number): void {
    const nowMs = this.#nowMs();
    this.#histogram.observe(this.#value / this.unit, Math.round((nowMs - this.#sinceMs) * 1e6));
    this.#value = value;
    this.#sinceMs = nowMs;
  }

  settle(): void {
    this.set(this.#value);
  }
}
