import { join } from 'node:path';
import { type ApiDefinition, defineApi } from '../definition/api.ts';
import { standalonePki } from '../pki/standalone.ts';
import { writeKubeconfig } from './admin-kubeconfig.ts';
import { servingCaFile } from './bootstrap/serving-ca-file.ts';
import { credentialConfig, reloadCredentials } from './credentials.ts';
import { FlagError, parseServerFlags, type ServerFlags, serverFlagTable } from './flags.ts';
import { openStorage } from './open-storage.ts';
import { auditConfig, operationConfig } from './operation-config.ts';
import { openDelegation } from './program-delegation.ts';
import { type ProgramContext, runProgram, type StartedServer } from './run-program.ts';
import { createServer } from './server.ts';

export interface RunnableOptions {
  /** Name of the program, in `--help` and for the default data directory. */
  readonly program: string;
  readonly summary: string;
  readonly args: readonly string[];
  /** Further lines for standard output once the server is ready. */
  readonly onReady?: (ready: { url: string; kubeconfig: string }) => readonly string[];
}

/** Runs an extension API server as a program until it is stopped, and resolves with its exit code. */
export function runServer(api: ApiDefinition, options: RunnableOptions): Promise<number> {
  const { program, summary, args, onReady } = options;
  return runProgram({
    program,
    summary,
    args,
    flagTable: serverFlagTable(program),
    parse: (given) => parseServerFlags(program, given),
    start: (context) => start(underGroup(api, context.flags.group), context, onReady),
  });
}

function underGroup(api: ApiDefinition, group: string): ApiDefinition {
  if (group === '') return api;
  try {
    return defineApi({ group, resources: api.resources });
  } catch (error) {
    throw new FlagError(`--group ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function start(
  api: ApiDefinition,
  { program, flags, log, uncaughtErrors, resources }: ProgramContext<ServerFlags>,
  onReady: RunnableOptions['onReady'],
): Promise<StartedServer> {
  const opened = await openDelegation(flags, { name: program, log });
  const delegation = opened && resources.use(opened);
  const isTrustDelegated = delegation?.isTrustDelegated ?? false;
  // Certificates are issued only where they are used.
  const pki =
    isTrustDelegated && flags.tlsCertFile !== ''
      ? undefined
      : await standalonePki(join(flags.dataDir, 'pki'), { nowMs: Date.now() });
  // With delegated authentication only the client CAs of the core server are trusted.
  const authority = isTrustDelegated ? undefined : pki;
  const fallback = {
    serving: pki?.serving ?? { cert: '', key: '' }, // --tls-cert-file is set then
    ...(authority && { ca: authority.ca }),
  };
  const storage = resources.use(await openStorage(flags, { program }));
  const server = resources.use(
    await createServer(api, {
      storage,
      log,
      uncaughtErrors,
      bindAddress: flags.bindAddress,
      securePort: flags.securePort,
      ...(flags.memoryLimit !== undefined && { memoryBytesMax: flags.memoryLimit }),
      ...(await credentialConfig(flags, fallback, log)),
      ...(flags.tlsCertFile !== '' && { servingCa: servingCaFile(flags.tlsCertFile) }),
      ...(await auditConfig(flags, log)),
      ...operationConfig(flags),
      ...delegation?.config,
    }).listen(),
  );
  resources.use(await reloadCredentials(flags, log, (changed) => server.reload(changed)));
  const { url } = server;
  const whenReady = async () => {
    const ready = `${program} is ready at ${url}`;
    if (authority === undefined) {
      process.stdout.write(`${program} is listening at ${url}\n`);
      await delegation?.whenReady();
      return [ready];
    }
    const kubeconfig = await writeKubeconfig(flags, authority, url, program);
    return [ready, ...(onReady?.({ url, kubeconfig }) ?? [])];
  };
  return { url, whenReady };
}
