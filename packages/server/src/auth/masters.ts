import type { Authorizer } from '../request/authorizer.ts';

/** Probes and version checks come without credentials. */
const OPEN_PATHS = /^\/(?:healthz|livez|readyz|version)(?:\/|$)/;

/** A stand-alone server knows no roles: administrators may do everything, others may look at its health. */
export const mastersAuthorizer: Authorizer = ({ user, info }) => {
  if (user.groups.includes('system:masters')) return { allowed: true };
  return { allowed: !info.isResourceRequest && OPEN_PATHS.test(info.path) };
};
