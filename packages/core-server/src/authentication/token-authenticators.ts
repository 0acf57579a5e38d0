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
  /** How long a token that was believed is believed again, unseen; others are looked at each time. */
  readonly cacheTtlMs?: number;
  /** Beyond it the token that was not shown for longest is looked at again. */
  readonly cacheEntriesMax?: number;
  /** Changes when somebody whose token may be known is gone: nothing of before is believed unseen then. */
  readonly epoch?: () => number;
}

/** As upstream, in the order in which they are tried. Absent ones are not configured. */
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

/** Every way to know a token. The second request with one is answered without a promise. */
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
  return cached(unionOf(order), options);
}

/** The first that knows the token. Errors do not end it: another may know what this one dislikes. */
function unionOf(lookups: readonly AudienceTokenLookup[]): AudienceTokenLookup {
  const tryFrom = (
    first: number,
    reasons: readonly string[],
    ...asked: Parameters<AudienceTokenLookup>
  ): Promise<TokenAuthentication> | TokenAuthentication => {
    let rejections = reasons;
    for (let at = first; at < lookups.length; at += 1) {
      const result = lookups[at]?.(...asked) ?? noOpinion;
      if (result instanceof Promise) {
        const before = rejections;
        return result.then((settled) =>
          settled.outcome === 'authenticated'
            ? settled
            : tryFrom(at + 1, withReason(before, settled), ...asked),
        );
      }
      if (result.outcome === 'authenticated') return result;
      rejections = withReason(rejections, result);
    }
    return rejections.length === 0 ? noOpinion : rejected(rejections.join(', '));
  };
  return (token, audiences) => tryFrom(0, [], token, audiences);
}

/** Each reason once, as Go's error aggregate has it. */
function withReason(reasons: readonly string[], result: TokenAuthentication): readonly string[] {
  if (result.outcome !== 'rejected' || reasons.includes(result.why)) return reasons;
  return [...reasons, result.why];
}

function cached(
  lookup: AudienceTokenLookup,
  options: TokenAuthenticatorOptions,
): AudienceTokenLookup {
  const { nowMs, cacheTtlMs = CACHE_TTL_MS, cacheEntriesMax = CACHE_ENTRIES_MAX } = options;
  const epoch = options.epoch ?? (() => 0);
  const known = new ExpiringCache<TokenAuthentication>({ entriesMax: cacheEntriesMax, nowMs });
  const pending = new Map<string, Promise<TokenAuthentication>>();
  // No token is kept, and nobody who sees a key can check a guess against it. What users send is quoted: no token may
  // look like another one with its audiences.
  const secret = randomBytes(32);
  const keyOf = (token: string, audiences: readonly string[] | undefined) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([token, audiences, epoch()]))
      .digest('base64');
  const keep = (key: string, result: TokenAuthentication) => {
    if (result.outcome === 'authenticated') known.set(key, result, cacheTtlMs);
    return result;
  };

  return (token, audiences) => {
    const key = keyOf(token, audiences);
    const before = known.get(key);
    if (before !== undefined) return before;
    const underWay = pending.get(key);
    if (underWay !== undefined) return underWay;
    const result = lookup(token, audiences);
    if (!(result instanceof Promise)) return keep(key, result);
    const settled = result.then((answer) => keep(key, answer)).finally(() => pending.delete(key));
    pending.set(key, settled);
    return settled;
  };
}
