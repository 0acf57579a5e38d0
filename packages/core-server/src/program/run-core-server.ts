import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { formatIp } from '@tributary/apimachinery';
import type { Logger } from '@tributary/server';
import { catchUncaughtErrors, type UncaughtErrors } from '@tributary/server/operations';
import {
  auditConfig,
  credentialConfig,
  type Engines,
  endProgram,
  type FlagDefinitions,
  FlagError,
  type FlagValues,
  helpText,
  isExpected,
  keepRequestsYoung,
  openLog,
  openStore,
  operationConfig,
  reloadCredentials,
  reloadFiles,
  stopSignal,
  writeKubeconfig,
} from '@tributary/server/program';
import { type Storage, systemClock } from '@tributary/storage';
import { parseAddressRange } from '../addresses/address-range.ts';
import type { CoreServerConfig, RunningCoreServer } from '../assembly/core-config.ts';
import { startCoreServer } from '../assembly/start-core-server.ts';
import { type JwtIssuers, serviceAccountKeys } from '../authentication/index.ts';
import { controlPlanePki, watchExpiry } from '../pki/index.ts';
import { anonymousAuth } from './anonymous-auth.ts';
import { type CoreFlags, coreFlagDefinitions, parseCoreFlags } from './core-flags.ts';
import { pkiDirectory, withOwnFiles } from './default-files.ts';
import { outsideIssuers } from './external-issuers.ts';
import { authorizationWebhook, tokenWebhook } from './webhooks.ts';
import { whenReady } from './when-ready.ts';

/** What a program has beside a control plane, with flags of its own. */
export interface CoreAddition<Flags extends FlagDefinitions = FlagDefinitions> {
  readonly summary: string;
  readonly flags: Flags;
  /** Everything is read by now, and nothing is opened. */
  prepare(flags: CoreFlags & FlagValues<Flags>, log: Logger): Promise<PreparedAddition>;
}

export interface PreparedAddition extends AsyncDisposable {
  readonly extend: NonNullable<CoreServerConfig['extend']>;
  /** The server answers. Resolves with lines for the terminal, without waiting for anybody else. */
  started(server: StartedCore): Promise<readonly string[]>;
}

export interface StartedCore {
  readonly server: RunningCoreServer;
  /** Undefined where somebody else knows who may do what. */
  readonly kubeconfig: string | undefined;
}

export interface RunCoreOptions<Flags extends FlagDefinitions = FlagDefinitions> {
  /** As the user typed it, such as `tributary up`. */
  readonly program: string;
  readonly args: readonly string[];
  /** Engines of stores that this program brings along. */
  readonly engines?: Engines;
  readonly addition?: CoreAddition<Flags>;
  /** Called once the server answers, in place of `keepRequestsYoung`: a program may have to do something before that. */
  readonly whenAnswering?: () => void;
}

const SUMMARY = 'A Kubernetes control plane in one process.';

