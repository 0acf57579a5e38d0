import { internalError, StatusError } from '@tributary/apimachinery';
import {
  type Client,
  createInformer,
  type Informer,
  type ResourceClient,
  sleep,
} from '@tributary/client';
import type { Clock } from '@tributary/storage';
import type { HealthCheck } from '../operations/health/health.ts';
import type { Logger } from '../operations/logging/logger.ts';
import {
  isOpenNamespace,
  type NamespaceGuard,
  type NamespaceState,
  requireOpenNamespace,
} from '../registry/namespace-guard.ts';
import { CORE_BACKOFF } from './core-backoff.ts';
import { ExpiringCache } from './expiring-cache.ts';
import { repeatedErrors } from './repeated-errors.ts';

interface CoreNamespacesOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The namespaces of the core server. */
interface CoreNamespaces extends NamespaceGuard, AsyncDisposable {
  readonly healthCheck: HealthCheck;
}

/** A new namespace may reach the informer a moment after a request for an object in it. */
const MISSING_WAIT_MS = 50;
/** After a live read found a namespace missing or terminating, the informer is distrusted for this time. */
const DISTRUST_MS = 30_000;
const DISTRUSTED_MAX = 1000;

/** Checks namespaces against an informer, and reads live where the informer may be behind. */
export function followCoreNamespaces(options: CoreNamespacesOptions): CoreNamespaces {
  const { client, clock, log } = options;
  const namespaces = client.resource<NamespaceState>({
    group: '',
    version: 'v1',
    plural: 'namespaces',
    namespaced: false,
  });
  const problems = repeatedErrors(log, clock, 'Failed to watch namespaces of the core server');
  const informer = createInformer<NamespaceState>({
    resource: namespaces,
    backoff: CORE_BACKOFF,
    onError: (error) => problems.add(error),
  });
  informer.start();
  return {
    ...namespaceGuard({ copy: informer, live: namespaces, clock }),
    healthCheck: {
      name: 'namespaces',
      endpoints: ['readyz'],
      check: () =>
        informer.synced
          ? undefined
          : `the namespaces of the core server have not been listed: ${problems.last ?? 'no response yet'}`,
    },
    [Symbol.asyncDispose]: () => informer.close(),
  };
}

interface NamespaceSources {
  readonly copy: Pick<Informer<NamespaceState>, 'store' | 'synced'>;
  readonly live: Pick<ResourceClient<NamespaceState>, 'get'>;
  readonly clock: Clock;
}

export function namespaceGuard({ copy, live, clock }: NamespaceSources): NamespaceGuard {
  const nowMs = () => clock.nowMs();
  const distrusted = new ExpiringCache<true>({ entriesMax: DISTRUSTED_MAX, nowMs });
  const known = async (name: string, signal: AbortSignal): Promise<NamespaceState | undefined> => {
    if (!copy.synced) return undefined;
    const found = copy.store.get(name);
    if (found !== undefined) return found;
    await sleep(clock, MISSING_WAIT_MS, signal);
    return copy.store.get(name);
  };
  const ask = async (name: string, signal: AbortSignal): Promise<NamespaceState | undefined> => {
    const found = await liveNamespace(live, name, signal);
    if (found === undefined || !isOpenNamespace(found)) distrusted.set(name, true, DISTRUST_MS);
    return found;
  };
  return {
    requireOpen: async (place, { signal, fresh }) => {
      const { namespace } = place;
      const seen = fresh ? undefined : await known(namespace, signal);
      const isDoubtful =
        seen === undefined || (isOpenNamespace(seen) && distrusted.get(namespace) === true);
      requireOpenNamespace(isDoubtful ? await ask(namespace, signal) : seen, place);
      return undefined;
    },
  };
}

/** A core server that does not respond is an outage, and never a missing namespace. */
async function liveNamespace(
  live: NamespaceSources['live'],
  name: string,
  signal: AbortSignal,
): Promise<NamespaceState | undefined> {
  try {
    return await live.get(name, { signal, retriesMax: 1 });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof StatusError && error.code === 404) return undefined;
    throw internalError(error instanceof Error ? error : new Error(String(error)));
  }
}
