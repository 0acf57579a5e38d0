import type { Service, ServiceAccount } from '@tributary/api/core-v1';
import { formatIp } from '@tributary/apimachinery';
import { type Client, systemClock } from '@tributary/client';
import { type SharedInformers, serviceAccounts, services } from '@tributary/client/controller';
import type { RunningServer } from '@tributary/server';
import type { AddressPool } from '../addresses/address-pool.ts';
import { type OwnAddress, runKubernetesService } from '../controllers/kubernetes-service.ts';
import { type RunningControllers, startControllers } from '../controllers/start-controllers.ts';
import { writeSystemPriorityClasses } from '../controllers/system-priority-classes.ts';
import { undescribedDefinitions } from '../custom-resources/definition/openapi-problems.ts';
import type { ResolveService } from '../custom-resources/serving/call-webhook.ts';
import {
  runCustomResourceControllers,
  serveCustomResources,
} from '../custom-resources/serving/serve-custom-resources.ts';
import { advertisedAddress } from './advertised-address.ts';
import { assembleCore } from './assemble-core.ts';
import { bootstrap } from './bootstrap.ts';
import type { CoreServerConfig, RunningCoreServer } from './core-config.ts';
import type { CoreExtension } from './core-extension.ts';
import type { CoreState } from './core-state.ts';

/** A whole control plane: the core API with its controllers. Resolves when it serves, with everything in place. */
export async function startCoreServer(config: CoreServerConfig): Promise<RunningCoreServer> {
  const stop = new AbortController();
  const parts = assembleCore(config);
  const { client, informers, index, flowControl, pool, server, state } = parts;
  const { clock = systemClock, log } = config;
  const undescribed = undescribedDefinitions();
  try {
    await Promise.all([
      bootstrap({ client, informers, index, flowControl, log, signal: stop.signal }),
      followServices(pool, informers, stop.signal),
      // Before anybody is told that the server is ready, and before the aggregator says what is served here.
      serveCustomResources({
        informers,
        live: server.live,
        undescribed,
        log,
        resolveService: serviceResolver(parts.extension),
        signal: stop.signal,
      }),
    ]);
    followAccounts(state, informers, stop.signal);
    await parts.extension?.start(stop.signal);
    const running = await server.listen();
    const dependencies = {
      client: parts.controllerClient,
      informers,
      clock,
      log,
      signal: stop.signal,
    };
    const controllers = startSoon(() => {
      writeSystemPriorityClasses({ ...dependencies, client });
      const own = ownAddress(config, running, pool);
      const published = runKubernetesService(own, { ...dependencies, client });
      const remoteGroups = parts.extension?.remoteGroups?.();
      const customResources = runCustomResourceControllers(
        { ...dependencies, client: parts.ownClient },
        undescribed,
      );
      const { certificatesChanged, done } = startControllers(
        { ...parts.controllers, remoteGroups },
        dependencies,
      );
      return { certificatesChanged, done: Promise.all([done, published, customResources]) };
    }, stop.signal);
    const { extension } = parts;
    const close = closer(running, { stop, informers, client, extension, done: controllers.done });
    return {
      url: running.url,
      port: running.port,
      client,
      close,
      reload: (reload) => {
        running.reload(reload);
        state.take(reload);
        controllers.certificatesChanged();
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    stop.abort(error);
    await parts.extension?.close();
    await informers.close();
    await client.close();
    throw error;
  }
}

/** Controllers take what there is of the processor: whoever waited for the port to open is answered before. */
const CONTROLLERS_AFTER_MS = 50;

function startSoon(start: () => RunningControllers, signal: AbortSignal): RunningControllers {
  let started: RunningControllers | undefined;
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const timer = setTimeout(() => {
    started = start();
    resolve(started.done);
  }, CONTROLLERS_AFTER_MS);
  const neverStart = () => {
    clearTimeout(timer);
    if (started === undefined) resolve(undefined);
  };
  signal.addEventListener('abort', neverStart, { once: true });
  // Whatever starts later begins with the certificates of then.
  return { certificatesChanged: () => started?.certificatesChanged(), done: promise };
}

/** Without an aggregator nobody knows where services answer. */
function serviceResolver(extension: CoreExtension | undefined): ResolveService {
  return (service) => {
    const found = extension?.resolveService?.(service);
    if (found === undefined) throw new Error(`service "${service.name}" cannot be resolved here`);
    return found;
  };
}

/** Whoever is gone is not believed any more, without waiting for what is known of its tokens to grow old. */
function followAccounts(state: CoreState, informers: SharedInformers, signal: AbortSignal): void {
  const subscription = informers.of<ServiceAccount>(serviceAccounts).addHandler({
    onDelete: () => {
      state.accountsGone += 1;
    },
  });
  signal.addEventListener('abort', () => subscription.close(), { once: true });
}

/** The pool knows every address and port in use before the first service is made. */
async function followServices(
  pool: AddressPool,
  informers: SharedInformers,
  signal: AbortSignal,
): Promise<void> {
  const subscription = informers.of<Service>(services).addHandler({
    onAdd: (service) => pool.put(service),
    onUpdate: (_old, service) => pool.put(service),
    onDelete: (service) => pool.remove(service),
  });
  signal.addEventListener('abort', () => subscription.close(), { once: true });
  await subscription.whenSynced();
}

function ownAddress(
  { server, advertiseAddress = '' }: CoreServerConfig,
  { port }: RunningServer,
  { range }: AddressPool,
): OwnAddress {
  return {
    serviceIp: formatIp({ family: range.family, value: range.first }),
    address: advertisedAddress(advertiseAddress, server.bindAddress ?? '127.0.0.1'),
    port,
  };
}

/** Controllers first, so that nothing of theirs is cut off; then the port. Twice is harmless. */
function closer(
  running: RunningServer,
  {
    stop,
    informers,
    client,
    extension,
    done,
  }: {
    stop: AbortController;
    informers: SharedInformers;
    client: Client;
    extension: CoreExtension | undefined;
    done: Promise<unknown>;
  },
): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const close = async () => {
    stop.abort(new Error('the server is stopping'));
    await Promise.all([done, extension?.close()]);
    await informers.close();
    await client.close();
    await running.close();
  };
  return () => {
    closing ??= close();
    return closing;
  };
}
