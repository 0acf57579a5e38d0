import type { Authenticator } from '../request/authenticator.ts';
import {
  bearerTokenAuthenticator,
  type TokenLookup,
  webSocketTokenAuthenticator,
} from './bearer-token.ts';
import type { CertificatePool } from './certificate-pool.ts';
import { clientCertificateAuthenticator } from './client-certificate.ts';
import { inAuthenticatedGroup, orAnonymous } from './groups.ts';
import { requestHeaderAuthenticator } from './request-header.ts';
import type { RequestHeaderNames } from './request-header-names.ts';
import type { StaticTokens } from './token-file.ts';
import { unionAuthenticator } from './union.ts';

/** What users are known by now. Replaced as a whole when a file changes, so requests never see a mixture. */
export interface Credentials {
  readonly clientCa: CertificatePool | undefined;
  readonly requestHeaderCa: CertificatePool | undefined;
  readonly tokens: StaticTokens;
}

export interface AuthenticatorOptions {
  readonly credentials: () => Credentials;
  readonly requestHeaders: () => RequestHeaderNames;
  /** Asked about tokens that are not among the credentials. */
  readonly lookUpToken?: TokenLookup;
  /** Whether who shows nothing is anybody, or at which paths. */
  readonly anonymous: boolean | ((path: string) => boolean);
  readonly nowMs: () => number;
  readonly observeExpiry?: (secondsLeft: number) => void;
}

/** Everything a stand-alone server knows users by, in the order of upstream. */
export function buildAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { credentials, requestHeaders, nowMs, observeExpiry } = options;
  const lookup: TokenLookup = (token) =>
    credentials().tokens.get(token) ?? options.lookUpToken?.(token) ?? { outcome: 'no-opinion' };
  const known = inAuthenticatedGroup(
    unionAuthenticator([
      requestHeaderAuthenticator({
        pool: () => credentials().requestHeaderCa,
        names: requestHeaders,
        nowMs,
      }),
      clientCertificateAuthenticator({
        pool: () => credentials().clientCa,
        nowMs,
        ...(observeExpiry && { observeExpiry }),
      }),
      bearerTokenAuthenticator(lookup),
      webSocketTokenAuthenticator(lookup),
    ]),
  );
  return withAnonymous(known, options.anonymous);
}

export function withAnonymous(
  known: Authenticator,
  anonymous: AuthenticatorOptions['anonymous'],
): Authenticator {
  if (typeof anonymous === 'function') return orAnonymous(known, anonymous);
  return anonymous ? orAnonymous(known) : known;
}
