interface FailedCall {
  /** As Go writes it: `Post`. */
  readonly method: string;
  readonly url: string;
}

const CERTIFICATE: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'x509: certificate signed by unknown authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'x509: certificate signed by unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'x509: certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'x509: certificate signed by unknown authority',
  CERT_SIGNATURE_FAILURE: 'x509: certificate signed by unknown authority',
  CERT_HAS_EXPIRED: 'x509: certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'x509: certificate has expired or is not yet valid',
};

interface DialedError {
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

/** Network errors with the texts of Go's HTTP client, which operators know; other errors unchanged. */
export function goNetworkError(error: unknown, { method, url }: FailedCall): Error {
  const known = error instanceof Error ? error : new Error(String(error));
  const words = wordsOf(known);
  if (words === undefined) return known;
  return new Error(`${method} ${JSON.stringify(url)}: ${words}`, { cause: error });
}

function wordsOf(error: Error): string | undefined {
  if (error.name === 'TimeoutError') {
    return 'context deadline exceeded';
  }
  const { code = '', address, port, hostname } = error as NodeJS.ErrnoException & DialedError;
  const dialed = `${address ?? ''}:${port ?? ''}`;
  const certificate = CERTIFICATE[code];
  if (certificate !== undefined) return `tls: failed to verify certificate: ${certificate}`;
  switch (code) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `tls: failed to verify certificate: x509: ${error.message}`;
    case 'ECONNREFUSED':
      return `dial tcp ${dialed}: connect: connection refused`;
    case 'EHOSTUNREACH':
      return `dial tcp ${dialed}: connect: no route to host`;
    case 'ENOTFOUND':
      return `dial tcp: lookup ${hostname ?? ''}: no such host`;
    case 'ECONNRESET':
    case 'EPIPE':
      return 'EOF';
    default:
      return code === '' ? undefined : error.message;
  }
}
