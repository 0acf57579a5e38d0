/** What every server program does: it opens its store, tells where its kubeconfig is, and stops when it is told to. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeYaml } from '@tributary/apimachinery';
import {
  type EncryptionConfig,
  encryptedStorage,
  parseEncryptionConfig,
  registryKeyPrefixOf,
  type Storage,
} from '@tributary/storage';
import { kubeconfig } from '../pki/kubeconfig.ts';
import type { StandalonePki } from '../pki/standalone.ts';
import { type CommonFlags, FlagError } from './flags.ts';
import { type Engines, openStorage } from './open-storage.ts';

/** Requests under way may take as long as any; connections are cut after that. */
export function operationConfig(flags: CommonFlags) {
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

export interface OpenStoreOptions {
  /** Begins the line that is written when the store ends the program. */
  readonly program: string;
  readonly engines?: Engines | undefined;
}

export async function openStore(
  flags: CommonFlags,
  { program, engines }: OpenStoreOptions,
): Promise<Storage> {
  const file = flags.encryptionProviderConfig;
  const config = file === '' ? undefined : await readEncryptionConfig(file);
  const storage = await openStorage(flags.storage, flags.dataDir, engines);
  void storage.whenFailed?.().then((reason) => endProgram(program, reason));
  if (config === undefined) return storage;
  return encryptedStorage(storage, config, { keyPrefixOf: registryKeyPrefixOf });
}

/**
 * A server without its store, or without an object of it that every request needs, can only return errors: it ends with one line, and
 * its supervisor starts it again. Nothing is drained, because nothing could be served.
 */
export function endProgram(program: string, { message }: Error): never {
  process.stderr.write(`${program}: ${message.replaceAll('\n', ' ')}; exiting\n`);
  process.exit(1);
}

async function readEncryptionConfig(file: string): Promise<EncryptionConfig> {
  try {
    return parseEncryptionConfig(decodeYaml(await readFile(file)).value);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new FlagError(`--encryption-provider-config ${file}: ${error.message}`);
  }
}

/** Credentials of an administrator, for the certificates that this server made itself. */
export async function writeKubeconfig(
  flags: Pick<CommonFlags, 'dataDir'>,
  pki: Pick<StandalonePki, 'ca' | 'admin'>,
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

/**
 * The variable by which a program that another one started is told to end with it: `stdin` means that standard input is a
 * pipe which the other holds, and which the system closes when that is gone, even by SIGKILL.
 */
export const CONTROL_PIPE = 'TRIBUTARY_CONTROL_PIPE';
/** Then nobody waits for requests that are under way. */
const ABANDONED_MS = 1_000;

export function stopSignal(env: NodeJS.ProcessEnv = process.env): Promise<void> {
  return new Promise((resolve) => {
    let asked = 0;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        asked += 1;
        if (asked > 1) process.exit(1); // who asks twice does not want to wait
        resolve();
      });
    }
    if (env[CONTROL_PIPE] === 'stdin') whenAbandoned(resolve);
  });
}

function whenAbandoned(stop: () => void): void {
  const pipe = process.stdin;
  const abandoned = () => {
    // Whoever read our output is gone, too.
    for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
    setTimeout(() => process.exit(1), ABANDONED_MS).unref();
    stop();
  };
  pipe.once('close', abandoned);
  pipe.on('error', () => {}); // it closes then
  pipe.resume();
  pipe.unref(); // waiting for it keeps nobody alive
}

/** A port in use or a file that cannot be read is for the person at the terminal, without a stack. */
export function isExpected(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
