import type { Authentication } from '@tributary/server';

/** `audiences`: the requested audiences that the token is valid for. */
export type TokenAuthentication = Authentication & { readonly audiences?: readonly string[] };

/**
 * Authenticates a token that must be valid for one of these audiences; by default for this server. Unknown tokens are
 * `no-opinion`, so that other authenticators may accept them.
 */
export type AudienceTokenLookup = (
  token: string,
  audiences?: readonly string[],
) => Promise<TokenAuthentication> | TokenAuthentication;

export const noOpinion: TokenAuthentication = { outcome: 'no-opinion' };

export function rejected(reason: string): TokenAuthentication {
  return { outcome: 'rejected', reason: reason };
}

export function intersection(some: readonly string[], others: readonly string[]): string[] {
  return [...new Set(some)].filter((one) => others.includes(one));
}

/** Tokens without audiences are valid for this server only. */
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
