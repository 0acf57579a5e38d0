import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileDocumentStore } from '@tributary/aggregator';
import { startStandalone } from '@tributary/aggregator/standalone';
import { type ClientConfig, KubeconfigError, loadConfig, systemClock } from '@tributary/client';
import type { Logger } from '@tributary/server';
import {
  auditConfig,
  type Engines,
  FlagError,
  openStorage,
  operationConfig,
  type ProgramContext,
  reloadCredentials,
  runProgram,
  type StartedServer,
} from '@tributary/server/program';
import { frontProxyIdentity } from '../aggregation/front-proxy-identity.ts';
import { keepFrontProxyPki } from './front-proxy-pki.ts';
import { openSharedMode, openSingleUserMode } from './modes.ts';
import { readyLines } from './ready-lines.ts';
import {
  isShared,
  parseStandaloneFlags,
  type StandaloneFlags,
  standaloneFlagDefinitions,
} from './standalone-flags.ts';

export interface RunStandaloneOptions {
  /** As the user typed it, such as `tributary aggregator`. */
  readonly program: string;
  readonly args: readonly string[];
  /** Engines of stores that this program brings along. */
  readonly engines?: Engines;
}

const SUMMARY = `An API aggregator in front of any kube-apiserver, with the rights of a kubeconfig's user.

Its APIServices are its own, and everything else is passed on. It is for one user, unless --tls-cert-file says otherwise.`;

/** Runs the stand-alone aggregator until it is stopped, and resolves with the exit code. */
export function runStandalone({ program, args, engines }: RunStandaloneOptions): Promise<number> {
  return runProgram({
    program,
    summary: SUMMARY,
    args,
    flagTable: Object.values(standaloneFlagDefinitions(program)),
    parse: (given) => parseStandaloneFlags(program, given),
    start: (context) => start(context, engines),
  });
}

async function start(
  { program, flags: given, log, uncaughtErrors, resources }: ProgramContext<StandaloneFlags>,
  engines: Engines | undefined,
): Promise<StartedServer> {
  // Flags of every other server program; here tokens from files and anonymous requests are not supported.
  const all = { ...given, tokenAuthFile: '', anonymousAuth: false };
  const config = await readKubeconfig(given);
  // Everything in it is the user's alone.
  await mkdir(given.dataDir, { recursive: true, mode: 0o700 });
  const proxy = await frontProxy(given, log, resources);
  const storage = resources.use(await openStorage(all, { program, engines }));
  const documents = resources.use(
    fileDocumentStore(join(given.dataDir, 'aggregator'), { log, clock: systemClock }),
  );
  const mode = resources.use(
    isShared(given)
      ? await openSharedMode(given, config, log)
      : await openSingleUserMode(given, config, log),
  );
  const running = resources.use(
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
        uncaughtErrors,
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
  proxy.identity.onChange(() => running.identityChanged());
  resources.use(await reloadCredentials(all, log, (changed) => running.server.reload(changed)));
  const { url } = running.server;
  const kubeconfig = await mode.started(running.server);
  const whenReady = async () => {
    await Promise.all([running.clusterPolled, mode.whenReady()]);
    const { namespace } = config;
    const place = { url, cluster: config.server, kubeconfig };
    return readyLines(program, { ...place, frontProxyCaFile: proxy.caFile, namespace });
  };
  return { url, whenReady };
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
async function frontProxy(flags: StandaloneFlags, log: Logger, resources: AsyncDisposableStack) {
  if (flags.proxyClientCertFile !== '') {
    const identity = resources.use(await frontProxyIdentity(flags, log));
    return { identity, caFile: 'the authority of --proxy-client-cert-file' };
  }
  const directory = resolve(flags.dataDir, 'pki');
  const { files, close } = await keepFrontProxyPki(directory, { clock: systemClock, log });
  resources.defer(close);
  const { caFile, certFile, keyFile } = files;
  const pair = { proxyClientCertFile: certFile, proxyClientKeyFile: keyFile };
  return { identity: resources.use(await frontProxyIdentity(pair, log)), caFile };
}
