/** What every server program does: it opens its store, tells where its kubeconfig is, and stops when it is told to. */
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
import { type CommonFlags, FlagError } from './flags.ts';
import { type Engines, openStorage } from './open-storage.ts';
import { kubeconfig } from './pki/kubeconfig.ts';
import type { StandalonePki } from './pki/standalone.ts';

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

export async function openStore(flags: CommonFlags, engines?: Engines): Promise<Storage> {
  const file = flags.encryptionProviderConfig;
  const config = file === '' ? undefined : await readEncryptionConfig(file);
  const storage = await openStorage(flags.storage, flags.dataDir, engines);
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

export function stopSignal(): Promise<void> {
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
export function isExpected(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
