import { parseJson, StatusError } from '@tributary/apimachinery';
import { type Transport, TransportError } from '@tributary/client';
import type { Clock } from '@tributary/storage';
import type { AccessInfo, Authorizer, Decision } from '../request/authorizer.ts';
import { type AccessReviewSpec, accessReviewSpec } from './access-review.ts';
import { ExpiringCache } from './expiring-cache.ts';
import { FinalAuthorizerError } from './final-authorizer-error.ts';
import { SharedCalls } from './shared-calls.ts';
import { withWebhookRetries } from './webhook-retries.ts';

export interface ReviewAuthorizerOptions {
  /** To the server that decides. It bounds how long a call and its answer may be. */
  readonly transport: Pick<Transport, 'request'>;
  readonly clock: Clock;
  /** How long an answer holds; `deny` is for everything but an allowance. Failures are never kept. */
  readonly allowTtlMs: number;
  readonly denyTtlMs: number;
  /** Said to the server with each call. */
  readonly timeoutMs: number;
  /** Below the server's own address. */
  readonly path?: string;
  /** Between 0 and 1. */
  readonly random?: () => number;
  /** One call ended. */
  readonly observe?: (call: ReviewCall) => void;
}

export interface ReviewCall {
  readonly result: 'success' | 'canceled' | 'timeout' | 'error';
  /** Absent when no answer came. */
  readonly status?: number;
  readonly tookMs: number;
}

const PATH = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
/** Beyond it the answer that was asked for longest ago goes. */
const CACHE_ENTRIES_MAX = 8192;
/** A question with more text of the client than this is not kept: many of them would fill the memory. */
const CACHED_BYTES_MAX = 10_000;
const API_VERSION = 'authorization.k8s.io/v1';

/**
 * Asks another server by SubjectAccessReviews what a user may do, once for all who ask the same at the same time.
 * A known answer needs no promise. Throws when the server cannot be asked, after several tries.
 */
export function reviewAuthorizer(options: ReviewAuthorizerOptions): Authorizer {
  const { clock, random = Math.random, allowTtlMs, denyTtlMs } = options;
  const cache = new ExpiringCache<ReviewStatus>({
    entriesMax: CACHE_ENTRIES_MAX,
    nowMs: () => clock.nowMs(),
  });
  const calls = new SharedCalls<ReviewStatus>();
  const review = async (question: Question, signal: AbortSignal): Promise<ReviewStatus> => {
    const post = () => observed(options, signal, () => postReview(options, question.spec, signal));
    const { answer: status } = await withWebhookRetries(post, { clock, random, signal });
    if (textOfClient(question.info) < CACHED_BYTES_MAX) {
      cache.set(question.key, status, status.allowed ? allowTtlMs : denyTtlMs);
    }
    return status;
  };
  const ask = async (question: Question, signal: AbortSignal | undefined): Promise<Decision> =>
    decisionOf(await calls.ask(question.key, signal, (shared) => review(question, shared)));
  return (request) => {
    const spec = accessReviewSpec(request);
    const key = JSON.stringify(spec);
    const known = cache.get(key);
    if (known !== undefined) return decisionOf(known);
    return ask({ key, spec, info: request.info }, request.cancellation?.signal);
  };
}

interface Question {
  /** The whole text of the question. */
  readonly key: string;
  readonly spec: AccessReviewSpec;
  readonly info: AccessInfo;
}

interface ReviewStatus {
  readonly allowed: boolean;
  readonly denied: boolean;
  readonly reason: string;
}

interface Answered {
  readonly code: number;
  readonly answer: ReviewStatus;
}

async function postReview(
  { transport, path = PATH, timeoutMs }: ReviewAuthorizerOptions,
  spec: AccessReviewSpec,
  signal: AbortSignal,
): Promise<Answered> {
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
    retriesMax: 0, // They are counted here, together with the pauses between them.
    signal,
  });
  return { code: status, answer: readAnswer(body) };
}

/** Only what is needed is believed, and only in the right form: an answer of something else allows nothing. */
function readAnswer(body: Uint8Array): ReviewStatus {
  const answer: unknown = parseJson(body);
  if (!isRecord(answer) || answer.kind !== 'SubjectAccessReview') {
    throw new Error('the response to an access review is not a SubjectAccessReview');
  }
  if (answer.apiVersion !== API_VERSION) {
    throw new Error(`the response to an access review is not of ${API_VERSION}`);
  }
  const status = isRecord(answer.status) ? answer.status : {};
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
  call: () => Promise<Answered>,
): Promise<Answered> {
  const startMs = clock.nowMs();
  const tell = (result: ReviewCall['result'], status?: number): void =>
    observe?.({
      result,
      ...(status !== undefined && { status }),
      tookMs: clock.nowMs() - startMs,
    });
  try {
    const answered = await call();
    tell('success', answered.code);
    return answered;
  } catch (error) {
    const status = error instanceof StatusError ? error.code : undefined;
    if (signal.aborted) tell('canceled', status);
    else tell(isTimeout(error, status) ? 'timeout' : 'error', status);
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