/** The whole program: reads its flags, serves until it is told to stop, and answers the exit code. */
export async function runCoreServer<Flags extends FlagDefinitions>(
  options: RunCoreOptions<Flags>,
): Promise<number> {
  const { program, args, addition } = options;
  try {
    const more = addition?.flags ?? ({} as Flags);
    const flags = parseCoreFlags(program, args, more);
    if (flags === 'help') {
      const table = Object.values({ ...coreFlagDefinitions(program), ...more });
      process.stdout.write(helpText(program, addition?.summary ?? SUMMARY, table));
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

async function serveUntilStopped<Flags extends FlagDefinitions>(
  given: CoreFlags & FlagValues<Flags>,
  { program, engines, addition, whenAnswering = keepRequestsYoung }: RunCoreOptions<Flags>,
  uncaught: UncaughtErrors,
): Promise<void> {
  const stopped = stopSignal();
  const log = await openLog(given);
  uncaught.logTo(log);
  let isStarted = false;
  // The first to be opened is the last to be closed: when everything else has ended.
  await using _lastLine = {
    async [Symbol.asyncDispose]() {
      if (isStarted) log.info('Stopped', { program });
      await log.flush();
    },
  };
  const names = { addresses: [serviceAddress(given)] };
  const directory = pkiDirectory(given);
  const flags = { ...given, ...withOwnFiles(given) };
  const readEverything = async () => {
    const pki = await controlPlanePki(directory, { ...names, nowMs: Date.now() });
    if (pki.made.length > 0) log.info('Certificates were made', { files: pki.made.join(' ') });
    return { pki, ...(await coreConfig(flags, log)) };
  };
  const [read, storage] = await bothOrNeither(
    readEverything(),
    openStore(given, { program, engines }),
  );
  await using _storage = storage;
  const { pki, config, issuers, close } = read;
  await using added = await addition?.prepare(flags, log);
  await using server = await startCoreServer({
    ...config,
    server: { ...config.server, storage, uncaughtErrors: uncaught.counter },
    onUnservable: (reason) => endProgram(program, reason),
    ...(added && { extend: added.extend }),
  });
  const reloading = await Promise.all([
    reloadCredentials(flags, log, (changed) => server.reload(changed)),
    reloadFiles(
      {
        what: 'root CA',
        paths: [resolve(flags.rootCaFile)],
        apply: ([servingCa = '']) => server.reload({ servingCa }),
      },
      reloadOptions(log),
    ),
    ...(issuers ? [reloadIssuers(issuers, flags, log)] : []),
  ]);
  // Renewed files are read again like any other that changes.
  const expiry = watchExpiry({
    ...names,
    directory,
    clock: systemClock,
    onRenewed: ({ made }) => log.info('Certificates were renewed', { files: made.join(' ') }),
    onFailed: (error) => log.error(error, 'Certificates could not be renewed'),
  });
  const isOwn = given.tlsCertFile === '' && given.clientCaFile === '';
  const kubeconfig = isOwn
    ? await writeKubeconfig(flags, { ca: pki.servingCa, admin: pki.admin }, server.url, 'tributary')
    : undefined;
  // The engine's name alone: an address may have a password in it.
  const [storageEngine = ''] = flags.storage.split(':');
  log.info('Started', { program, url: server.url, dataDir: flags.dataDir, storage: storageEngine });
  isStarted = true;
  const started = { server, kubeconfig };
  const more = (await added?.started(started)) ?? [];
  if (await whenReady(server.client, { log, stopped })) {
    process.stdout.write(`${readyLines(program, started, more).join('\n')}\n`);
  }
  whenAnswering();
  await stopped;
  log.info('Stopping', { program });
  process.stdout.write(`${program} is stopping\n`);
  for (const one of [...reloading, expiry]) one.close();
  close();
}

/** A store that was opened for nothing is closed again: somebody may try at once with other flags. */
async function bothOrNeither<T>(
  reading: Promise<T>,
  opening: Promise<Storage>,
): Promise<[T, Storage]> {
  const [read, opened] = await Promise.allSettled([reading, opening]);
  if (read.status === 'fulfilled' && opened.status === 'fulfilled') {
    return [read.value, opened.value];
  }
  if (opened.status === 'fulfilled') await opened.value.close();
  throw read.status === 'rejected' ? read.reason : (opened as PromiseRejectedResult).reason;
}

/** Three commands to begin with, together with those that come with what the program has beside. */
function readyLines(
  program: string,
  { server, kubeconfig }: StartedCore,
  more: readonly string[],
): string[] {
  const ready = `${program} is ready at ${server.url}`;
  if (kubeconfig === undefined) return [ready, ...more];
  const others = ['create configmap hello --from-literal=text=world', 'auth can-i --list'];
  const shown = ['get namespaces', ...(more.length > 0 ? [] : others)];
  return [
    ready,
    `Its kubeconfig is ${kubeconfig}. Try:`,
    ...shown.map((command) => `  kubectl --kubeconfig ${kubeconfig} ${command}`),
    ...more,
  ];
}

interface ReadConfig {
  readonly issuers: JwtIssuers | undefined;
  readonly config: Omit<CoreServerConfig, 'server'> & {
    readonly server: Omit<CoreServerConfig['server'], 'storage'>;
  };
  close(): void;
}

/** Everything that the flags and the files they name say. */
async function coreConfig(flags: CoreFlags, log: Logger): Promise<ReadConfig> {
  const issuers = flags.serviceAccountIssuer;
  const apiAudiences = flags.apiAudiences.length > 0 ? flags.apiAudiences : issuers;
  const { serving, clientCa, requestHeader, tokens } = await credentialConfig(
    flags,
    { ca: '', serving: { cert: '', key: '' } }, // every file is named by now
    log,
  );
  const outside = await outsideIssuers(flags, apiAudiences, log);
  const reviewed = await tokenWebhook(flags, apiAudiences);
  const decided = await authorizationWebhook(flags);
  const lifeSeconds = flags.serviceAccountMaxTokenExpiration / 1000;
  return {
    config: {
      server: {
        bindAddress: flags.bindAddress,
        securePort: flags.securePort,
        ...(flags.memoryLimit !== undefined && { memoryBytesMax: flags.memoryLimit }),
        serving,
        ...(clientCa !== undefined && { clientCa }),
        ...(requestHeader && { requestHeader }),
        ...(await auditConfig(flags, log)),
        ...operationConfig(flags),
        anonymousAuth: anonymousAuth(flags, outside?.anonymous, log),
      },
      log,
      ...(tokens && { tokens }),
      servingCa: await readFile(flags.rootCaFile, 'utf8'),
      serviceAccounts: {
        keys: await readKeys(flags),
        issuers,
        apiAudiences,
        ...(lifeSeconds > 0 && { maxExpirationSeconds: lifeSeconds }),
      },
      serviceRange: flags.serviceClusterIpRange,
      allowLoopbackEndpoints: flags.allowLoopbackEndpoints,
      advertiseAddress: flags.advertiseAddress,
      priorityAndFairness: flags.enablePriorityAndFairness,
      eventTtlSeconds: Math.ceil(flags.eventTtl / 1000),
      bootstrapTokens: flags.enableBootstrapTokenAuth,
      disabledControllers: flags.controllers,
      authorizationModes: flags.authorizationMode as CoreServerConfig['authorizationModes'],
      ...(outside && { jwtIssuers: outside.lookup }),
      ...(reviewed && { tokenWebhook: reviewed }),
      ...(decided && { authorizationWebhook: decided }),
    },
    issuers: outside,
    close: () => outside?.close(),
  };
}

/** New issuers must answer before they take the place of the old ones, so a reload takes its time. */
async function reloadIssuers(
  issuers: JwtIssuers,
  { authenticationConfig }: CoreFlags,
  log: Logger,
): Promise<{ close(): void }> {
  if (authenticationConfig === '') return { close() {} };
  const what = 'authentication configuration';
  const apply = ([text = '']: readonly string[]) => {
    issuers.reload(text).catch((error: unknown) => {
      log.error(error, `The new ${what} is bad, the old one is kept`);
    });
  };
  return reloadFiles({ what, paths: [resolve(authenticationConfig)], apply }, reloadOptions(log));
}

async function readKeys(flags: CoreFlags) {
  const files = [flags.serviceAccountSigningKeyFile, ...flags.serviceAccountKeyFile];
  const [signingKey = '', ...otherKeys] = await Promise.all(
    files.map((file) => readFile(file, 'utf8')),
  );
  try {
    return serviceAccountKeys({ signingKey, otherKeys });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new FlagError(`${files.join(', ')}: no keys for tokens: ${why}`);
  }
}

function serviceAddress({ serviceClusterIpRange }: CoreFlags): string {
  try {
    const { family, first } = parseAddressRange(serviceClusterIpRange);
    return formatIp({ family, value: first });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new FlagError(`--service-cluster-ip-range ${why}`);
  }
}

function reloadOptions(log: Logger) {
  return {
    clock: systemClock,
    onReloaded: (what: string) => log.info(`Reloaded the ${what}`),
    onFailed: (what: string, error: unknown) =>
      log.error(error, `The new ${what} is bad, the old one is kept`),
  };
}
