/** An external issuer and the mapping of its claims. */
export interface IssuerSettings {
  readonly url: string;
  /** The URL of its discovery document, when it is not below `url`. */
  readonly discoveryUrl?: string;
  /** PEM of the authorities of its certificate. Default: the roots that come with Node. */
  readonly certificateAuthority?: string;
  /** A token must be for one of these audiences. */
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

/** Asymmetric algorithms: only the holder of a private key can sign. */
export const allAlgorithms: readonly string[] = [
  ...['ES256', 'ES384', 'ES512'],
  ...['PS256', 'PS384', 'PS512'],
  ...['RS256', 'RS384', 'RS512'],
];
