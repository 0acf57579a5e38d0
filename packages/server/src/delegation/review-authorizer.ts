import { parseJson, StatusError } from '@tributary/apimachinery';
import { type Transport, TransportError } from '@tributary/client';
import type { Clock } from '@tributary/storage';
import type { AccessInfo, Authorizer, Decision } from '../request/authorizer.ts';
import { type AccessReviewSpec, accessReviewSpec } from './access-review.ts';
import { ExpiringCache } from './expiring-cache.ts';
import { FinalAuthorizerError } from './final-authorizer-error.ts';
import { SharedCalls } from './shared-calls.ts';
import { withWebhookRetries } from './webhook-retries.ts';

interface ReviewAuthorizerOptions {
  /** Transport to the authorizing server. It limits duration and response size. */
  readonly transport: Pick<Transport, 'request'>;
  readonly clock: Clock;
  /** How long results are cached; `deny` covers everything that is not allowed. Failures are not cached. */
  readonly allowTtlMs: number;
  readonly denyTtlMs: number;
  /** The `timeout` parameter of each call. */
  readonly timeoutMs: number;
  /** Below the server's URL. */
  readonly path?: string;
  /** Between 0 and 1. */
  readonly random?: () => number;
  /** Called when a call ends. */
  readonly observe?: (call: ReviewCall) => void;
}

export interface ReviewCall {
  readonly result: 'success' | 'canceled' | 'timeout' | 'error';
  /** Undefined without a response. */
  readonly status?: number;
  readonly tookMs: number;
}

const PATH = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
/** At this size the least recently used result is evicted. */
const CACHE_ENTRIES_MAX = 8192;
/** Larger requests are not cached, because clients control their size. */
const CACHED_BYTES_MAX = 10_000;
const API_VERSION = 'authorization.k8s.io/v1';

/**
 * Authorizes requests by SubjectAccessReviews of another server; equal concurrent requests share one call. A cached
 * result is returned without a promise. Rejects when the server is unavailable after several retries.
 */
export function reviewAuthorizer(options: ReviewAuthorizerOptions): Authorizer {
  const { clock, random = Math.random, allowTtlMs, denyTtlMs } = options;
  const cache = new ExpiringCache<ReviewStatus>({
    entriesMax: CACHE_ENTRIES_MAX,
    nowMs: () => clock.nowMs(),
  });
  const calls = new SharedCalls<ReviewStatus>();
  const start = async (review: PendingReview, signal: AbortSignal): Promise<ReviewStatus> => {
    const post = () => observed(options, signal, () => postReview(options, review.spec, signal));
    const { status } = await withWebhookRetries(post, { clock, random, signal });
    if (textOfClient(review.info) < CACHED_BYTES_MAX) {
      cache.set(review.key, status, status.allowed ? allowTtlMs : denyTtlMs);
    }
    return status;
  };
  const authorize = async (
    review: PendingReview,
    signal: AbortSignal | undefined,
  ): Promise<Decision> =>
    decisionOf(await calls.call(review.key, signal, (shared) => start(review, shared)));
  return (request) => {
    const spec = accessReviewSpec(request);
    const key = JSON.stringify(spec);
    const known = cache.get(key);
    if (known !== undefined) return decisionOf(known);
    return authorize({ key, spec, info: request.info }, request.cancellation?.signal);
  };
}

interface PendingReview {
  /** The encoded review, as cache key. */
  readonly key: string;
  readonly spec: AccessReviewSpec;
  readonly info: AccessInfo;
}

interface ReviewStatus {
  readonly allowed: boolean;
  readonly denied: boolean;
  readonly reason: string;
}

interface ReviewResponse {
  readonly code: number;
  readonly status: ReviewStatus;
}

async function postReview(
  { transport, path = PATH, timeoutMs }: ReviewAuthorizerOptions,
  spec: AccessReviewSpec,
  signal: AbortSignal,
): Promise<ReviewResponse> {
  const review = {
    kind: 'SubjectAccessReview',
    apiVersion: API_VERSION,
    metadata: {},
    spec,
    status: { allowed: false },
  };
  const { status, body } = await transport.request('POST', path, {
    query: { timeout: `${timeoutMs / 1000}s` },
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(review),
    retriesMax: 0, // Retries and their pauses are counted here.
    signal,
  });
  return { code: status, status: parseReviewStatus(body) };
}

/** Only a response of the expected form can allow a request. */
function parseReviewStatus(body: Uint8Array): ReviewStatus {
  const review: unknown = parseJson(body);
  if (!isRecord(review) || review.kind !== 'SubjectAccessReview') {
    throw new Error('the response to an access review is not a SubjectAccessReview');
  }
  if (review.apiVersion !== API_VERSION) {
    throw new Error(`the response to an access review is not of ${API_VERSION}`);
  }
  const status = isRecord(review.status) ? review.status : {};
  const { allowed = false, denied = false, reason = '' } = status;
  if (typeof allowed !== 'boolean' || typeof denied !== 'boolean' || typeof reason !== 'string') {
    throw new Error('the response to an access review has an invalid status');
  }
  return { allowed, denied, reason };
}

function decisionOf({ allowed, denied, reason }: ReviewStatus): Decision {
  const why = reason === '' ? {} : { reason };
  if (allowed && denied) {
    const text = 'webhook subject access review returned both allow and deny response';
    throw new FinalAuthorizerError(text);
  }
  if (denied) return { allowed: false, denied: true, ...why };
  return { allowed, ...why };
}

async function observed(
  { clock, observe }: ReviewAuthorizerOptions,
  signal: AbortSignal,
  call: () => Promise<ReviewResponse>,
): Promise<ReviewResponse> {
  const startMs = clock.nowMs();
  const report = (result: ReviewCall['result'], status?: number): void =>
    observe?.({
      result,
      ...(status !== undefined && { status }),
      tookMs: clock.nowMs() - startMs,
    });
  try {
    const response = await call();
    report('success', response.code);
    return response;
  } catch (error) {
    const status = error instanceof StatusError ? error.code : undefined;
    if (signal.aborted) report('canceled', status);
    else report(isTimeout(error, status) ? 'timeout' : 'error', status);
    throw error;
  }
}

function isTimeout(error: unknown, status: number | undefined): boolean {
  return status === 504 || (error instanceof TransportError && error.code === 'ETIMEDOUT');
}

function textOfClient(info: AccessInfo): number {
  const { namespace, verb, group, version, resource, subresource, name, path } = info;
  const text = [namespace, verb, group, version, resource, subresource, name, path].join('');
  return Buffer.byteLength(text);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
