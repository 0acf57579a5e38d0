import { readFile } from 'node:fs/promises';
import { formatIp } from '@tributary/apimachinery';
import type { Logger } from '@tributary/server';
import {
  auditConfig,
  credentialConfig,
  type Engines,
  endProgram,
  type FlagDefinitions,
  FlagError,
  type FlagValues,
  openStorage,
  operationConfig,
  type ProgramContext,
  reloadCredentials,
  reloadFiles,
  runProgram,
  type StartedServer,
  writeKubeconfig,
} from '@tributary/server/program';
import { systemClock } from '@tributary/storage';
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
  /** Called once the server is ready, in place of `disablePretenuring`. */
  readonly onReady?: () => void;
}

const SUMMARY = 'A Kubernetes control plane in one process.';

/** Runs a control plane until it is stopped, and resolves with the exit code. */
export function runCoreServer<Flags extends FlagDefinitions>(
  options: RunCoreOptions<Flags>,
): Promise<number> {
  const { program, args, addition, onReady } = options;
  const more = addition?.flags ?? ({} as Flags);
  return runProgram({
    program,
    summary: addition?.summary ?? SUMMARY,
    args,
    flagTable: Object.values({ ...coreFlagDefinitions(program), ...more }),
    parse: (given) => parseCoreFlags(program, given, more),
    start: (context) => start(context, options),
    ...(onReady && { onReady }),
  });
}

async function start<Flags extends FlagDefinitions>(
  context: ProgramContext<CoreFlags & FlagValues<Flags>>,
  { engines, addition }: RunCoreOptions<Flags>,
): Promise<StartedServer> {
  const { program, flags: given, log, uncaughtErrors, resources, stopped } = context;
  const names = { addresses: [serviceAddress(given)] };
  const directory = pkiDirectory(given);
  const flags = { ...given, ...withOwnFiles(given) };
  const issuing = controlPlanePki(directory, { ...names, nowMs: Date.now() });
  const opening = openStorage(given, { program, engines }).then((opened) => resources.use(opened));
  const reading = issuing.then((pki) => readConfig(pki, flags, context));
  await Promise.allSettled([opening, reading]); // a store that is being opened is disposed, too
  const { pki, config, issuers } = await reading;
  const storage = await opening;
  const added = await addition?.prepare(flags, log);
  if (added) resources.use(added);
  const server = resources.use(
    await startCoreServer({
      ...config,
      server: { ...config.server, storage, uncaughtErrors },
      onUnservable: (reason) => endProgram(program, reason),
      ...(added && { extend: added.extend }),
    }),
  );
  resources.use(await reloadCredentials(flags, log, (changed) => server.reload(changed)));
  const rootCa = {
    name: 'root CA',
    paths: [flags.rootCaFile],
    apply: ([servingCa = '']: readonly string[]) => server.reload({ servingCa }),
  };
  resources.use(await reloadFiles(rootCa, { log }));
  if (issuers) await reloadIssuers(issuers, context);
  // Renewed files are reloaded like any other file that changes.
  const expiry = watchExpiry({
    ...names,
    directory,
    clock: systemClock,
    onRenewed: ({ made }) => log.info('Certificates were renewed', { files: made.join(' ') }),
    onFailed: (error) => log.error(error, 'Certificates could not be renewed'),
  });
  resources.defer(() => expiry.close());
  const hasIssued = given.tlsCertFile === '' && given.clientCaFile === '';
  const admin = { ca: pki.servingCa, admin: pki.admin };
  const kubeconfig = hasIssued
    ? await writeKubeconfig(flags, admin, server.url, 'tributary')
    : undefined;
  const started = { server, kubeconfig };
  const whenServing = async () => {
    const more = (await added?.started(started)) ?? [];
    await whenReady(server.client, { log, stopped });
    return readyLines(program, started, more);
  };
  return { url: server.url, whenReady: whenServing };
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
  readonly pki: Awaited<ReturnType<typeof controlPlanePki>>;
  readonly issuers: JwtIssuers | undefined;
  readonly config: Omit<CoreServerConfig, 'server'> & {
    readonly server: Omit<CoreServerConfig['server'], 'storage'>;
  };
}

/** Everything that the flags and their files configure. */
async function readConfig(
  pki: ReadConfig['pki'],
  flags: CoreFlags,
  { log, resources }: Pick<ProgramContext<CoreFlags>, 'log' | 'resources'>,
): Promise<ReadConfig> {
  if (pki.made.length > 0) log.info('Certificates were made', { files: pki.made.join(' ') });
  const issuers = flags.serviceAccountIssuer;
  const apiAudiences = flags.apiAudiences.length > 0 ? flags.apiAudiences : issuers;
  const { serving, clientCa, requestHeader, tokens } = await credentialConfig(
    flags,
    { ca: '', serving: { cert: '', key: '' } }, // every file is named by now
    log,
  );
  const outside = await outsideIssuers(flags, apiAudiences, log);
  resources.defer(() => outside?.close());
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
    pki,
    issuers: outside,
  };
}

/** New issuers replace the current ones once they respond, so a reload may take long. */
async function reloadIssuers(
  issuers: JwtIssuers,
  { flags, log, resources }: ProgramContext<CoreFlags>,
): Promise<void> {
  if (flags.authenticationConfig === '') return;
  const name = 'authentication configuration';
  const apply = ([text = '']: readonly string[]) => {
    issuers.reload(text).catch((error: unknown) => {
      log.error(error, `Failed to reload ${name}, keeping the previous one`);
    });
  };
  const files = { name, paths: [flags.authenticationConfig], apply };
  resources.use(await reloadFiles(files, { log }));
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
