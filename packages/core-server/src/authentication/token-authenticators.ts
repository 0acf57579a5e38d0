import { createHmac, randomBytes } from 'node:crypto';
import { ExpiringCache } from '@tributary/server/delegation';
import {
  type AudienceTokenLookup,
  noOpinion,
  rejected,
  type TokenAuthentication,
} from './token-lookup.ts';

export interface TokenAuthenticatorOptions {
  readonly nowMs: () => number;
  /** How long an authenticated token is cached. Rejections are not cached. */
  readonly cacheTtlMs?: number;
  /** Beyond it the least recently used entry is evicted. */
  readonly cacheEntriesMax?: number;
  /** A counter that invalidates all cached results when it changes: a service account was deleted. */
  readonly epoch?: () => number;
}

/** In upstream's order. Absent authenticators are not configured. */
export interface TokenSources {
  readonly staticTokens?: AudienceTokenLookup;
  readonly legacyServiceAccounts?: AudienceTokenLookup;
  readonly serviceAccounts?: AudienceTokenLookup;
  readonly bootstrapTokens?: AudienceTokenLookup;
  readonly jwtIssuers?: AudienceTokenLookup;
  readonly webhook?: AudienceTokenLookup;
}

const CACHE_TTL_MS = 10_000;
const CACHE_ENTRIES_MAX = 10_000;

/** All token authenticators, with a cache. A cached result is not a promise. */
export function tokenAuthenticators(
  sources: TokenSources,
  options: TokenAuthenticatorOptions,
): AudienceTokenLookup {
  const order = [
    sources.staticTokens,
    sources.legacyServiceAccounts,
    sources.serviceAccounts,
    sources.bootstrapTokens,
    sources.jwtIssuers,
    sources.webhook,
  ].filter((lookup) => lookup !== undefined);
  const cache = new TokenCache(unionOf(order), options);
  return (token, audiences) => cache.authenticate(token, audiences);
}

/** The first authenticator that accepts the token decides. Errors do not end the search, as upstream. */
function unionOf(lookups: readonly AudienceTokenLookup[]): AudienceTokenLookup {
  const tryFrom = (
    first: number,
    reasons: readonly string[],
    ...request: Parameters<AudienceTokenLookup>
  ): Promise<TokenAuthentication> | TokenAuthentication => {
    let rejections = reasons;
    for (let at = first; at < lookups.length; at += 1) {
      const result = lookups[at]?.(...request) ?? noOpinion;
      if (result instanceof Promise) {
        const before = rejections;
        return result.then((awaited) =>
          awaited.outcome === 'authenticated'
            ? awaited
            : tryFrom(at + 1, withReason(before, awaited), ...request),
        );
      }
      if (result.outcome === 'authenticated') return result;
      rejections = withReason(rejections, result);
    }
    return rejections.length === 0 ? noOpinion : rejected(rejections.join(', '));
  };
  return (token, audiences) => tryFrom(0, [], token, audiences);
}

/** Without repeats, as Go aggregates errors. */
function withReason(reasons: readonly string[], result: TokenAuthentication): readonly string[] {
  if (result.outcome !== 'rejected' || reasons.includes(result.reason)) return reasons;
  return [...reasons, result.reason];
}

/** Caches authenticated tokens, and shares the result among concurrent requests with one token. */
class TokenCache {
  readonly #lookup: AudienceTokenLookup;
  readonly #epoch: () => number;
  readonly #ttlMs: number;
  readonly #authenticated: ExpiringCache<TokenAuthentication>;
  readonly #pending = new Map<string, Promise<TokenAuthentication>>();
  readonly #secret = randomBytes(32);

  constructor(lookup: AudienceTokenLookup, options: TokenAuthenticatorOptions) {
    const { nowMs, cacheEntriesMax: entriesMax = CACHE_ENTRIES_MAX } = options;
    this.#lookup = lookup;
    this.#epoch = options.epoch ?? (() => 0);
    this.#ttlMs = options.cacheTtlMs ?? CACHE_TTL_MS;
    this.#authenticated = new ExpiringCache({ entriesMax, nowMs });
  }

  authenticate(
    token: string,
    audiences: readonly string[] | undefined,
  ): Promise<TokenAuthentication> | TokenAuthentication {
    const key = this.#keyOf(token, audiences);
    const cached = this.#authenticated.get(key) ?? this.#pending.get(key);
    if (cached !== undefined) return cached;
    const result = this.#lookup(token, audiences);
    if (!(result instanceof Promise)) return this.#store(key, result);
    const pending = result
      .then((authentication) => this.#store(key, authentication))
      .finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    return pending;
  }

  /**
   * Tokens are hashed with a random key, so that memory holds no token and a hash cannot be verified by guessing. JSON
   * quotes what clients send: a token cannot look like another one with audiences.
   */
  #keyOf(token: string, audiences: readonly string[] | undefined): string {
    return createHmac('sha256', this.#secret)
      .update(JSON.stringify([token, audiences, this.#epoch()]))
      .digest('base64');
  }

  #store(key: string, result: TokenAuthentication): TokenAuthentication {
    if (result.outcome === 'authenticated') this.#authenticated.set(key, result, this.#ttlMs);
    return result;
  }
}
