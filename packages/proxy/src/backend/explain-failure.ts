import { TransportError } from '@tributary/client';
import {
  BROKEN_CONNECTION,
  DialError,
  HEAD_TOO_LARGE,
  REQUEST_BODY_INCOMPLETE,
} from '@tributary/client/connections';
import { BackendFailure, type FailureHop } from './backend.ts';
import type { Target } from './target.ts';

/** `host:port`, with brackets around addresses that have colons. */
export function addressOf({ host, port }: Target): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Converts a failed exchange to a BackendFailure with its step. Other errors are returned unchanged. */
export function explainFailure(error: unknown, target: Target): unknown {
  if (!(error instanceof TransportError)) return error;
  const { cause } = error;
  if (cause instanceof BackendFailure) return onTarget(cause, target);
  const { hop, words, certainlyNot } = cause instanceof DialError ? dial(cause) : exchange(error);
  return new BackendFailure(`${addressOf(target)}: ${words}`, {
    hop,
    maybeProcessed: error.maybeProcessed && certainlyNot !== true,
    target,
    cause: error,
  });
}

/** The body of the client broke off, which is no failure of the server. */
export function isClientsFault(failure: BackendFailure): boolean {
  return failure.cause instanceof TransportError && failure.cause.code === REQUEST_BODY_INCOMPLETE;
}

/** The request cannot be sent as it is, or not now, which is no evidence about the server. */
export function isRequestsFault(failure: BackendFailure): boolean {
  return failure.hop === 'busy' || failure.hop === 'head' || isClientsFault(failure);
}

/** The connection had served before: the server may have closed it meanwhile. */
export function wasReused(failure: BackendFailure): boolean {
  return failure.cause instanceof TransportError && failure.cause.reusedConnection;
}

/** OpenSSL refuses such signatures without a code of its own. */
export function isWeakDigest({ message }: BackendFailure): boolean {
  return /(?:digest|md) too weak|digest algorithm too weak/i.test(message);
}

interface Explanation {
  readonly hop: FailureHop;
  readonly words: string;
  /** The server did not process the request, whatever the connection says. */
  readonly certainlyNot?: boolean;
}

function onTarget(failure: BackendFailure, target: Target): BackendFailure {
  const { message, hop, maybeProcessed, cause } = failure;
  return new BackendFailure(message, { hop, maybeProcessed, target, cause });
}

const WORDS: Readonly<Record<string, readonly [FailureHop, string]>> = {
  ENOTFOUND: ['dns', 'the name is not found in DNS'],
  EAI_AGAIN: ['dns', 'DNS does not respond'],
  ECONNREFUSED: ['connect', 'connection refused: nothing listens there'],
  EHOSTUNREACH: ['connect', 'no route to the host'],
  ENETUNREACH: ['connect', 'the network is unreachable'],
  EADDRNOTAVAIL: ['connect', 'no local port is free for a connection'],
  EMFILE: ['connect', 'this process has too many open files and connections'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['tls-name', ''],
  CERT_HAS_EXPIRED: ['ca', 'the certificate has expired, or one that it depends on'],
  CERT_NOT_YET_VALID: ['ca', 'the certificate is not yet valid, or one that it depends on'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['ca', 'self-signed certificate: not in the caBundle'],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'ca',
    'self-signed certificate in certificate chain: not signed by the caBundle',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'ca',
    'the certificate is not signed by the caBundle, and the server sends no intermediate certificates',
  ],
  UNABLE_TO_GET_ISSUER_CERT: ['ca', 'the certificate is signed by an unknown authority'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'ca',
    'the certificate is signed by an authority that is not in the caBundle',
  ],
  CERT_SIGNATURE_FAILURE: ['ca', 'the signature of the certificate does not fit the caBundle'],
  INVALID_CA: ['ca', 'what signed the certificate is no certificate authority'],
  INVALID_PURPOSE: ['ca', 'the certificate is not for servers'],
  CERT_REVOKED: ['ca', 'the certificate is revoked'],
  CERT_REJECTED: ['ca', 'the certificate is rejected'],
  CERT_UNTRUSTED: ['ca', 'the certificate is not trusted'],
  UNSPECIFIED: ['ca', ''],
};

const STEP_HOPS = { lookup: 'dns', connect: 'connect', handshake: 'tls' } as const;

function dial({ step, code, message }: DialError): Explanation {
  const [hop, words] = WORDS[code] ?? [];
  if (hop !== undefined) return { hop, words: words || certificateWords(message) };
  if (code === 'ETIMEDOUT') {
    const missing = step === 'handshake' ? 'the TLS handshake does not end' : 'no connection';
    return { hop: STEP_HOPS[step], words: `${missing}: ${message}` };
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO') {
    return { hop: 'tls', words: `the server does not speak TLS there: ${openSslReason(message)}` };
  }
  if (CERTIFICATE_ALERT.test(code)) return refusedCertificate(code);
  if (code.startsWith('ERR_SSL_')) {
    return { hop: 'tls', words: `the TLS handshake failed: ${code}` };
  }
  if (step === 'handshake' && (code === 'ECONNRESET' || code === 'UNKNOWN')) {
    return { hop: 'tls', words: 'the server closed the connection during the TLS handshake' };
  }
  return { hop: STEP_HOPS[step], words: message };
}

/** Removes the thread and source positions that OpenSSL adds, which differ each time. */
function openSslReason(message: string): string {
  return /error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/.exec(message)?.[1] ?? message.trim();
}

function certificateWords(message: string): string {
  return message.startsWith('the certificate') ? message : `the certificate is refused: ${message}`;
}

const MALFORMED = 'malformed MIME header';

const CERTIFICATE_ALERT = /ALERT_(?:[A-Z_]*CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|CERT)/;

function refusedCertificate(code: string): Explanation {
  const words = `the server refuses the front-proxy client certificate: ${code}`;
  return { hop: 'tls', words, certainlyNot: true };
}

function exchange({ code, message, cause }: TransportError): Explanation {
  if (cause instanceof Error && cause.message.startsWith('net/http: ')) {
    return { hop: 'protocol', words: cause.message };
  }
  if (cause instanceof Error && cause.message.startsWith(MALFORMED)) {
    return { hop: 'protocol', words: `${BROKEN_CONNECTION}: ${cause.message}` };
  }
  if (CERTIFICATE_ALERT.test(code)) return refusedCertificate(code);
  const reason = message.slice(message.lastIndexOf(': ') + 2);
  if (code.startsWith('ERR_SSL_')) return { hop: 'tls', words: reason };
  if (code === REQUEST_BODY_INCOMPLETE) {
    return { hop: 'reset', words: 'the body of the request broke off' };
  }
  if (code === 'ETIMEDOUT') return { hop: 'silent', words: reason };
  if (code === HEAD_TOO_LARGE) return { hop: 'head', words: reason };
  if (code === 'EMFILE') return { hop: 'busy', words: reason };
  if (isNoHttp(code)) return { hop: 'protocol', words: `the response is not HTTP: ${reason}` };
  if (message.includes('the response was cut short')) {
    return { hop: 'reset', words: 'the connection ended in the middle of the response' };
  }
  return { hop: 'reset', words: `the connection ended before a response: ${reason}` };
}

function isNoHttp(code: string): boolean {
  return code.startsWith('HPE_') || code === 'ERR_HTTP2_ERROR' || code === 'ERR_INVALID_CHAR';
}
