import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseGoDuration } from '@tributary/apimachinery';
import type { KeyPair, ServiceName } from '@tributary/core-server';
import { controlPlaneDirectory } from '../pki/locations.ts';
import { requestToken } from './request-token.ts';

export interface KubeconfigFlags {
  readonly dataDir: string;
  readonly user?: string;
  readonly group: readonly string[];
  readonly serviceAccount?: ServiceName;
  readonly duration?: string;
  readonly server?: string;
  readonly namespace: string;
}

const HOUR_MS = 60 * 60 * 1000;
const YEAR_MS = 8760 * HOUR_MS;
const SERVER = 'https://127.0.0.1:6443';

export async function makeKubeconfig(flags: KubeconfigFlags): Promise<string> {
  refuseContradictions(flags);
  const server = flags.server === undefined ? await knownServer(flags.dataDir) : url(flags.server);
  const ca = await pkiFile(flags.dataDir, 'server-ca.crt');
  const user = await credentials(flags, { server, ca });
  // Loaded last: mistakes are told without it.
  const { kubeconfig } = await import('@tributary/server/pki');
  return kubeconfig({ server, ca, user, namespace: flags.namespace, name: nameOf(flags) });
}

function refuseContradictions({ user, group, serviceAccount, duration }: KubeconfigFlags): void {
  if (user !== undefined && serviceAccount !== undefined) {
    throw new Error('--user and --service-account are two identities: choose one');
  }
  if (group.length > 0 && user === undefined) {
    throw new Error('--group needs --user: the groups stand in the certificate of a user');
  }
  if (user === '' || group.includes('')) throw new Error('a user or a group needs a name');
  if (duration !== undefined && user === undefined && serviceAccount === undefined) {
    throw new Error(
      '--duration needs --user or --service-account: the administrator has a certificate',
    );
  }
}

async function credentials(
  flags: KubeconfigFlags,
  { server, ca }: { server: string; ca: string },
): Promise<KeyPair | { token: string }> {
  const { dataDir, user, group, serviceAccount, duration } = flags;
  if (user !== undefined) {
    const { issueUserCertificate } = await import('@tributary/core-server');
    const lifetimeMs = durationMs(duration, YEAR_MS);
    const request = { name: user, groups: group, lifetimeMs, nowMs: Date.now() };
    return issueUserCertificate(controlPlaneDirectory(dataDir), request);
  }
  const admin = {
    cert: await pkiFile(dataDir, 'admin.crt'),
    key: await pkiFile(dataDir, 'admin.key'),
  };
  if (serviceAccount === undefined) return admin;
  const expirationSeconds = Math.round(durationMs(duration, HOUR_MS) / 1000);
  return { token: await requestToken({ server, ca, admin, serviceAccount, expirationSeconds }) };
}

/** The one that the last start of the server has written down. */
async function knownServer(dataDir: string): Promise<string> {
  const kubeconfig = join(dataDir, 'admin.kubeconfig');
  if (!existsSync(kubeconfig)) return SERVER;
  const { loadConfig } = await import('@tributary/client');
  return (await loadConfig({ kubeconfig })).server;
}

async function pkiFile(dataDir: string, name: string): Promise<string> {
  const path = join(controlPlaneDirectory(dataDir), name);
  if (!existsSync(path)) {
    throw new Error(
      `${path} does not exist: "tributary pki init" makes it, or name another --data-dir`,
    );
  }
  return readFile(path, 'utf8');
}

function url(text: string): string {
  if (URL.canParse(text) && new URL(text).protocol === 'https:') return text;
  throw new Error(`--server ${text}: write it as https://HOST:PORT`);
}

function durationMs(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const duration = parseGoDuration(text);
  if (!duration.ok) throw new Error(`--duration: ${duration.message}`);
  if (duration.milliseconds < 1000) throw new Error('--duration must be at least 1s');
  return duration.milliseconds;
}

/** Also of the context, so that several can be merged into one file. */
function nameOf({ user, serviceAccount }: KubeconfigFlags): string {
  if (serviceAccount !== undefined) return `${serviceAccount.namespace}-${serviceAccount.name}`;
  return user === undefined ? 'tributary' : `tributary-${user}`;
}
