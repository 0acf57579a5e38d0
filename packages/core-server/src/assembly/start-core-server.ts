import type { Service, ServiceAccount } from '@tributary/api/core-v1';
import { formatIp } from '@tributary/apimachinery';
import { systemClock } from '@tributary/client';
import { serviceAccounts, services } from '@tributary/client/controller';
import type { RunningServer } from '@tributary/server';
import type { AddressPool } from '../addresses/address-pool.ts';
import { runKubernetesService, type ServerAddress } from '../controllers/kubernetes-service.ts';
import { type RunningControllers, startControllers } from '../controllers/start-controllers.ts';
import { writeSystemPriorityClasses } from '../controllers/system-priority-classes.ts';
import {
  type UndescribedDefinitions,
  undescribedDefinitions,
} from '../custom-resources/definition/undescribed-definitions.ts';
import type { ResolveService } from '../custom-resources/serving/call-webhook.ts';
import {
  runCustomResourceControllers,
  serveCustomResources,
} from '../custom-resources/serving/serve-custom-resources.ts';
import { advertisedAddress } from './advertised-address.ts';
import { type AssembledCore, assembleCore } from './assemble-core.ts';
import { bootstrap } from './bootstrap.ts';
import type { CoreServerConfig, RunningCoreServer } from './core-config.ts';
import type { CoreExtension } from './core-extension.ts';

/** Starts a control plane: the core API with its controllers. Resolves once it serves and is bootstrapped. */
export async function startCoreServer(config: CoreServerConfig): Promise<RunningCoreServer> {
  const stop = new AbortController();
  const { signal } = stop;
  const core = assembleCore(config);
  const { apis, client, extension, informers, pool, server, state } = core;
  const { live } = server;
  const undescribed = undescribedDefinitions();
  try {
    await Promise.all([
      bootstrap({ ...core, log: config.log, signal }),
      watchServices(core, signal),
      // Before the server is ready, and before the aggregator reads which APIs are local.
      serveCustomResources({
        informers,
        live,
        undescribed,
        log: config.log,
        resolveService: serviceResolver(extension),
        signal,
      }),
    ]);
    watchServiceAccounts(core, signal);
    await extension?.start({ apis, live, signal });
    const running = await server.listen();
    const controllers = startDelayed(() => {
      const address = localAddress(config, running, pool);
      return runControllers(core, { config, address, undescribed, signal });
    }, signal);
    const close = closeOnce(core, { running, stop, controllers });
    return {
      url: running.url,
      port: running.port,
      client,
      close,
      reload: (reload) => {
        running.reload(reload);
        state.reload(reload);
        controllers.certificatesChanged();
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    stop.abort(error);
    await extension?.close();
    await informers.close();
    await client.close();
    throw error;
  }
}

function runControllers(
  core: AssembledCore,
  {
    config: { clock = systemClock, log },
    address,
    undescribed,
    signal,
  }: {
    readonly config: CoreServerConfig;
    readonly address: ServerAddress;
    readonly undescribed: UndescribedDefinitions;
    readonly signal: AbortSignal;
  },
): RunningControllers {
  const { client, controllerClient, extension, informers, localClient } = core;
  const common = { informers, clock, log, signal };
  writeSystemPriorityClasses({ ...common, client });
  const published = runKubernetesService(address, { ...common, client });
  const remoteGroups = extension?.remoteGroups?.();
  const customResources = runCustomResourceControllers(
    { ...common, client: localClient },
    undescribed,
  );
  const { certificatesChanged, done } = startControllers(
    { ...core.controllers, remoteGroups },
    { ...common, client: controllerClient },
  );
  return { certificatesChanged, done: Promise.all([done, published, customResources]) };
}

/** Controllers use all CPU time there is when they start. Requests that waited for the port are served first. */
const CONTROLLERS_AFTER_MS = 50;

function startDelayed(start: () => RunningControllers, signal: AbortSignal): RunningControllers {
  let started: RunningControllers | undefined;
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const timer = setTimeout(() => {
    started = start();
    resolve(started.done);
  }, CONTROLLERS_AFTER_MS);
  const cancel = () => {
    clearTimeout(timer);
    if (started === undefined) resolve(undefined);
  };
  signal.addEventListener('abort', cancel, { once: true });
  // Controllers that start later read the certificates of that time.
  return { certificatesChanged: () => started?.certificatesChanged(), done: promise };
}

/** Services are resolved by the aggregator; without one they cannot be. */
function serviceResolver(extension: CoreExtension | undefined): ResolveService {
  return (service) => {
    const resolved = extension?.resolveService?.(service);
    if (resolved === undefined)
      throw new Error(`service "${service.name}" cannot be resolved here`);
    return resolved;
  };
}

/** Rejects tokens of a deleted service account at once, not only when their cached results expire. */
function watchServiceAccounts({ state, informers }: AssembledCore, signal: AbortSignal): void {
  const subscription = informers.of<ServiceAccount>(serviceAccounts).addHandler({
    onDelete: () => {
      state.deletedServiceAccounts += 1;
    },
  });
  signal.addEventListener('abort', () => subscription.close(), { once: true });
}

/** Resolves when the pool has every address and port in use, which must precede the first create of a Service. */
async function watchServices(
  { pool, informers }: AssembledCore,
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

function localAddress(
  { server, advertiseAddress = '' }: CoreServerConfig,
  { port }: RunningServer,
  { range }: AddressPool,
): ServerAddress {
  return {
    serviceIp: formatIp({ family: range.family, value: range.first }),
    address: advertisedAddress(advertiseAddress, server.bindAddress ?? '127.0.0.1'),
    port,
  };
}

/** Stops the controllers before the port closes, so that their last requests are served. Idempotent. */
function closeOnce(
  { informers, client, extension }: AssembledCore,
  {
    running,
    stop,
    controllers,
  }: {
    readonly running: RunningServer;
    readonly stop: AbortController;
    readonly controllers: RunningControllers;
  },
): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const close = async () => {
    stop.abort(new Error('the server is stopping'));
    await Promise.all([controllers.done, extension?.close()]);
    await informers.close();
    await client.close();
    await running.close();
  };
  return () => {
    closing ??= close();
    return closing;
  };
}
