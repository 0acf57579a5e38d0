import type { Authentication } from '@tributary/server';

/** `audiences`: for which of those that were asked for the token is. */
export type TokenAuthentication = Authentication & { readonly audiences?: readonly string[] };

/**
 * Who a token belongs to, when it must be for one of these audiences. Without any it must be for this server.
 * A token that this lookup knows nothing of is `no-opinion`, so that others may try.
 */
export type AudienceTokenLookup = (
  token: string,
  audiences?: readonly string[],
) => Promise<TokenAuthentication> | TokenAuthentication;

export const noOpinion: TokenAuthentication = { outcome: 'no-opinion' };

export function rejected(why: string): TokenAuthentication {
  return { outcome: 'rejected', why };
}

export function intersection(some: readonly string[], others: readonly string[]): string[] {
  return [...new Set(some)].filter((one) => others.includes(one));
}

/** Tokens that say nothing of audiences are for this server, and for nobody else. */
export function audienceAgnostic(
  apiAudiences: readonly string[],
  lookup: (token: string) => Promise<Authentication> | Authentication,
): AudienceTokenLookup {
  return (token, wanted) => {
    if (wanted === undefined) return lookup(token);
    const audiences = intersection(apiAudiences, wanted);
    if (audiences.length === 0) return noOpinion;
    const withAudiences = (result: Authentication): TokenAuthentication =>
      result.outcome === 'authenticated' ? { ...result, audiences } : result;
    const result = lookup(token);
    return result instanceof Promise ? result.then(withAudiences) : withAudiences(result);
  };
}
