import { readFile } from 'node:fs/promises';
import { parseBundle } from '../auth/certificate-pool.ts';
import { parseTokenFile, type StaticTokens } from '../auth/token-file.ts';
import type { Reload } from '../auth/trust-source.ts';
import type { Logger } from '../operations/logging/logger.ts';
import type { StandalonePki } from '../pki/standalone.ts';
import { type ReloadedFiles, reloadFiles } from './file-reloader.ts';
import { type CommonFlags, FlagError } from './flags.ts';
import type { ServerConfig } from './server-config.ts';

/** Credentials from the files that the flags name; `pki` is the fallback for certificates. */
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
    requireSeparateCa(flags, clientCa, proxyCa);
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
    if (parseBundle(bundle).length === 0) throw new Error('contains no certificate');
  } catch (error) {
    throw new FlagError(`--${BUNDLE_FLAGS[field]} ${path}: ${messageOf(error)}`);
  }
  return bundle;
}

/** With one CA for both, every client could impersonate any user through the front proxy headers. */
function requireSeparateCa(flags: CommonFlags, clientCa: string, proxyCa: string): void {
  if (flags.requestheaderAllowedNames.length > 0) return;
  const clients = new Set(parseBundle(clientCa).map(({ fingerprint256 }) => fingerprint256));
  if (!parseBundle(proxyCa).some(({ fingerprint256 }) => clients.has(fingerprint256))) return;
  throw new FlagError(
    '--requestheader-client-ca-file contains a client CA: set --requestheader-allowed-names to the names of the front proxies',
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

/** Reloads the files that may change while the program runs. */
export async function reloadCredentials(
  flags: CommonFlags,
  log: Logger,
  reload: (changed: Reload) => void,
): Promise<Disposable> {
  const files: ReloadedFiles[] = [
    {
      name: 'serving certificate',
      paths: [flags.tlsCertFile, flags.tlsPrivateKeyFile],
      apply: ([cert = '', key = '']) => reload({ serving: { cert, key } }),
    },
    {
      name: 'client CA',
      paths: [flags.clientCaFile],
      apply: ([clientCa = '']) => reload({ clientCa }),
    },
    {
      name: 'front proxy CA',
      paths: [flags.requestheaderClientCaFile],
      apply: ([requestHeaderCa = '']) => reload({ requestHeaderCa }),
    },
    {
      name: 'token file',
      paths: [flags.tokenAuthFile],
      apply: ([content = '']) => reload({ tokens: readTokens(flags, log, content) }),
    },
  ];
  using reloaders = new DisposableStack();
  for (const one of files.filter(({ paths }) => !paths.includes(''))) {
    reloaders.use(await reloadFiles(one, { log }));
  }
  return reloaders.move();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
