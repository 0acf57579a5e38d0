import { type ClientConfig, createTransport } from '@tributary/client';
import type { Authorizer } from '@tributary/server';
import { type ReviewCall, reviewAuthorizer } from '@tributary/server/delegation';
import { type Clock, systemClock } from '@tributary/storage';
import type { RulesResolver } from '../rbac/rules-listing.ts';

interface WebhookAuthorizerOptions {
  /** A kubeconfig: its cluster is the webhook, its user is this server. */
  readonly config: ClientConfig;
  /** How long decisions are cached. Default: 5 minutes when allowed, otherwise 30 seconds. */
  readonly allowTtlMs?: number;
  readonly denyTtlMs?: number;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** Called for each request to the webhook. */
  readonly observe?: (call: ReviewCall) => void;
}

export interface WebhookAuthorizer extends AsyncDisposable {
  /** Throws when the webhook cannot be reached, after retries. */
  readonly authorize: Authorizer;
  close(): Promise<void>;
}

const ALLOW_TTL_MS = 5 * 60_000;
const DENY_TTL_MS = 30_000;
const TIMEOUT_MS = 30_000;
const RESPONSE_BYTES_MAX = 1024 * 1024;

/** Authorizes by a SubjectAccessReview, posted to exactly the URL in the configuration. */
export function webhookAuthorizer(options: WebhookAuthorizerOptions): WebhookAuthorizer {
  const { config, clock = systemClock, random, observe } = options;
  const transport = createTransport(config, {
    headersTimeoutMs: TIMEOUT_MS,
    bodyTimeoutMs: TIMEOUT_MS,
    responseBytesMax: RESPONSE_BYTES_MAX,
  });
  const close = (): Promise<void> => transport.close();
  return {
    authorize: reviewAuthorizer({
      transport,
      path: new URL(config.server).pathname === '/' ? '/' : '',
      clock,
      allowTtlMs: options.allowTtlMs ?? ALLOW_TTL_MS,
      denyTtlMs: options.denyTtlMs ?? DENY_TTL_MS,
      timeoutMs: TIMEOUT_MS,
      ...(random && { random }),
      ...(observe && { observe }),
    }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A webhook decides single requests and cannot list rules. */
export const webhookRules: RulesResolver = () => ({
  resourceRules: [],
  nonResourceRules: [],
  incomplete: true,
  errors: ['webhook authorizer does not support user rule resolution'],
});
