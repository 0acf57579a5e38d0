/** An outside party whose tokens are believed, and what is made of their claims. */
export interface IssuerSettings {
  readonly url: string;
  /** Where its document is, when not at its own address. */
  readonly discoveryUrl?: string;
  /** PEM of who may have signed its certificate; the roots that come with Node when absent. */
  readonly certificateAuthority?: string;
  /** A token must be for one of them. */
  readonly audiences: readonly string[];
  readonly username: PrefixedClaim;
  readonly groups?: PrefixedClaim;
  readonly uidClaim?: string;
  /** Claims that must have these values. */
  readonly requiredClaims: ReadonlyMap<string, string>;
  readonly algorithms: readonly string[];
}

export interface PrefixedClaim {
  readonly claim: string;
  /** May be empty. */
  readonly prefix: string;
}

/** Signatures that only the holder of a private key can make. */
export const allAlgorithms: readonly string[] = [
  ...['ES256', 'ES384', 'ES512'],
  ...['PS256', 'PS384', 'PS512'],
  ...['RS256', 'RS384', 'RS512'],
];
