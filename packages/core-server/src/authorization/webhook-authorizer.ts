import { type ClientConfig, createTransport } from '@tributary/client';
import type { Authorizer } from '@tributary/server';
import { type ReviewCall, reviewAuthorizer } from '@tributary/server/delegation';
import { type Clock, systemClock } from '@tributary/storage';
import type { RulesResolver } from '../rbac/rules-listing.ts';

interface WebhookAuthorizerOptions {
  /** Of a kubeconfig: its cluster is the service that decides, its user is this server. */
  readonly config: ClientConfig;
  /** How long an answer holds: 5 minutes, and half a minute for everything but an allowance. */
  readonly allowTtlMs?: number;
  readonly denyTtlMs?: number;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** One call of the service. */
  readonly observe?: (call: ReviewCall) => void;
}

export interface WebhookAuthorizer extends AsyncDisposable {
  /** Throws when the service cannot be asked, after several tries. */
  readonly authorize: Authorizer;
  close(): Promise<void>;
}

const ALLOW_TTL_MS = 5 * 60_000;
const DENY_TTL_MS = 30_000;
const TIMEOUT_MS = 30_000;
const ANSWER_BYTES_MAX = 1024 * 1024;

/** Asks another service, by a SubjectAccessReview that is posted to exactly the URL in the configuration. */
export function webhookAuthorizer(options: WebhookAuthorizerOptions): WebhookAuthorizer {
  const { config, clock = systemClock, random, observe } = options;
  const transport = createTransport(config, {
    headersTimeoutMs: TIMEOUT_MS,
    bodyTimeoutMs: TIMEOUT_MS,
    responseBytesMax: ANSWER_BYTES_MAX,
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

/** Somebody who decides one by one cannot list what is allowed. */
export const webhookRules: RulesResolver = () => ({
  resourceRules: [],
  nonResourceRules: [],
  incomplete: true,
  errors: ['webhook authorizer does not support user rule resolution'],
});
