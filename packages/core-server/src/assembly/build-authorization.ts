import type { Authorizer } from '@tributary/server';
import { privilegedGroups, unionAuthorizer } from '../authorization/union.ts';
import { webhookRules } from '../authorization/webhook-authorizer.ts';
import { rbacAuthorizer } from '../rbac/rbac-authorizer.ts';
import { RbacIndex } from '../rbac/rbac-index.ts';
import {
  everythingAllowed,
  type RulesResolver,
  rbacRules,
  unionRules,
} from '../rbac/rules-listing.ts';
import type { CoreServerConfig } from './core-config.ts';

export interface CoreAuthorization {
  /** Roles and bindings, empty until they are read from storage. */
  readonly index: RbacIndex;
  readonly authorize: Authorizer;
  /** Resolves the rules of a SelfSubjectRulesReview. */
  readonly rulesFor: RulesResolver;
}

interface AuthorizationMode {
  readonly authorize: Authorizer;
  readonly rules: RulesResolver;
}

/** The configured modes in order, after the privileged group `system:masters`, whose rules are not listed. */
export function buildAuthorization({
  authorizationModes = ['RBAC'],
  authorizationWebhook,
}: CoreServerConfig): CoreAuthorization {
  const index = new RbacIndex();
  const byName: Readonly<Record<string, AuthorizationMode | undefined>> = {
    RBAC: { authorize: rbacAuthorizer(index), rules: rbacRules(index) },
    Webhook: authorizationWebhook && { authorize: authorizationWebhook, rules: webhookRules },
    AlwaysAllow: { authorize: () => ({ allowed: true }), rules: everythingAllowed },
  };
  const modes = authorizationModes.flatMap((name) => {
    const mode = byName[name];
    return mode === undefined ? [] : [{ name: name.toLowerCase(), ...mode }];
  });
  const privileged = {
    name: 'kubernetes.io/system-privileged-group',
    authorize: privilegedGroups(),
  };
  return {
    index,
    authorize: unionAuthorizer([privileged, ...modes]),
    rulesFor: unionRules(modes.map(({ rules }) => rules)),
  };
}
