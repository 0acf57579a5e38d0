import type { Logger } from '@tributary/server';
import { type AnonymousRules, allowsAnonymous } from '../authentication/index.ts';
import type { CoreFlags } from './core-flags.ts';

/** Whether anonymous requests are accepted. As upstream: not with AlwaysAllow, unless the AuthenticationConfiguration says so. */
export function anonymousAuth(
  flags: Pick<CoreFlags, 'anonymousAuth' | 'authorizationMode'>,
  rules: AnonymousRules | undefined,
  log: Pick<Logger, 'info'>,
): boolean | ((path: string) => boolean) {
  if (rules !== undefined) return (path) => allowsAnonymous(rules, path);
  if (flags.anonymousAuth && flags.authorizationMode.includes('AlwaysAllow')) {
    log.info('Disabling anonymous requests because of AlwaysAllow');
    return false;
  }
  return flags.anonymousAuth;
}
