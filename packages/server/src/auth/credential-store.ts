import type { PortlessConfig, Reload } from '../server-config.ts';
import type { Credentials } from './build-authenticator.ts';
import { type CertificatePool, certificatePool } from './certificate-pool.ts';
import { type RequestHeaderNames, standardRequestHeaders } from './request-header-names.ts';

/** The credentials of now. Replaced as a whole: what is bad throws and changes nothing. */
export class CredentialStore {
  #current: Credentials;
  #requestHeaders: RequestHeaderNames;
  readonly #endTrust: (() => void) | undefined;

  constructor({ clientCa, requestHeader, tokens, trust }: PortlessConfig) {
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

  /** Hears of nothing any more. */
  close(): void {
    this.#endTrust?.();
  }
}

function poolOf(bundle: string | undefined): CertificatePool | undefined {
  return bundle === undefined ? undefined : certificatePool(bundle);
}
