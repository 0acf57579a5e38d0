import { aggregateText, root } from '@tributary/apimachinery';
import { allAlgorithms, type IssuerSettings } from './issuer-settings.ts';
import { issuerUrlErrors } from './validate-issuer.ts';

/** The `--oidc-*` flags; those not given are absent. */
export interface OidcFlags {
  readonly issuerUrl?: string;
  readonly clientId?: string;
  /** PEM, the content of the file. */
  readonly ca?: string;
  readonly usernameClaim?: string;
  readonly usernamePrefix?: string;
  readonly groupsClaim?: string;
  readonly groupsPrefix?: string;
  readonly signingAlgorithms?: readonly string[];
  readonly requiredClaims?: ReadonlyMap<string, string>;
}

/** The issuer that the flags describe; undefined without flags. Throws for invalid ones. */
export function issuerOfFlags(
  flags: OidcFlags,
  disallowedIssuers: readonly string[] = [],
): IssuerSettings | undefined {
  if (Object.values(flags).every((value) => value === undefined)) return undefined;
  const { issuerUrl: url = '', clientId = '', ca, usernameClaim = 'sub' } = flags;
  if (url === '' || clientId === '') {
    throw new Error(
      'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set',
    );
  }
  const errors = issuerUrlErrors(url, root('issuer').child('url'), disallowedIssuers);
  if (errors.length > 0) throw new Error(aggregateText(errors));
  const { groupsClaim, groupsPrefix = '', signingAlgorithms = ['RS256'] } = flags;
  for (const algorithm of signingAlgorithms) {
    if (!allAlgorithms.includes(algorithm)) {
      throw new Error(`oidc: unsupported signing alg: ${JSON.stringify(algorithm)}`);
    }
  }
  return {
    url,
    ...(ca && { certificateAuthority: ca }),
    audiences: [clientId],
    username: {
      claim: usernameClaim,
      prefix: usernamePrefix(flags.usernamePrefix, usernameClaim, url),
    },
    ...(groupsClaim && { groups: { claim: groupsClaim, prefix: groupsPrefix } }),
    requiredClaims: flags.requiredClaims ?? new Map(),
    algorithms: signingAlgorithms,
  };
}

/** A prefix keeps names of several issuers apart; email addresses are globally unique already. */
function usernamePrefix(given: string | undefined, claim: string, url: string): string {
  if (given === '-') return '';
  if (given) return given;
  return claim === 'email' ? '' : `${url}#`;
}
