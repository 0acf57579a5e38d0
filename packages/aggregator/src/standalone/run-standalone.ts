import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type ClientConfig, KubeconfigError, loadConfig, systemClock } from '@tributary/client';
import type { Logger } from '@tributary/server';
import { catchUncaughtErrors, type UncaughtErrors } from '@tributary/server/operations';
import {
  auditConfig,
  type Engines,
  FlagError,
  helpText,
  isExpected,
  keepRequestsYoung,
  openLog,
  openStore,
  operationConfig,
  reloadCredentials,
  stopSignal,
} from '@tributary/server/program';
import { fileDocumentStore } from '../documents/file-document-store.ts';
import { frontProxyIdentity } from '../gateway/gateway.ts';
import { keepFrontProxyPki } from './front-proxy-pki.ts';
import { openSharedMode, openSingleUserMode } from './modes.ts';
import { readyLines } from './ready-lines.ts';
import {
  isShared,
  parseStandaloneFlags,
  type StandaloneFlags,
  standaloneFlagDefinitions,
} from './standalone-flags.ts';
import { startStandalone } from './start-standalone.ts';

export interface RunStandaloneOptions {
  /** As the user typed it, such as `tributary aggregator`. */
  readonly program: string;
  readonly args: readonly string[];
  /** Engines of stores that this program brings along. */
  readonly engines?: Engines;
}

const SUMMARY = `An API aggregator in front of any kube-apiserver, with the rights of a kubeconfig's user.

Its APIServices are its own, and everything else is passed on. It is for one user, unless --tls-cert-file says otherwise.`;

/** The whole program: reads its flags, serves until it is told to stop, and answers the exit code. */
export async function runStandalone(options: RunStandaloneOptions): Promise<number> {
  const { program, args } = options;
  try {
    const flags = parseStandaloneFlags(program, args);
    if (flags === 'help') {
      const table = Object.values(standaloneFlagDefinitions(program));
      process.stdout.write(helpText(program, SUMMARY, table));
      return 0;
    }
    await serveUntilStopped(flags, options, catchUncaughtErrors(program));
    return 0;
  } catch (error) {
    if (!(error instanceof FlagError) && !isExpected(error)) throw error;
    process.stderr.write(`${program}: ${error.message}\nTry ${program} --help\n`);
    return 1;
  }
}

async function serveUntilStopped(
  given: StandaloneFlags,
  { program, engines }: RunStandaloneOptions,
  uncaught: UncaughtErrors,
): Promise<void> {
  const stopped = stopSignal();
  // What every program has; here nobody is known by a file of tokens, and nobody is anonymous.
  const all = { ...given, tokenAuthFile: '', anonymousAuth: false };
  const log = await openLog(all);
  uncaught.logTo(log);
  await using owned = new AsyncDisposableStack();
  owned.defer(() => log.flush());
  const config = await readKubeconfig(given);
  // Everything in it is the user's alone.
  await mkdir(given.dataDir, { recursive: true, mode: 0o700 });
  const proxy = await frontProxy(given, log, owned);
  const storage = owned.use(await openStore(all, { program, engines }));
  const documents = owned.use(
    fileDocumentStore(join(given.dataDir, 'aggregator'), { log, clock: systemClock }),
  );
  const mode = owned.use(
    isShared(given)
      ? await openSharedMode(given, config, log)
      : await openSingleUserMode(given, config, log),
  );
  const running = owned.use(
    await startStandalone({
      config,
      access: mode.access,
      isSingleUser: mode.isSingleUser,
      documents,
      identity: () => proxy.identity.current,
      frontProxyCaFile: proxy.caFile,
      rules: {
        routing: given.enableAggregatorRouting ? 'endpoints' : 'cluster-ip',
        allowLoopback: given.allowLoopbackEndpoints,
      },
      unavailable: given.unavailableDiscovery,
      keepCurrentMs: given.unavailableDiscoveryPeriod,
      rejectsRedirects: given.aggregatorRejectForwardingRedirect,
      server: {
        storage,
        uncaughtErrors: uncaught.counter,
        serving: mode.serving,
        bindAddress: given.bindAddress,
        securePort: given.securePort,
        ...(given.memoryLimit !== undefined && { memoryBytesMax: given.memoryLimit }),
        ...(await auditConfig(all, log)),
        ...operationConfig(all),
      },
      clock: systemClock,
      log,
    }),
  );
  keepRequestsYoung();
  proxy.identity.onChange(() => running.identityChanged());
  const reloading = await reloadCredentials(all, log, (changed) => running.server.reload(changed));
  owned.defer(() => reloading.close());
  const kubeconfig = await mode.started(running.server);
  const ready = Promise.all([running.asked, mode.whenReady()]).then(() => true);
  if (await Promise.race([ready, stopped.then(() => false)])) {
    const place = { url: running.server.url, cluster: config.server, kubeconfig };
    const about = { frontProxyCaFile: proxy.caFile, namespace: config.namespace };
    process.stdout.write(`${readyLines(program, { ...place, ...about }).join('\n')}\n`);
  }
  await stopped;
  process.stdout.write(`${program} is stopping\n`);
}

async function readKubeconfig({ kubeconfig, context }: StandaloneFlags): Promise<ClientConfig> {
  try {
    return await loadConfig({
      ...(kubeconfig !== '' && { kubeconfig }),
      ...(context !== '' && { context }),
    });
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    throw new FlagError(`--kubeconfig ${error.message}`);
  }
}

/** The pair that the flags name, or one of our own. */
async function frontProxy(flags: StandaloneFlags, log: Logger, owned: AsyncDisposableStack) {
  if (flags.proxyClientCertFile !== '') {
    const identity = owned.use(await frontProxyIdentity(flags, log));
    return { identity, caFile: 'the authority of --proxy-client-cert-file' };
  }
  const directory = resolve(flags.dataDir, 'pki');
  const { files, close } = await keepFrontProxyPki(directory, { clock: systemClock, log });
  owned.defer(close);
  const { caFile, certFile, keyFile } = files;
  const pair = { proxyClientCertFile: certFile, proxyClientKeyFile: keyFile };
  return { identity: owned.use(await frontProxyIdentity(pair, log)), caFile };
}
