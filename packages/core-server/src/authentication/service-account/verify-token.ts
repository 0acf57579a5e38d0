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

/** Tokens as this server issues them, on request. */
export function serviceAccountTokens(options: ServiceAccountTokenOptions): AudienceTokenLookup {
  return tokensOf(new Set(options.issuers), options, (claims) => boundTokenOwner(claims, options));
}

/** Tokens that Secrets hold. */
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
    const owner = await orProblem(findOwner(claims, token));
    if ('why' in owner) return rejected(owner.why);
    const { notes, ...account } = owner;
    const user = accountUser(account);
    return { outcome: 'authenticated', user, audiences, ...(notes && { notes }) };
  };

  return (token, wanted = apiAudiences) => {
    const unverified = readUnverified(token);
    // Somebody else's token, who may have a chance to look at it.
    if (unverified === undefined || !issuers.has(textOf(unverified.claims.iss))) return noOpinion;
    const candidates = keys().find(textOf(unverified.header.kid));
    if (candidates.length === 0) return rejected('invalid signature, no keys found');
    return verify(token, candidates, wanted);
  };
}

/** A store that cannot be asked does not let anybody in, and is no reason to answer 500 either. */
async function orProblem(owner: Promise<Owner>): Promise<Owner> {
  try {
    return await owner;
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
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
      // Not by this key; there may be another.
    }
  }
  return undefined;
}
