import { createTransport, loadConfig } from '@tributary/client';
import type { Authorizer } from '@tributary/server';
import { tokenReviewLookup, webhookReview } from '@tributary/server/delegation';
import { FlagError } from '@tributary/server/program';
import { systemClock } from '@tributary/storage';
import type { AudienceTokenLookup } from '../authentication/index.ts';
import { webhookAuthorizer } from '../authorization/webhook-authorizer.ts';
import type { CoreFlags } from './core-flags.ts';

/** The webhook that authenticates tokens; undefined without its flag. */
export async function tokenWebhook(
  flags: CoreFlags,
  audiences: readonly string[],
): Promise<AudienceTokenLookup | undefined> {
  const file = flags.authenticationTokenWebhookConfigFile;
  if (file === '') return undefined;
  const config = await configOf('authentication-token-webhook-config-file', file);
  return tokenReviewLookup({
    ...webhookReview(config.server),
    transport: createTransport(config),
    clock: systemClock,
    cacheTtlMs: flags.authenticationTokenWebhookCacheTtl,
    version: flags.authenticationTokenWebhookVersion,
    audiences,
  });
}

/** The webhook of the authorization mode Webhook; undefined without its flag. */
export async function authorizationWebhook(flags: CoreFlags): Promise<Authorizer | undefined> {
  const file = flags.authorizationWebhookConfigFile;
  if (file === '') return undefined;
  const { authorize } = webhookAuthorizer({
    config: await configOf('authorization-webhook-config-file', file),
    allowTtlMs: flags.authorizationWebhookCacheAuthorizedTtl,
    denyTtlMs: flags.authorizationWebhookCacheUnauthorizedTtl,
  });
  return authorize;
}

async function configOf(name: string, file: string) {
  try {
    return await loadConfig({ kubeconfig: file });
  } catch (error) {
    throw new FlagError(`--${name} ${file}: ${error instanceof Error ? error.message : error}`);
  }
}
