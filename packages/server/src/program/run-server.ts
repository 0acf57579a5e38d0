import { join } from 'node:path';
import { type ApiDefinition, defineApi } from '../definition/api.ts';
import { catchUncaughtErrors, type UncaughtErrors } from '../operations/uncaught-errors.ts';
import { standalonePki } from '../pki/standalone.ts';
import { servingCaFile } from './bootstrap/serving-ca-file.ts';
import {
  FlagError,
  helpText,
  parseServerFlags,
  type ServerFlags,
  serverFlagTable,
} from './flags.ts';
import { openDelegation } from './program-delegation.ts';
import { auditConfig, credentialConfig, openLog, reloadCredentials } from './program-parts.ts';
import {
  isExpected,
  openStore,
  operationConfig,
  stopSignal,
  writeKubeconfig,
} from './program-run.ts';
import { createServer } from './server.ts';
import { keepRequestsYoung } from './young-requests.ts';

export interface RunnableOptions {
  /** The program's name, for help and the default data directory. */
  readonly program: string;
  readonly summary: string;
  readonly args: readonly string[];
  /** Lines to print when the server is ready. */
  readonly onReady?: (ready: { url: string; kubeconfig: string }) => readonly string[];
}

/** A whole server program: reads its flags, serves until it is told to stop, and answers the exit code. */
export async function runServer(api: ApiDefinition, options: RunnableOptions): Promise<number> {
  try {
    const flags = parseServerFlags(options.program, options.args);
    if (flags === 'help') {
      const table = serverFlagTable(options.program);
      process.stdout.write(helpText(options.program, options.summary, table));
      return 0;
    }
    const uncaught = catchUncaughtErrors(options.program);
    await serveUntilStopped(underGroup(api, flags.group), flags, { ...options, uncaught });
    return 0;
  } catch (error) {
    if (!(error instanceof FlagError) && !isExpected(error)) throw error;
    process.stderr.write(`${options.program}: ${error.message}\nTry ${options.program} --help\n`);
    return 1;
  }
}

function underGroup(api: ApiDefinition, group: string): ApiDefinition {
  if (group === '') return api;
  try {
    return defineApi({ group, resources: api.resources });
  } catch (error) {
    throw new FlagError(`--group ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function serveUntilStopped(
  api: ApiDefinition,
  flags: ServerFlags,
  { program, onReady, uncaught }: RunnableOptions & { readonly uncaught: UncaughtErrors },
): Promise<void> {
  const stopped = stopSignal();
  const log = await openLog(flags);
  uncaught.logTo(log);
  await using delegation = await openDelegation(flags, { name: program, log });
  const isTrustDelegated = delegation?.isTrustDelegated ?? false;
  // Certificates are made only where somebody uses them.
  const pki =
    isTrustDelegated && flags.tlsCertFile !== ''
      ? undefined
      : await standalonePki(join(flags.dataDir, 'pki'), { nowMs: Date.now() });
  // Where a core says whom to believe, nobody else does: our own administrator is then a stranger.
  const known = {
    serving: pki?.serving ?? { cert: '', key: '' }, // a file is named then
    ...(pki && !isTrustDelegated && { ca: pki.ca }),
  };
  await using storage = await openStore(flags, { program });
  await using server = await createServer(api, {
    storage,
    log,
    uncaughtErrors: uncaught.counter,
    bindAddress: flags.bindAddress,
    securePort: flags.securePort,
    ...(flags.memoryLimit !== undefined && { memoryBytesMax: flags.memoryLimit }),
    ...(await credentialConfig(flags, known, log)),
    ...(flags.tlsCertFile !== '' && { servingCa: servingCaFile(flags.tlsCertFile) }),
    ...(await auditConfig(flags, log)),
    ...operationConfig(flags),
    ...delegation?.config,
  }).listen();
  keepRequestsYoung();
  const reloading = await reloadCredentials(flags, log, (changed) => server.reload(changed));
  const { url } = server;
  if (delegation?.isTrustDelegated) {
    process.stdout.write(`${program} is listening at ${url}\n`);
    const isReady = await Promise.race([delegation.whenReady(), stopped.then(() => false)]);
    if (isReady) process.stdout.write(`${program} is ready at ${url}\n`);
  } else if (pki !== undefined) {
    const kubeconfig = await writeKubeconfig(flags, pki, url, program);
    const lines = onReady?.({ url, kubeconfig }) ?? [];
    process.stdout.write(`${[`${program} is ready at ${url}`, ...lines].join('\n')}\n`);
  }
  await stopped;
  process.stdout.write(`${program} is stopping\n`);
  reloading.close();
}
