import type { Connections, PoolLimits } from '@tributary/client/connections';
import { BackendFailure } from './backend.ts';
import type { BackendServer } from './backend-config.ts';
import type { BackendMetrics } from './backend-metrics.ts';
import type { Bounds } from './bounds.ts';
import { allConnections, type PooledTarget, poolTarget, targetKey } from './pooled-target.ts';
import type { FindTargets, Target } from './target.ts';
import { createTrust, type FrontProxyIdentity, type Trust } from './trust.ts';

/** Few probes are in flight at once, and they must never wait for other requests. */
const PROBE_CONNECTIONS_MAX = 16;

export interface BackendPoolOptions {
  readonly findTargets: FindTargets;
  readonly identity: () => FrontProxyIdentity | undefined;
  readonly metrics: BackendMetrics;
  readonly limits: Omit<PoolLimits, 'connectionsMax'>;
  readonly bounds: Bounds;
}

/** All connections to one server: to its ready targets, with its present TLS settings. */
export class BackendPool {
  readonly limits: { readonly [use in 'request' | 'watch' | 'probe']: PoolLimits };
  readonly #options: BackendPoolOptions;
  #trust: Trust;
  #server: BackendServer;
  /** The list that was found last; the same list is not compared again. */
  #found: readonly Target[] = [];
  #pooled: readonly PooledTarget[] = [];
  /** Connections of former targets and settings, until their requests have ended. */
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

  /** The targets that can be sent requests now. Throws when there are none. */
  targets(): readonly PooledTarget[] {
    const found = this.#options.findTargets(this.#server.remote);
    if ('problem' in found) {
      const { message } = found.problem;
      throw new BackendFailure(message, { hop: 'target', maybeProcessed: false });
    }
    if (found.targets !== this.#found) this.#follow(found.targets);
    return this.#pooled;
  }

  /** Uses a changed configuration for new connections; changed TLS settings retire the others. */
  adopt(server: BackendServer): void {
    const before = this.#server.remote;
    const { remote } = server;
    this.#server = server;
    const isBelieved =
      before.caBundle === remote.caBundle &&
      before.insecureSkipTlsVerify === remote.insecureSkipTlsVerify;
    if (!isBelieved) this.renew();
  }

  /** Uses new certificates: those of the server's authorities, or our own. */
  renew(): void {
    this.#trust = this.#newTrust();
    this.retire();
  }

  closeIdle(): void {
    for (const connections of this.#all()) connections.closeIdle();
  }

  /** Closes all connections when their requests have ended. The next request makes new ones. */
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
