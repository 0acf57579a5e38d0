import type { ApiRequest, Authentication } from '@tributary/server';
import {
  bearerTokenAuthenticator,
  inAuthenticatedGroup,
  type TokenLookup,
} from '@tributary/server/auth';
import { anonymous, RequestHeaders, Warnings } from '@tributary/server/request';

/** Who a request with these header lines, and nothing else, would come from. */
export function authenticateHeaders(
  lines: readonly string[],
  lookup: TokenLookup,
): Promise<Authentication> | Authentication {
  const authenticate = inAuthenticatedGroup(bearerTokenAuthenticator(lookup));
  const request = { headers: new RequestHeaders(lines), warnings: new Warnings(), user: anonymous };
  // Nothing else of a request is looked at by whoever reads a bearer token.
  return authenticate(request as unknown as ApiRequest);
}
