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

/** The current credentials. They are replaced as a whole, so that a request never sees a mixture. */
export interface Credentials {
  readonly clientCa: CertificatePool | undefined;
  readonly requestHeaderCa: CertificatePool | undefined;
  readonly tokens: StaticTokens;
}

interface AuthenticatorOptions {
  readonly credentials: () => Credentials;
  readonly requestHeaders: () => RequestHeaderNames;
  /** Resolves tokens that are not in the token file. */
  readonly lookUpToken?: TokenLookup;
  /** Whether requests without credentials are anonymous, possibly by path. */
  readonly anonymous: boolean | ((path: string) => boolean);
  readonly nowMs: () => number;
  readonly observeExpiry?: (secondsLeft: number) => void;
}

/** Every authenticator of a stand-alone server, in upstream's order. */
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
