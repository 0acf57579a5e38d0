import { Readable } from 'node:stream';
import type { Clock, Exchange } from '@tributary/client';
import {
  requestUpgrade,
  type UpgradeLimits,
  type UpgradeOutcome,
} from '@tributary/client/connections';
import {
  type Backend,
  BackendFailure,
  type BackendRequest,
  type BackendResponse,
  type OnEvidence,
  ProbeTimeout,
  type UpgradeResponse,
} from './backend.ts';
import type { BackendServer } from './backend-config.ts';
import type { BackendMetrics } from './backend-metrics.ts';
import type { BackendPool } from './backend-pool.ts';
import type { Bounds } from './bounds.ts';
import { chooseTarget } from './choose-target.ts';
import { addressOf, explainFailure, isRequestsFault, isWeakDigest } from './explain-failure.ts';
import { isRepeatable, mayRetry } from './may-retry.ts';
import { connectionsFor, type PooledTarget } from './pooled-target.ts';
import { responseBody } from './response-body.ts';

/** A target that could not be connected to is avoided for so long while there are others. */
const AVOIDED_MS = 2000;

export interface ConnectedBackendOptions {
  readonly pool: BackendPool;
  readonly bounds: Bounds;
  readonly onEvidence: OnEvidence;
  readonly metrics: BackendMetrics;
  readonly clock: Clock;
  readonly random: () => number;
  readonly upgradeLimits: UpgradeLimits;
}

/** One attempt on a connection. */
type Attempt<T> = (pooled: PooledTarget, wire: Parameters<typeof requestUpgrade>[1]) => Promise<T>;

export class ConnectedBackend implements Backend {
  readonly server: BackendServer;
  readonly #options: ConnectedBackendOptions;

  constructor(server: BackendServer, options: ConnectedBackendOptions) {
    this.server = server;
    this.#options = options;
  }

