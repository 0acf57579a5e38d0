import type { Logger } from '@tributary/server';
import { type AnonymousRules, allowsAnonymous } from '../authentication/index.ts';
import type { CoreFlags } from './core-flags.ts';

/** Whether who shows nothing is anybody. As upstream: not where everybody may do everything, unless a file says so. */
export function anonymousAuth(
  flags: Pick<CoreFlags, 'anonymousAuth' | 'authorizationMode'>,
  rules: AnonymousRules | undefined,
  log: Pick<Logger, 'info'>,
): boolean | ((path: string) => boolean) {
  if (rules !== undefined) return (path) => allowsAnonymous(rules, path);
  if (flags.anonymousAuth && flags.authorizationMode.includes('AlwaysAllow')) {
    log.info('Requests without a credential are refused: --authorization-mode has AlwaysAllow');
    return false;
  }
  return flags.anonymousAuth;
}
