import type { Connections, PoolLimits } from '@tributary/client/connections';
import { BackendFailure } from './backend.ts';
import type { BackendServer } from './backend-config.ts';
import type { BackendMetrics } from './backend-metrics.ts';
import type { Bounds } from './bounds.ts';
import { allConnections, type PooledTarget, poolTarget, targetKey } from './pooled-target.ts';
import type { FindTargets, Target } from './target.ts';
import { createTrust, type FrontProxyIdentity, type Trust } from './trust.ts';

/** Few are under way at once, and they must always get through. */
const PROBE_CONNECTIONS_MAX = 16;

export interface BackendPoolOptions {
  readonly findTargets: FindTargets;
  readonly identity: () => FrontProxyIdentity | undefined;
  readonly metrics: BackendMetrics;
  readonly limits: Omit<PoolLimits, 'connectionsMax'>;
  readonly bounds: Bounds;
}

/** All connections to one server: to those of its processes that are ready, made with what is believed now. */
export class BackendPool {
  readonly limits: { readonly [use in 'request' | 'watch' | 'probe']: PoolLimits };
  readonly #options: BackendPoolOptions;
  #trust: Trust;
  #server: BackendServer;
  /** As they were found last; the same list is not looked at again. */
  #found: readonly Target[] = [];
  #pooled: readonly PooledTarget[] = [];
  /** Requests that are under way there may finish. */
  #retired: Connections[] = [];

  constructor(server: BackendServer, options: BackendPoolOptions) {
    this.#options = options;
    this.#server = server;
    this.#trust = this.#newTrust();
    const { limits, bounds } = options;
    // No more connections than requests: a server may take one stream at a time, or speak HTTP/1.1.
    const upTo = (connectionsMax: () => number): PoolLimits => ({
      ...limits,
      get connectionsMax() {
        return connectionsMax();
      },
    });
    this.limits = {
      request: {
        ...limits,
        get connectionsMax() {
          return bounds.limits.requestsInFlightMax;
        },
      },
      watch: upTo(() => bounds.limits.watchesMax),
      probe: upTo(() => PROBE_CONNECTIONS_MAX),
    };
  }

  /** Those that can be asked now. Throws when there are none. */
  targets(): readonly PooledTarget[] {
    const found = this.#options.findTargets(this.#server.remote);
    if ('problem' in found) {
      const { message } = found.problem;
      throw new BackendFailure(message, { hop: 'target', maybeProcessed: false });
    }
    if (found.targets !== this.#found) this.#follow(found.targets);
    return this.#pooled;
  }

  /** New connections are made as it says now; the others end with what is under way, when it matters to them. */
  adopt(server: BackendServer): void {
    const before = this.#server.remote;
    const { remote } = server;
    this.#server = server;
    const isBelieved =
      before.caBundle === remote.caBundle &&
      before.insecureSkipTlsVerify === remote.insecureSkipTlsVerify;
    if (!isBelieved) this.renew();
  }

  /** Whom to believe, or as whom to come, has changed. */
  renew(): void {
    this.#trust = this.#newTrust();
    this.retire();
  }

  closeIdle(): void {
    for (const connections of this.#all()) connections.closeIdle();
  }

  /** Everything ends with what is under way. The next request makes new connections. */
  retire(): void {
    this.#put(this.#pooled);
    this.#pooled = [];
    this.#found = [];
  }

  destroy(): void {
    for (const connections of this.#all()) connections.destroy();
    for (const connections of this.#retired) connections.destroy();
  }

  get counts(): { http1: number; http2: number } {
    const sum = { http1: 0, http2: 0 };
    for (const connections of [...this.#all(), ...this.#retired]) {
      sum.http1 += connections.counts.http1;
      sum.http2 += connections.counts.http2;
    }
    return sum;
  }

  #newTrust(): Trust {
    const { identity, metrics } = this.#options;
    return createTrust(this.#server.remote, identity(), metrics);
  }

  #all(): Connections[] {
    return this.#pooled.flatMap(allConnections);
  }

  #follow(targets: readonly Target[]): void {
    const known = new Map(this.#pooled.map((pooled) => [targetKey(pooled.target), pooled]));
    const pooled = new Map<string, PooledTarget>();
    for (const target of targets) {
      const key = targetKey(target);
      pooled.set(key, known.get(key) ?? poolTarget(target, this.#trust));
      known.delete(key);
    }
    this.#put([...known.values()]);
    this.#found = targets;
    this.#pooled = [...pooled.values()];
  }

  #put(gone: readonly PooledTarget[]): void {
    const connections = gone.flatMap(allConnections);
    for (const retired of connections) retired.retire();
    this.#retired = [...this.#retired, ...connections].filter(({ isDone }) => !isDone);
  }
}
