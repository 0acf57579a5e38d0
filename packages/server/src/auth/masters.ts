import type { Authorizer } from '../request/authorizer.ts';

/** Probes and version checks have no credentials. */
const OPEN_PATHS = /^\/(?:healthz|livez|readyz|version)(?:\/|$)/;

/** A stand-alone server has no roles: administrators are allowed everything, other users its health endpoints. */
export const mastersAuthorizer: Authorizer = ({ user, info }) => {
  if (user.groups.includes('system:masters')) return { allowed: true };
  return { allowed: !info.isResourceRequest && OPEN_PATHS.test(info.path) };
};
