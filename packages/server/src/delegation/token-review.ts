import { createHash } from 'node:crypto';
import { isStatus, parseJson, StatusError, stringifyJson } from '@tributary/apimachinery';
import type { Transport } from '@tributary/client';
import type { Clock } from '@tributary/storage';
import type { Authentication } from '../request/authenticator.ts';
import type { UserInfo } from '../request/pipeline.ts';
import { ExpiringCache } from './expiring-cache.ts';
import { withWebhookRetries } from './webhook-retries.ts';

/** `audiences`: the token must be for one of them; undefined does not restrict it. */
type ReviewedTokenLookup = (
  token: string,
  audiences?: readonly string[],
) => Promise<ReviewedToken> | ReviewedToken;

/** `audiences`: the requested audiences that the token is for. */
type ReviewedToken = Authentication & { readonly audiences?: readonly string[] };

export interface TokenReviewOptions {
  readonly transport: Pick<Transport, 'request'>;
  readonly clock: Clock;
  /** How long positive and negative results are cached. Failures of calls and of reviewers are not cached. */
  readonly cacheTtlMs: number;
  /** Below the server's URL. */
  readonly path?: string;
  /** Parameters of every call. */
  readonly query?: Readonly<Record<string, string>>;
  readonly version?: 'v1' | 'v1beta1';
  /** Default audiences of a review, also assumed for reviewers that do not return any. */
  readonly audiences?: readonly string[];
  /** For all retries of one token together. */
  readonly timeoutMs?: number;
  /** Between 0 and 1. */
  readonly random?: () => number;
  /** Called when a call ends, with the HTTP status code or `<error>`. */
  readonly observe?: (code: string, tookMs: number) => void;
}

const PATH = '/apis/authentication.k8s.io/v1/tokenreviews';
const TIMEOUT_MS = 10_000;
/** The differences between the webhook of `--authentication-token-webhook-config-file` and delegation. */
export function webhookReview(server: string) {
  return {
    // The webhook is at the URL of its kubeconfig itself, with which every request of the transport begins.
    path: new URL(server).pathname === '/' ? '/' : '',
    query: { timeout: '30s' },
    version: 'v1beta1',
    cacheTtlMs: 120_000,
    timeoutMs: 30_000,
  } as const satisfies Partial<TokenReviewOptions>;
}

/** At this size the least recently used result is evicted. */
const ENTRIES_MAX = 10_000;
/** Concurrent reviews; further ones are rejected, which bounds a flood of new tokens. */
const PENDING_MAX = 1000;

/** Resolves tokens by TokenReviews of another server; concurrent requests with the same token share one call. */
export function tokenReviewLookup(options: TokenReviewOptions): ReviewedTokenLookup {
  const { clock, cacheTtlMs } = options;
  const known = new ExpiringCache<ReviewedToken>({
    entriesMax: ENTRIES_MAX,
    nowMs: () => clock.nowMs(),
  });
  const pending = new Map<string, Promise<ReviewedToken>>();

  const startReview = async (
    key: string,
    token: string,
    audiences: readonly string[] | undefined,
  ) => {
    try {
      const result = await review(options, token, audiences);
      if (result.outcome !== 'rejected') known.set(key, result, cacheTtlMs);
      return result;
    } catch (error) {
      return rejected(error instanceof Error ? error.message : String(error));
    } finally {
      pending.delete(key);
    }
  };

  return (token, requestedAudiences) => {
    const audiences = requestedAudiences ?? options.audiences;
    const key = keyOf(token, audiences);
    const before = known.get(key);
    if (before !== undefined) return before;
    const inFlight = pending.get(key);
    if (inFlight !== undefined) return inFlight;
    if (pending.size >= PENDING_MAX) return rejected('too many token reviews are under way');
    const result = startReview(key, token, audiences);
    pending.set(key, result);
    return result;
  };
}

/** Tokens themselves are not stored. */
function keyOf(token: string, audiences: readonly string[] | undefined): string {
  const text = JSON.stringify([token, audiences ?? null]);
  return createHash('sha256').update(text).digest('base64');
}

async function review(
  options: TokenReviewOptions,
  token: string,
  audiences: readonly string[] | undefined,
): Promise<ReviewedToken> {
  const { version = 'v1', clock, timeoutMs = TIMEOUT_MS } = options;
  const body = stringifyJson({
    apiVersion: `authentication.k8s.io/${version}`,
    kind: 'TokenReview',
    metadata: {},
    spec: { token, ...(audiences && audiences.length > 0 && { audiences }) },
  });
  const deadline = new AbortController();
  const timeUp = () => deadline.abort(new Error(`no token review within ${timeoutMs} ms`));
  const stop = clock.schedule(timeoutMs, timeUp);
  try {
    const { signal } = deadline;
    const tries = { clock, random: options.random ?? Math.random, signal };
    const status = await withWebhookRetries(() => call(options, body, signal), tries);
    return resultOf(status, audiences, options.audiences ?? []);
  } finally {
    stop();
  }
}

async function call(options: TokenReviewOptions, body: string, signal: AbortSignal) {
  const { transport, path = PATH, query, observe } = options;
  const headers = { 'content-type': 'application/json' };
  const startMs = performance.now();
  let code = '<error>';
  try {
    const sent = { ...(query && { query }), headers, body, signal, retriesMax: 0 };
    const result = await transport.request('POST', path, sent);
    code = String(result.status);
    return statusOf(result.body);
  } catch (error) {
    if (error instanceof StatusError) code = String(error.code);
    throw error;
  } finally {
    observe?.(code, performance.now() - startMs);
  }
}

/** The response of another program, of which no field is trusted to have its type. */
function statusOf(body: Uint8Array): Record<string, unknown> {
  const review = record(parseJson(body));
  if (isStatus(review) || review.kind !== 'TokenReview') {
    throw new Error('the response to a token review is not a TokenReview');
  }
  return record(review.status);
}

function resultOf(
  status: Record<string, unknown>,
  wanted: readonly string[] | undefined,
  implicit: readonly string[],
): ReviewedToken {
  const isLimited = wanted !== undefined && wanted.length > 0;
  const named = texts(status.audiences);
  const got = named.length > 0 ? named : implicit;
  const audiences = (wanted ?? []).filter((one) => got.includes(one));
  if (isLimited && audiences.length === 0) return { outcome: 'no-opinion' };
  if (status.authenticated !== true) {
    return status.error ? rejected(String(status.error)) : { outcome: 'no-opinion' };
  }
  const user = userOf(record(status.user));
  return { outcome: 'authenticated', user, ...(isLimited && { audiences }) };
}

function userOf({ username, uid, groups, extra }: Record<string, unknown>): UserInfo {
  const entries = Object.entries(record(extra)).map(([key, values]) => [key, texts(values)]);
  return {
    name: typeof username === 'string' ? username : '',
    uid: typeof uid === 'string' ? uid : '',
    groups: texts(groups),
    extra: Object.assign(Object.create(null), Object.fromEntries(entries)),
  };
}

function rejected(reason: string): ReviewedToken {
  return { outcome: 'rejected', reason };
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
