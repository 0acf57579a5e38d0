import type { PortlessConfig, Reload } from '../server-config.ts';
import type { Credentials } from './build-authenticator.ts';
import { type CertificatePool, certificatePool } from './certificate-pool.ts';

/** The credentials of now. Replaced as a whole: what is bad throws and changes nothing. */
export class CredentialStore {
  #current: Credentials;

  constructor({ clientCa, requestHeader, tokens }: PortlessConfig) {
    this.#current = {
      clientCa: poolOf(clientCa),
      requestHeaderCa: poolOf(requestHeader?.ca),
      tokens: tokens ?? new Map(),
    };
  }

  get current(): Credentials {
    return this.#current;
  }

  replace({ clientCa, requestHeaderCa, tokens }: Reload): void {
    const before = this.#current;
    this.#current = {
      clientCa: poolOf(clientCa) ?? before.clientCa,
      requestHeaderCa: poolOf(requestHeaderCa) ?? before.requestHeaderCa,
      tokens: tokens ?? before.tokens,
    };
  }
}

function poolOf(bundle: string | undefined): CertificatePool | undefined {
  return bundle === undefined ? undefined : certificatePool(bundle);
}