  async send(request: BackendRequest): Promise<BackendResponse> {
    const { use } = request;
    const { limits } = this.#options.pool;
    const { outcome, pooled } = await this.#withRetry(request, (asked, wire) =>
      connectionsFor(asked, use, limits).open(wire),
    );
    return this.#response(request, outcome, pooled);
  }

  async upgrade(request: BackendRequest): Promise<UpgradeResponse> {
    const { upgradeLimits } = this.#options;
    const { outcome, pooled } = await this.#withRetry<UpgradeOutcome>(request, (asked, wire) =>
      requestUpgrade(asked.endpoint, wire, upgradeLimits),
    );
    const { target } = pooled;
    if (outcome.kind === 'response') {
      return { kind: 'response', ...this.#response(request, outcome.exchange, pooled) };
    }
    const { head, connection } = outcome;
    return { kind: 'upgraded', status: 101, head, connection, target };
  }

  dropIdle(): void {
    this.#options.pool.closeIdle();
  }

  /** Sends a request, and once more where a retry is safe. The request counts until its exchange has ended. */
  async #withRetry<T>(
    request: BackendRequest,
    attempt: Attempt<T>,
  ): Promise<{ readonly outcome: T; readonly pooled: PooledTarget }> {
    const { pool, bounds, metrics } = this.#options;
    const { use, signal } = request;
    signal.throwIfAborted();
    // The body may fail while the connection is made, before it has a listener.
    if (request.body instanceof Readable) request.body.on('error', () => {});
    bounds.enter(use);
    const place = { leave: () => bounds.leave(use) };
    try {
      const targets = pool.targets();
      const first = this.#choose(targets, request);
      if (first === undefined) throw nobody();
      try {
        return targets.length > 1 && use === 'request' && isRepeatable(request)
          ? await this.#attemptUnlessSilent(request, first, place, attempt)
          : await this.#attempt(request, first, place, attempt);
      } catch (error) {
        const second = this.#second(request, first, error);
        if (second === undefined) throw error;
        metrics.retried(this.server.name);
        return await this.#attempt(request, second, place, attempt);
      }
    } catch (error) {
      place.leave();
      this.#report(request, error);
      throw error;
    }
  }

  /** Sends a read, which does not wait for a silent target while there are others. */
  async #attemptUnlessSilent<T>(
    request: BackendRequest,
    pooled: PooledTarget,
    place: { leave(): void },
    attempt: Attempt<T>,
  ): Promise<{ readonly outcome: T; readonly pooled: PooledTarget }> {
    const { signal } = request;
    const own = new AbortController();
    const end = (): void => own.abort(signal.reason);
    const leave = (failure: BackendFailure): void => own.abort(failure);
    signal.addEventListener('abort', end, { once: true });
    pooled.waiting.add(leave);
    // The exchange outlives the wait: the client may leave during the body.
    const asked = { ...request, signal: own.signal };
    try {
      return await this.#attempt(asked, pooled, place, attempt, () =>
        signal.removeEventListener('abort', end),
      );
    } catch (error) {
      signal.removeEventListener('abort', end);
      throw error;
    } finally {
      pooled.waiting.delete(leave);
    }
  }

  async #attempt<T>(
    request: BackendRequest,
    pooled: PooledTarget,
    place: { leave(): void },
    attempt: Attempt<T>,
    onOver?: () => void,
  ): Promise<{ readonly outcome: T; readonly pooled: PooledTarget }> {
    const { use, headersFor, headers } = request;
    const { target, inFlight } = pooled;
    let isOver = false;
    let hasResponse = false;
    const onEnd = (): void => {
      isOver = true;
      inFlight[use] -= 1;
      onOver?.();
      if (hasResponse) place.leave();
    };
    inFlight[use] += 1;
    try {
      const outcome = await attempt(pooled, {
        method: request.method,
        path: request.path,
        headers: headersFor === undefined ? headers : [...headers, ...headersFor(target)],
        body: request.body,
        signal: request.signal,
        subject: `${request.method} ${addressOf(target)}`,
        onEnd,
        onInterim: request.onInterim,
      });
      hasResponse = true;
      if (isOver) place.leave();
      if (use !== 'probe') this.#options.onEvidence(this.server, success(target));
      pooled.avoidedUntilMs = 0;
      return { outcome, pooled };
    } catch (error) {
      if (!isOver) onEnd();
      if (request.signal.reason instanceof ProbeTimeout) this.#foundSilent(pooled);
      throw this.#failed(error, pooled);
    }
  }

  #choose(
    targets: readonly PooledTarget[],
    { use }: BackendRequest,
    except?: PooledTarget,
  ): PooledTarget | undefined {
    const { clock, random } = this.#options;
    return chooseTarget(targets, { use, nowMs: clock.nowMs(), random, except });
  }

  #second(request: BackendRequest, first: PooledTarget, error: unknown): PooledTarget | undefined {
    if (!(error instanceof BackendFailure) || request.signal.aborted) return undefined;
    const { elsewhere, sameTarget } = mayRetry(request, error);
    if (!elsewhere) return undefined;
    const other = this.#choose(this.#options.pool.targets(), request, first);
    return other ?? (sameTarget ? first : undefined);
  }

  /** Avoids a silent target for a while, and sends its waiting reads to others. */
  #foundSilent(pooled: PooledTarget): void {
    const { clock, pool } = this.#options;
    if (pool.targets().length < 2) return;
    pooled.avoidedUntilMs = clock.nowMs() + AVOIDED_MS;
    const { target } = pooled;
    const message = `${addressOf(target)}: no response, and probes get none either`;
    const details = { hop: 'silent', maybeProcessed: true, target } as const;
    for (const leave of pooled.waiting) leave(new BackendFailure(message, details));
  }

  #failed(error: unknown, pooled: PooledTarget): unknown {
    const { clock, metrics } = this.#options;
    const failure = explainFailure(error, pooled.target);
    if (!(failure instanceof BackendFailure)) return failure;
    if (failure.hop === 'ca' && isWeakDigest(failure)) metrics.insecureSha1();
    const isServers = !isRequestsFault(failure);
    if (isServers && !failure.maybeProcessed) pooled.avoidedUntilMs = clock.nowMs() + AVOIDED_MS;
    return failure;
  }

  #response(
    request: BackendRequest,
    exchange: Exchange,
    { target }: PooledTarget,
  ): BackendResponse {
    const { bounds, clock } = this.#options;
    const { status, rawHeaders, body, trailers, cancel } = exchange;
    const explain = (error: unknown): unknown => {
      const failure = explainFailure(error, target);
      this.#report(request, failure);
      return failure;
    };
    const rate = () => (request.use === 'probe' ? undefined : bounds.rate);
    return {
      status,
      headers: rawHeaders,
      body: responseBody(body, { explain, rate, clock, signal: request.signal }),
      ...(trailers !== undefined && { trailers }),
      target,
      cancel,
    };
  }

  /** Local limits, missing targets and clients that left are no evidence about the server. */
  #report({ use }: BackendRequest, failure: unknown): void {
    if (use === 'probe' || !(failure instanceof BackendFailure)) return;
    if (failure.hop === 'target' || isRequestsFault(failure)) return;
    this.#options.onEvidence(this.server, { failure, target: failure.target });
  }
}

function success(target: PooledTarget['target']): Parameters<OnEvidence>[1] {
  return { failure: undefined, target };
}

function nobody(): BackendFailure {
  return new BackendFailure('no process of the server is known', {
    hop: 'target',
    maybeProcessed: false,
  });
}
