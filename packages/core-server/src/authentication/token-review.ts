import type { TokenReview, UserInfo as UserInfoObject } from '@tributary/api/authentication-v1';
import { badRequest, internalError } from '@tributary/apimachinery';
import type { Authentication, UserInfo } from '@tributary/server';
import { type AudienceTokenLookup, intersection } from './token-lookup.ts';

const INVALID = 'invalid bearer token';

export interface TokenReviewOptions {
  readonly lookup: AudienceTokenLookup;
  /**
   * Authenticates a request that has only these headers, in turn names and values, and no certificate. Its token is
   * looked up with the given function.
   */
  readonly authenticate: (
    headerLines: readonly string[],
    lookup: (token: string) => Promise<Authentication> | Authentication,
  ) => Promise<Authentication> | Authentication;
  readonly apiAudiences: readonly string[];
}

/** The response to `POST tokenreviews`. */
export async function reviewToken(
  { lookup, authenticate, apiAudiences }: TokenReviewOptions,
  review: TokenReview,
): Promise<TokenReview> {
  const { token = '', audiences = [] } = review.spec ?? {};
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const wanted = audiences.length > 0 ? audiences : apiAudiences;
  // Anonymous users are valid for every audience.
  let found: readonly string[] = wanted;
  const limited = async (asked: string): Promise<Authentication> => {
    const result = await lookup(asked, wanted.length > 0 ? wanted : undefined);
    if (result.outcome === 'authenticated') found = result.audiences ?? [];
    return result;
  };
  const result = await authenticate(['Authorization', `Bearer ${token}`], limited);
  return { ...review, status: statusOf(result, wanted, found) };
}

function statusOf(
  result: Authentication,
  wanted: readonly string[],
  found: readonly string[],
): TokenReview['status'] {
  if (result.outcome === 'no-opinion') return { user: {} };
  if (result.outcome === 'rejected') return { user: {}, error: errorText(result.reason) };
  if (wanted.length > 0 && intersection(wanted, found).length === 0) {
    throw internalError(new Error('error validating audiences'));
  }
  const user = userInfoObject(result.user);
  return { authenticated: true, user, ...(found.length > 0 && { audiences: [...found] }) };
}

/** Upstream compares the token of its loopback client first, which adds this error. */
function errorText(reason: string): string {
  return reason === INVALID ? INVALID : `[${INVALID}, ${reason}]`;
}

/** The user as the API encodes it, without empty fields. */
export function userInfoObject({ name, uid, groups, extra }: UserInfo): UserInfoObject {
  const entries = Object.entries(extra).map(
    ([key, values]) => [key, [...values]] as [string, string[]],
  );
  return {
    ...(name !== '' && { username: name }),
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(entries.length > 0 && { extra: Object.fromEntries(entries) }),
  };
}
