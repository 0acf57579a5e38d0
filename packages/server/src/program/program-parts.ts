/** What the flags of a program name: files to be read, and read again when they change. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { decodeYaml } from '@tributary/apimachinery';
import { systemClock } from '@tributary/storage';
import { parseBundle } from '../auth/certificate-pool.ts';
import { parseTokenFile, type StaticTokens } from '../auth/token-file.ts';
import type { Reload } from '../auth/trust-source.ts';
import { parseAuditPolicy } from '../operations/audit/parse-policy.ts';
import { descriptorDestination } from '../operations/logging/descriptor.ts';
import { LineWriter } from '../operations/logging/line-writer.ts';
import { type Logger, logFormat, logger } from '../operations/logging/logger.ts';
import { rotatingFile } from '../operations/logging/rotating-file.ts';
import type { StandalonePki } from '../pki/standalone.ts';
import { type CommonFlags, FlagError } from './flags.ts';
import { type ReloadedFiles, reloadFiles } from './reloaded-files.ts';
import type { ServerConfig } from './server-config.ts';

const MEGABYTE = 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;

export async function openLog({ loggingFormat, v }: CommonFlags): Promise<Logger> {
  const format = logFormat(loggingFormat, systemClock.nowMs);
  const writer = new LineWriter({
    destination: descriptorDestination(2),
    onError: () => {}, // there is nowhere left to say so
  });
  return logger({ writer, verbosity: v, format });
}

/** Credentials as the files say; a program that nobody gave certificates has made its own, or is told of them later. */
export async function credentialConfig(
  flags: CommonFlags,
  pki: Pick<StandalonePki, 'serving'> & Partial<Pick<StandalonePki, 'ca'>>,
  log: Logger,
): Promise<Pick<ServerConfig, 'serving' | 'clientCa' | 'requestHeader' | 'tokens'>> {
  const serving =
    flags.tlsCertFile === ''
      ? pki.serving
      : {
          cert: await readFile(flags.tlsCertFile, 'utf8'),
          key: await readFile(flags.tlsPrivateKeyFile, 'utf8'),
        };
  const clientCa = flags.clientCaFile === '' ? pki.ca : await readBundle(flags, 'clientCaFile');
  const tokens =
    flags.tokenAuthFile === ''
      ? undefined
      : readTokens(flags, log, await readFile(flags.tokenAuthFile, 'utf8'));
  const proxyCa =
    flags.requestheaderClientCaFile === ''
      ? undefined
      : await readBundle(flags, 'requestheaderClientCaFile');
  if (clientCa !== undefined && proxyCa !== undefined) {
    requireOwnAuthority(flags, clientCa, proxyCa);
  }
  return {
    serving,
    ...(clientCa !== undefined && { clientCa }),
    ...(tokens && { tokens }),
    ...(proxyCa !== undefined && {
      requestHeader: {
        ca: proxyCa,
        names: {
          allowedNames: flags.requestheaderAllowedNames,
          usernameHeaders: flags.requestheaderUsernameHeaders,
          uidHeaders: flags.requestheaderUidHeaders,
          groupHeaders: flags.requestheaderGroupHeaders,
          extraHeaderPrefixes: flags.requestheaderExtraHeadersPrefix,
        },
      },
    }),
  };
}

const BUNDLE_FLAGS = {
  clientCaFile: 'client-ca-file',
  requestheaderClientCaFile: 'requestheader-client-ca-file',
} as const;

async function readBundle(flags: CommonFlags, field: keyof typeof BUNDLE_FLAGS): Promise<string> {
  const path = flags[field];
  const bundle = await readFile(path, 'utf8');
  try {
    if (parseBundle(bundle).length === 0) throw new Error('holds no certificate');
  } catch (error) {
    throw new FlagError(`--${BUNDLE_FLAGS[field]} ${path}: ${messageOf(error)}`);
  }
  return bundle;
}

/** With one authority for both, every client could say that it is somebody else. */
function requireOwnAuthority(flags: CommonFlags, clientCa: string, proxyCa: string): void {
  if (flags.requestheaderAllowedNames.length > 0) return;
  const clients = new Set(parseBundle(clientCa).map(({ fingerprint256 }) => fingerprint256));
  if (!parseBundle(proxyCa).some(({ fingerprint256 }) => clients.has(fingerprint256))) return;
  throw new FlagError(
    '--requestheader-client-ca-file has a certificate of the client CA: --requestheader-allowed-names must say whose certificates are a front proxy',
  );
}

function readTokens({ tokenAuthFile }: CommonFlags, log: Logger, content: string): StaticTokens {
  try {
    const { tokens, warnings } = parseTokenFile(content);
    for (const warning of warnings) log.info(warning, { file: tokenAuthFile });
    return tokens;
  } catch (error) {
    throw new FlagError(`--token-auth-file ${tokenAuthFile}: ${messageOf(error)}`);
  }
}

export async function auditConfig(
  flags: CommonFlags,
  log: Logger,
): Promise<Pick<ServerConfig, 'audit'>> {
  if (flags.auditLogPath === '') return {};
  if (flags.auditPolicyFile === '') {
    log.info('No audit policy file provided, no events will be recorded');
    return {};
  }
  try {
    const text = await readFile(flags.auditPolicyFile);
    const { policy, warnings } = parseAuditPolicy(decodeYaml(text).value);
    for (const warning of warnings) log.info(warning, { file: flags.auditPolicyFile });
    return { audit: { policy, destination: auditDestination(flags) } };
  } catch (error) {
    throw new FlagError(`--audit-policy-file ${flags.auditPolicyFile}: ${messageOf(error)}`);
  }
}

function auditDestination(flags: CommonFlags) {
  if (flags.auditLogPath === '-') return descriptorDestination(1);
  return rotatingFile({
    path: flags.auditLogPath,
    bytesMax: flags.auditLogMaxsize * MEGABYTE,
    backupsMax: flags.auditLogMaxbackup,
    ageMsMax: flags.auditLogMaxage * DAY_MS,
    nowMs: () => Date.now(),
  });
}

/** Looks after the files that may change while the program runs. */
export async function reloadCredentials(
  flags: CommonFlags,
  log: Logger,
  reload: (changed: Reload) => void,
): Promise<{ close(): void }> {
  const files: ReloadedFiles[] = [
    {
      what: 'serving certificate',
      paths: [flags.tlsCertFile, flags.tlsPrivateKeyFile],
      apply: ([cert = '', key = '']) => reload({ serving: { cert, key } }),
    },
    {
      what: 'client CA',
      paths: [flags.clientCaFile],
      apply: ([clientCa = '']) => reload({ clientCa }),
    },
    {
      what: 'front proxy CA',
      paths: [flags.requestheaderClientCaFile],
      apply: ([requestHeaderCa = '']) => reload({ requestHeaderCa }),
    },
    {
      what: 'token file',
      paths: [flags.tokenAuthFile],
      apply: ([content = '']) => reload({ tokens: readTokens(flags, log, content) }),
    },
  ];
  const given = files.filter(({ paths }) => !paths.includes(''));
  const watched = await Promise.all(
    given.map((one) =>
      reloadFiles(
        { ...one, paths: one.paths.map((path) => resolve(path)) },
        {
          clock: systemClock,
          onReloaded: (what) => log.info(`Reloaded the ${what}`),
          onFailed: (what, error) =>
            log.error(error, `The new ${what} is bad, the old one is kept`),
        },
      ),
    ),
  );
  return {
    close() {
      for (const one of watched) one.close();
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
