import type { Clock } from '@tributary/client';
import { BackendFailure, type BackendRequest } from './backend.ts';
import type { BackendLimits } from './backend-config.ts';
import type { BackendMetrics, ExceededLimit } from './backend-metrics.ts';
import { ByteRate, DEBT_SECONDS_MAX } from './byte-rate.ts';
import { RequestRate } from './request-rate.ts';

/** Estimates: requests end soon, watches when their clients leave. */
const RETRY_AFTER_SECONDS = { request: 1, watch: 5 } as const;

/** The limits of one server, and its requests in flight. A changed limit does not end requests in flight. */
export class Bounds {
  requests = 0;
  watches = 0;
  readonly #name: string;
  readonly #metrics: BackendMetrics;
  readonly #clock: Clock;
  #limits: BackendLimits;
  #rate: ByteRate | undefined;
  #requestRate: RequestRate | undefined;

  constructor(
    name: string,
    limits: BackendLimits,
    { metrics, clock }: { metrics: BackendMetrics; clock: Clock },
  ) {
    this.#name = name;
    this.#metrics = metrics;
    this.#clock = clock;
    this.#limits = limits;
    this.limits = limits;
  }

  get limits(): BackendLimits {
    return this.#limits;
  }

  set limits(limits: BackendLimits) {
    const { bytesPerSecondMax, requestsPerSecondMax } = limits;
    this.#limits = limits;
    if (requestsPerSecondMax === undefined) this.#requestRate = undefined;
    else if (this.#requestRate === undefined) {
      this.#requestRate = new RequestRate(requestsPerSecondMax, this.#clock);
    } else this.#requestRate.perSecond = requestsPerSecondMax;
    if (bytesPerSecondMax === undefined) this.#rate = undefined;
    else if (this.#rate === undefined) this.#rate = new ByteRate(bytesPerSecondMax, this.#clock);
    else this.#rate.bytesPerSecond = bytesPerSecondMax;
  }

  /** The limit on bytes of responses; probes have none. */
  get rate(): ByteRate | undefined {
    return this.#rate;
  }

  /** Counts a request until `leave`, or throws. */
  enter(use: BackendRequest['use']): void {
    if (use === 'probe') return;
    const debtSeconds = this.#rate?.debtSeconds ?? 0;
    if (debtSeconds > DEBT_SECONDS_MAX) {
      const problem = `its responses have more than ${this.#limits.bytesPerSecondMax} bytes per second`;
      throw this.#busy('bytes', problem, Math.ceil(debtSeconds));
    }
    this.#requirePlace(use);
    const waitSeconds = this.#requestRate?.take() ?? 0;
    if (waitSeconds > 0) {
      const problem = `more than ${this.#limits.requestsPerSecondMax} requests per second`;
      throw this.#busy('rate', problem, Math.ceil(waitSeconds));
    }
    if (use === 'watch') this.watches += 1;
    else this.requests += 1;
  }

  #requirePlace(use: 'request' | 'watch'): void {
    if (use === 'watch') {
      if (this.watches >= this.#limits.watchesMax) {
        const problem = `${this.watches} watches are open there already`;
        throw this.#busy('watches', problem, RETRY_AFTER_SECONDS.watch);
      }
      return;
    }
    if (this.requests >= this.#limits.requestsInFlightMax) {
      const problem = `${this.requests} requests are under way there already`;
      throw this.#busy('requests', problem, RETRY_AFTER_SECONDS.request);
    }
  }

  leave(use: BackendRequest['use']): void {
    if (use === 'watch') this.watches -= 1;
    else if (use === 'request') this.requests -= 1;
  }

  #busy(limit: ExceededLimit, problem: string, retryAfterSeconds: number): BackendFailure {
    this.#metrics.rejected(this.#name, limit);
    return new BackendFailure(`too many requests for the server of ${this.#name}: ${problem}`, {
      hop: 'busy',
      maybeProcessed: false,
      retryAfterSeconds,
    });
  }
}
