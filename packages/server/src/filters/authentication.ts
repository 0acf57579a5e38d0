import { unauthorized } from '@tributary/apimachinery';
import type { ApiRequest, Filter, UserInfo } from '../pipeline.ts';

/** Who a request comes from: a user, nobody this authenticator knows of, or a credential that is wrong. */
export type Authentication =
  | { readonly outcome: 'authenticated'; readonly user: UserInfo }
  | { readonly outcome: 'no-opinion' }
  | { readonly outcome: 'rejected'; readonly why: string };

export type Authenticator = (request: ApiRequest) => Promise<Authentication> | Authentication;

const ALL_AUTHENTICATED = 'system:authenticated';

export const anonymous: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
};

/** A bad credential is 401, never anonymous. */
export const withAuthentication =
  (authenticate: Authenticator): Filter =>
  (next) =>
  async (request) => {
    const result = await authenticate(request);
    switch (result.outcome) {
      case 'authenticated':
        return next({ ...request, user: inAuthenticatedGroup(result.user) });
      case 'no-opinion':
        return next({ ...request, user: anonymous });
      case 'rejected':
        throw unauthorized();
      default:
        return result satisfies never;
    }
  };

function inAuthenticatedGroup(user: UserInfo): UserInfo {
  if (user.groups.includes(ALL_AUTHENTICATED)) return user;
  return { ...user, groups: [...user.groups, ALL_AUTHENTICATED] };
}
