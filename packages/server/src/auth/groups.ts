import { type Authentication, type Authenticator, anonymous } from '../request/authenticator.ts';
import type { UserInfo } from '../request/pipeline.ts';

const ALL_AUTHENTICATED = 'system:authenticated';
const ALL_UNAUTHENTICATED = 'system:unauthenticated';

/** Adds `system:authenticated` to the groups of every authenticated user. */
export function inAuthenticatedGroup(authenticate: Authenticator): Authenticator {
  // Certificates and token files return the same user object for every request.
  const grouped = new WeakMap<UserInfo, Authentication>();

  const addGroup = (result: Authentication): Authentication => {
    if (result.outcome !== 'authenticated' || !lacksGroup(result.user)) return result;
    const { user } = result;
    let known = grouped.get(user);
    if (known === undefined) {
      const groups = [...user.groups, ALL_AUTHENTICATED];
      known = { ...result, user: { ...user, groups } };
      grouped.set(user, known);
    }
    return known;
  };

  return (request) => {
    const result = authenticate(request);
    return result instanceof Promise ? result.then(addGroup) : addGroup(result);
  };
}

function lacksGroup({ name, groups }: UserInfo): boolean {
  if (name === anonymous.name) return false;
  return !groups.includes(ALL_AUTHENTICATED) && !groups.includes(ALL_UNAUTHENTICATED);
}

const ANONYMOUS: Authentication = { outcome: 'authenticated', user: anonymous };

/** Requests without credentials are anonymous; those with invalid credentials are not. */
export function orAnonymous(
  authenticate: Authenticator,
  /** Paths that allow anonymous requests. Default: all. */
  isOpen: (path: string) => boolean = () => true,
): Authenticator {
  const withAnonymous = (result: Authentication, path: string) =>
    result.outcome === 'no-opinion' && isOpen(path) ? ANONYMOUS : result;
  return (request) => {
    const { path } = request;
    const result = authenticate(request);
    return result instanceof Promise
      ? result.then((awaited) => withAnonymous(awaited, path))
      : withAnonymous(result, path);
  };
}
