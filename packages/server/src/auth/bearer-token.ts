import type { Authenticator } from '../filters/authentication.ts';

/** A server that issues no tokens knows none: who sends one is told so, and is not anonymous. */
export const refuseTokens: Authenticator = ({ headers }) => {
  const authorization = headers.get('authorization') ?? '';
  if (!/^bearer +\S/i.test(authorization)) return { outcome: 'no-opinion' };
  return { outcome: 'rejected', why: 'no token is known here' };
};
