import type { Authorizer } from '@tributary/server';
import { MASTERS_GROUP } from '../rbac/types.ts';

/** Members may do everything, also when no role can be read. It is asked first. */
export function privilegedGroups(groups: readonly string[] = [MASTERS_GROUP]): Authorizer {
  const privileged = new Set(groups);
  return ({ user }) => ({ allowed: user.groups.some((group) => privileged.has(group)) });
}
