import { isIP } from 'node:net';
import {
  checkServerIdentity,
  createSecureContext,
  getCACertificates,
  type PeerCertificate,
  type SecureContext,
} from 'node:tls';
import type { TlsSettings } from '@tributary/client/connections';
import { BackendFailure } from './backend.ts';
import type { BackendConfig } from './backend-config.ts';
import type { BackendMetrics } from './backend-metrics.ts';
import { readCaBundle } from './ca-bundle.ts';

/** The client certificate of the front proxy, and its key. */
export interface FrontProxyIdentity {
  readonly cert: string;
  readonly key: string;
}

/** The TLS settings of connections to a server. */
export interface Trust {
  /** Throws a BackendFailure when the caBundle or the client certificate is invalid. */
  settings(serverName: string): TlsSettings;
}

/**
 * Makes one context for all connections, at the first one, from one state of the configuration and the client
 * certificate.
 */
export function createTrust(
  remote: Pick<BackendConfig, 'caBundle' | 'insecureSkipTlsVerify'>,
  identity: FrontProxyIdentity | undefined,
  metrics: BackendMetrics,
): Trust {
  let context: SecureContext | undefined;
  const checkIdentity = (name: string, certificate: PeerCertificate): Error | undefined =>
    wrongName(name, certificate, metrics);
  return {
    settings(serverName) {
      context ??= createContext(remote, identity);
      return {
        secureContext: context,
        serverName,
        insecureSkipVerify: remote.insecureSkipTlsVerify,
        checkIdentity,
      };
    },
  };
}

function createContext(
  { caBundle, insecureSkipTlsVerify }: Pick<BackendConfig, 'caBundle' | 'insecureSkipTlsVerify'>,
  identity: FrontProxyIdentity | undefined,
): SecureContext {
  const ca = insecureSkipTlsVerify ? undefined : rootsOf(caBundle);
  try {
    return createSecureContext({
      minVersion: 'TLSv1.2',
      ...(ca !== undefined && { ca }),
      ...identity,
    });
  } catch (cause) {
    const problem = `the front-proxy client certificate cannot be used: ${(cause as Error).message}`;
    throw new BackendFailure(problem, { hop: 'tls', maybeProcessed: false, cause });
  }
}

/** Undefined: the certificates of Node, where the system has none. */
function rootsOf(caBundle: string | undefined): string[] | undefined {
  if (caBundle === undefined || caBundle === '') {
    const system = getCACertificates('system');
    return system.length > 0 ? system : undefined;
  }
  try {
    return readCaBundle(caBundle);
  } catch (cause) {
    const { message } = cause as Error;
    throw new BackendFailure(message, { hop: 'ca', maybeProcessed: false, cause });
  }
}

/** Ignores common names, as Go does and Node does not. */
function wrongName(
  name: string,
  certificate: PeerCertificate,
  metrics: BackendMetrics,
): Error | undefined {
  if (certificate.subjectaltname === undefined) {
    metrics.missingSan();
    const commonName = String(certificate.subject?.CN ?? '');
    return nameError(
      `the certificate has no subject alternative names, and its common name "${commonName}" does not count`,
    );
  }
  const nameless = { ...certificate, subject: { ...certificate.subject, CN: '' } };
  if (checkServerIdentity(name, nameless) === undefined) return undefined;
  const what = isIP(name) === 0 ? name : `the address ${name}`;
  return nameError(`the certificate is for ${namesIn(certificate)}, not for ${what}`);
}

function nameError(message: string): Error {
  return Object.assign(new Error(message), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
}

/** Certificates may have hundreds of names; a message has some of them. */
const NAMES_SHOWN_MAX = 10;

function namesIn({ subjectaltname = '' }: PeerCertificate): string {
  const names = subjectaltname
    .split(', ')
    .map((entry) => entry.replace(/^(DNS|IP Address|URI|email):/, ''));
  const shown = names.slice(0, NAMES_SHOWN_MAX).join(', ');
  return names.length > NAMES_SHOWN_MAX ? `${shown}, …` : shown;
}
