import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type EncryptionConfig,
  encryptedStorage,
  parseEncryptionConfig,
  registryKeyPrefixOf,
  type Storage,
} from '@tributary/storage';
import { type ApiDefinition, defineApi } from './api.ts';
import { FlagError, helpText, parseServerFlags, type ServerFlags } from './flags.ts';
import { openStorage } from './open-storage.ts';
import { kubeconfig } from './pki/kubeconfig.ts';
import { type StandalonePki, standalonePki } from './pki/standalone.ts';
import { auditConfig, credentialConfig, openLog, reloadCredentials } from './program-parts.ts';
import { createServer } from './server.ts';

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
      process.stdout.write(helpText(options.program, options.summary));
      return 0;
    }
    await serveUntilStopped(underGroup(api, flags.group), flags, options);
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
  { program, onReady }: RunnableOptions,
): Promise<void> {
  const stopped = stopSignal();
  const log = await openLog(flags);
  const pki = await standalonePki(join(flags.dataDir, 'pki'), { nowMs: Date.now() });
  await using storage = await openStore(flags);
  await using server = await createServer(api, {
    storage,
    log,
    bindAddress: flags.bindAddress,
    securePort: flags.securePort,
    ...(flags.memoryLimit !== undefined && { memoryBytesMax: flags.memoryLimit }),
    ...(await credentialConfig(flags, pki, log)),
    ...(await auditConfig(flags, log)),
    ...operationConfig(flags),
  }).listen();
  const reloading = await reloadCredentials(flags, log, (changed) => server.reload(changed));
  const config = await writeKubeconfig(flags, pki, server.url, program);
  const lines = onReady?.({ url: server.url, kubeconfig: config }) ?? [];
  process.stdout.write(`${[`${program} is ready at ${server.url}`, ...lines].join('\n')}\n`);
  await stopped;
  process.stdout.write(`${program} is stopping\n`);
  reloading.close();
}

/** Requests under way may take as long as any; connections are cut after that. */
function operationConfig(flags: ServerFlags) {
  return {
    anonymousAuth: flags.anonymousAuth,
    maxRequestsInFlight: flags.maxRequestsInflight,
    maxMutatingRequestsInFlight: flags.maxMutatingRequestsInflight,
    requestTimeoutMs: flags.requestTimeout,
    minRequestTimeoutMs: flags.minRequestTimeout * 1000,
    corsAllowedOrigins: flags.corsAllowedOrigins,
    hstsDirectives: flags.strictTransportSecurityDirectives,
    goawayChance: flags.goawayChance,
    shutdown: {
      delayMs: flags.shutdownDelayDuration,
      watchGraceMs: flags.shutdownWatchTerminationGracePeriod,
      drainMs: flags.requestTimeout,
    },
  };
}

async function openStore(flags: ServerFlags): Promise<Storage> {
  const file = flags.encryptionProviderConfig;
  const config = file === '' ? undefined : await readEncryptionConfig(file);
  const storage = await openStorage(flags.storage, flags.dataDir);
  if (config === undefined) return storage;
  return encryptedStorage(storage, config, { keyPrefixOf: registryKeyPrefixOf });
}

async function readEncryptionConfig(file: string): Promise<EncryptionConfig> {
  const { load } = await import('js-yaml');
  try {
    return parseEncryptionConfig(load(await readFile(file, 'utf8')));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new FlagError(`--encryption-provider-config ${file}: ${error.message}`);
  }
}

/** Credentials of an administrator, for the certificates that this server made itself. */
async function writeKubeconfig(
  flags: ServerFlags,
  pki: StandalonePki,
  url: string,
  name: string,
): Promise<string> {
  const path = join(flags.dataDir, 'admin.kubeconfig');
  const server = url.replace(/0\.0\.0\.0|\[::\]/, '127.0.0.1');
  const text = kubeconfig({ server, ca: pki.ca, user: pki.admin, name, namespace: 'default' });
  // A server on a full disk can still be read, with the file that is there.
  if (!existsSync(path) || (await readFile(path, 'utf8')) !== text) {
    await mkdir(flags.dataDir, { recursive: true });
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
  return path;
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = 0;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        asked += 1;
        if (asked > 1) process.exit(1); // who asks twice does not want to wait
        resolve();
      });
    }
  });
}

/** A port in use or a file that cannot be read is for the person at the terminal, without a stack. */
function isExpected(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
