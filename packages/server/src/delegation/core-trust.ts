import { StatusError } from '@tributary/apimachinery';
import { type Client, createInformer, type Subscription } from '@tributary/client';
import type { Clock } from '@tributary/storage';
import type { Reload, TrustSource } from '../auth/trust-source.ts';
import type { HealthCheck } from '../operations/health/health.ts';
import type { Logger } from '../operations/logging/logger.ts';
import { CORE_BACKOFF } from './core-backoff.ts';
import { repeatedErrors } from './repeated-errors.ts';
import {
  type ConfigMap,
  TRUST_NAME,
  TRUST_NAMESPACE,
  type TrustPart,
  trustParts,
  type WantedTrust,
} from './trust-config-map.ts';

interface CoreTrustOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly wanted: WantedTrust;
  /** Reports ready although the core server is unavailable; users that it would vouch for are then unknown. */
  readonly tolerateLookupFailure: boolean;
}

/** The CAs that a core server publishes as trusted. */
interface CoreTrust extends TrustSource, AsyncDisposable {
  readonly healthCheck: HealthCheck;
}

const RECHECK_MS = 60_000;
const KEY = `${TRUST_NAMESPACE}/${TRUST_NAME}`;
const HINT = `the role extension-apiserver-authentication-reader must be bound to this server: kubectl create rolebinding -n ${TRUST_NAMESPACE} NAME --role=extension-apiserver-authentication-reader --serviceaccount=NAMESPACE:ACCOUNT`;

/**
 * Watches the ConfigMap in which the core server publishes its trusted CAs. Deletion and invalid values have no effect.
 */
export function followCoreTrust(options: CoreTrustOptions): CoreTrust {
  const { client, clock, log, tolerateLookupFailure } = options;
  const trust = new TrustConfigMap(trustParts(options.wanted), log);
  const problems = repeatedErrors(log, clock, 'Failed to read client CAs from the core server');
  const configMaps = client
    .resource<ConfigMap>({ group: '', version: 'v1', plural: 'configmaps', namespaced: true })
    .in(TRUST_NAMESPACE);
  const informer = createInformer<ConfigMap>({
    resource: configMaps,
    fieldSelector: `metadata.name=${TRUST_NAME}`,
    backoff: CORE_BACKOFF,
    onError: (error) => problems.add(withRoleHint(error)),
  });
  const take = (configMap: ConfigMap): void => trust.take(configMap);
  const subscription = informer.addHandler({ onAdd: take, onUpdate: (_, now) => take(now) });
  const stop = new AbortController();
  const recheck = async (): Promise<void> => {
    const current = informer.store.get(KEY);
    try {
      const found = await configMaps.get(TRUST_NAME, { signal: stop.signal, retriesMax: 0 });
      // An event of the watch is newer than the read.
      if (informer.store.get(KEY) === current) trust.take(found);
    } catch (error) {
      if (!stop.signal.aborted && !isNotFound(error)) problems.add(withRoleHint(error));
    }
  };
  const stopRechecks = every(clock, RECHECK_MS, recheck);
  informer.start();
  return {
    follow: (listener) => trust.follow(listener),
    healthCheck: {
      name: 'authentication-trust',
      endpoints: ['readyz'],
      check: () => missing(subscription, problems.last, tolerateLookupFailure),
    },
    [Symbol.asyncDispose]: async () => {
      stopRechecks();
      stop.abort(new Error('the server is closed'));
      await informer.close();
    },
  };
}

/** The last valid value of each part of the ConfigMap, and its listeners. */
class TrustConfigMap {
  readonly #parts: readonly TrustPart[];
  readonly #log: Logger;
  readonly #current = new Map<TrustPart, Reload>();
  readonly #listeners = new Set<(changed: Reload) => void>();

  constructor(parts: readonly TrustPart[], log: Logger) {
    this.#parts = parts;
    this.#log = log;
  }

  take({ data = {} }: ConfigMap): void {
    for (const part of this.#parts) {
      try {
        this.#takePart(part, part.read(data));
      } catch (error) {
        this.#log.error(error, `Ignoring invalid ${part.name} from the core server`);
      }
    }
  }

  follow(listener: (changed: Reload) => void): () => void {
    this.#listeners.add(listener);
    for (const changed of this.#current.values()) listener(changed);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #takePart(part: TrustPart, changed: Reload | undefined): void {
    if (changed === undefined) return;
    if (JSON.stringify(this.#current.get(part)) === JSON.stringify(changed)) return;
    for (const listener of this.#listeners) listener(changed);
    this.#current.set(part, changed);
    this.#log.info(`Loaded ${part.name} from the core server`);
  }
}

function missing(
  subscription: Subscription,
  problem: string | undefined,
  isTolerated: boolean,
): string | undefined {
  if (subscription.synced || (problem !== undefined && isTolerated)) return undefined;
  return `ConfigMap ${KEY} has not been read: ${problem ?? 'no response yet'}`;
}

function withRoleHint(error: unknown): unknown {
  if (!(error instanceof StatusError) || error.code !== 403) return error;
  return new Error(`${error.message}; ${HINT}`, { cause: error });
}

function isNotFound(error: unknown): boolean {
  return error instanceof StatusError && error.code === 404;
}

function every(clock: Clock, periodMs: number, run: () => Promise<void>): () => void {
  let cancel: (() => void) | undefined;
  let isStopped = false;
  const next = () => {
    if (!isStopped) cancel = clock.schedule(periodMs, () => void run().finally(next));
  };
  next();
  return () => {
    isStopped = true;
    cancel?.();
  };
}
