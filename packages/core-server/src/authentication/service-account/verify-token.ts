import { goQuote } from '@tributary/apimachinery';
import { compactVerify } from 'jose';
import {
  type AudienceTokenLookup,
  intersection,
  noOpinion,
  rejected,
  type TokenAuthentication,
} from '../token-lookup.ts';
import { objectOf, readUnverified, textOf, textsOf } from '../unverified-token.ts';
import { accountUser } from './account-user.ts';
import { boundTokenOwner } from './bound-token.ts';
import { legacyIssuer } from './issue-token.ts';
import type { VerificationKey } from './key-set.ts';
import { legacyTokenOwner } from './legacy-token.ts';
import type { Claims, Owner, ServiceAccountTokenOptions } from './types.ts';

type FindOwner = (claims: Claims, token: string) => Promise<Owner>;

const BAD_SIGNATURE = 'go-jose/go-jose: error in cryptographic primitive';

/** Bound tokens, issued by TokenRequest. */
export function serviceAccountTokens(options: ServiceAccountTokenOptions): AudienceTokenLookup {
  return tokensOf(new Set(options.issuers), options, (claims) => boundTokenOwner(claims, options));
}

/** Tokens stored in Secrets. */
export function legacyServiceAccountTokens(
  options: ServiceAccountTokenOptions,
): AudienceTokenLookup {
  return tokensOf(new Set([legacyIssuer]), options, (claims, token) =>
    legacyTokenOwner(claims, token, options),
  );
}

function tokensOf(
  issuers: ReadonlySet<string>,
  { keys, apiAudiences }: ServiceAccountTokenOptions,
  findOwner: FindOwner,
): AudienceTokenLookup {
  const verify = async (
    token: string,
    candidates: readonly VerificationKey[],
    wanted: readonly string[],
  ): Promise<TokenAuthentication> => {
    const claims = await verifiedClaims(token, candidates);
    if (claims === undefined) return rejected(BAD_SIGNATURE);
    const named = textsOf(claims.aud);
    const tokenAudiences = named.length > 0 ? named : apiAudiences;
    const audiences = intersection(tokenAudiences, wanted);
    if (audiences.length === 0 && apiAudiences.length > 0) {
      const [got, want] = [tokenAudiences, wanted].map(
        (list) => `[${list.map(goQuote).join(' ')}]`,
      );
      return rejected(`token audiences ${got} is invalid for the target audiences ${want}`);
    }
    const owner = await orReason(findOwner(claims, token));
    if ('reason' in owner) return rejected(owner.reason);
    const { notes, ...account } = owner;
    const user = accountUser(account);
    return { outcome: 'authenticated', user, audiences, ...(notes && { notes }) };
  };

  return (token, wanted = apiAudiences) => {
    const unverified = readUnverified(token);
    // Tokens of other issuers are left to other authenticators.
    if (unverified === undefined || !issuers.has(textOf(unverified.claims.iss))) return noOpinion;
    const candidates = keys().find(textOf(unverified.header.kid));
    if (candidates.length === 0) return rejected('invalid signature, no keys found');
    return verify(token, candidates, wanted);
  };
}

/** A failing store rejects the token; the response is 401, not 500. */
async function orReason(owner: Promise<Owner>): Promise<Owner> {
  try {
    return await owner;
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

async function verifiedClaims(
  token: string,
  candidates: readonly VerificationKey[],
): Promise<Claims | undefined> {
  for (const { key, algorithm } of candidates) {
    try {
      const { payload } = await compactVerify(token, key, { algorithms: [algorithm] });
      return objectOf(payload);
    } catch {
      // Another key may match.
    }
  }
  return undefined;
}
