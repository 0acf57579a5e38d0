import type { Authenticator } from '../request/authenticator.ts';
import type { CertificatePool } from './certificate-pool.ts';
import { frontProxyUsers } from './front-proxy-users.ts';
import type { RequestHeaderNames } from './request-header-names.ts';

export interface RequestHeaderOptions {
  /** CAs of the front proxy, never those of clients. */
  readonly pool: () => CertificatePool | undefined;
  readonly names: () => RequestHeaderNames;
  readonly nowMs: () => number;
}

/** Users authenticated by a front proxy, such as an aggregator in front of an extension API server. */
export function requestHeaderAuthenticator(options: RequestHeaderOptions): Authenticator {
  const userOf = frontProxyUsers();
  return ({ peer: { certificate }, headers }) => {
    const pool = options.pool();
    if (certificate === undefined || pool === undefined) return { outcome: 'no-opinion' };
    const verification = pool.verify(certificate, options.nowMs());
    if (verification.outcome === 'rejected') return verification;
    const names = options.names();
    const { commonName } = verification.leaf;
    if (names.allowedNames.length > 0 && !names.allowedNames.includes(commonName)) {
      const reason = `x509: subject with cn=${commonName} is not in the allowed list`;
      return { outcome: 'rejected', reason };
    }
    return userOf(headers, names);
  };
}
