import type { Credentials } from './build-authenticator.ts';
import { type CertificatePool, certificatePool } from './certificate-pool.ts';
import { type RequestHeaderNames, standardRequestHeaders } from './request-header-names.ts';
import type { StaticTokens } from './token-file.ts';
import type { Reload, TrustSource } from './trust-source.ts';

/** The credentials that a server accepts. */
export interface CredentialConfig {
  /** PEM of the CAs of client certificates. Default: no user is authenticated by certificate. */
  readonly clientCa?: string;
  /** A front proxy that sends users in headers. */
  readonly requestHeader?: {
    /** PEM of the CAs of the front proxy's certificate. */
    readonly ca: string;
    readonly names?: Partial<RequestHeaderNames>;
  };
  /** Users by token, as `parseTokenFile` reads them. */
  readonly tokens?: StaticTokens;
  /** Another server that publishes the trusted CAs, and their changes. */
  readonly trust?: TrustSource;
}

/** The current credentials, replaced as a whole: an invalid change throws and has no effect. */
export class CredentialStore {
  #current: Credentials;
  #requestHeaders: RequestHeaderNames;
  readonly #endTrust: (() => void) | undefined;

  constructor({ clientCa, requestHeader, tokens, trust }: CredentialConfig) {
    this.#current = {
      clientCa: poolOf(clientCa),
      requestHeaderCa: poolOf(requestHeader?.ca),
      tokens: tokens ?? new Map(),
    };
    this.#requestHeaders = { ...standardRequestHeaders, ...requestHeader?.names };
    this.#endTrust = trust?.follow((changed) => this.replace(changed));
  }

  get current(): Credentials {
    return this.#current;
  }

  get requestHeaders(): RequestHeaderNames {
    return this.#requestHeaders;
  }

  replace({ clientCa, requestHeaderCa, requestHeaders, tokens }: Reload): void {
    const before = this.#current;
    this.#current = {
      clientCa: poolOf(clientCa) ?? before.clientCa,
      requestHeaderCa: poolOf(requestHeaderCa) ?? before.requestHeaderCa,
      tokens: tokens ?? before.tokens,
    };
    this.#requestHeaders = requestHeaders ?? this.#requestHeaders;
  }

  /** Ends the subscription to `trust`. */
  close(): void {
    this.#endTrust?.();
  }
}

function poolOf(bundle: string | undefined): CertificatePool | undefined {
  return bundle === undefined ? undefined : certificatePool(bundle);
}
