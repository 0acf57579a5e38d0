import type { Clock } from '@tributary/client';
import type { Target } from '@tributary/proxy';
import {
  addressOf,
  aggregatorHeaders,
  type Backend,
  BackendFailure,
  type BackendRequest,
  ProbeTimeout,
} from '@tributary/proxy';
import type { RemoteRegistration } from '../api-services/registration.ts';
import type { ProbeFailure, Sign } from './decide-availability.ts';

export interface ProbeOptions {
  readonly backend: Backend;
  readonly registration: RemoteRegistration;
  /** At least one. */
  readonly targets: readonly Target[];
  /** The number of concurrent attempts. The backend selects their targets, as it does for requests. */
  readonly attempts: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Aborted by the caller when the result is no longer needed, and by the probe at its timeout. */
  readonly stop: AbortController;
}

/** As upstream, for any number of targets. */
export const ATTEMPTS_MAX = 5;

type AttemptResult = { readonly url: string; readonly failure: ProbeFailure } | 'passed';

/** Requests the document that every backend must serve. One success of several attempts is enough. Never rejects. */
export async function probe(
  options: ProbeOptions,
): Promise<Extract<Sign, { kind: 'passed' | 'failed' }>> {
  const { backend, attempts, timeoutMs, clock, stop } = options;
  let isLate = false;
  const cancelTimer = clock.schedule(timeoutMs, () => {
    isLate = true;
    stop.abort(TOO_LATE);
  });
  const failures: Exclude<AttemptResult, 'passed'>[] = [];
  const attemptOnce = async (): Promise<boolean> => {
    const result = await attempt(options, () => isLate);
    if (result === 'passed') return true;
    failures.push(result);
    return false;
  };
  const isPassed = await anyOf(Array.from({ length: attempts }, attemptOnce));
  cancelTimer();
  if (isPassed) {
    if (attempts > 1) stop.abort(NOT_NEEDED);
    return { kind: 'passed' };
  }
  // Idle connections may lead to an address that the backend has left.
  backend.dropIdle();
  return { kind: 'failed', failure: worstOf(failures) };
}

/** Shared, because creating an error with a stack is most of the cost of a refused probe. */
const TOO_LATE = new ProbeTimeout();
const NOT_NEEDED = new Error('another attempt was faster');

/** True as soon as one is true, false when none is. */
function anyOf(attempts: readonly Promise<boolean>[]): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  let left = attempts.length;
  for (const attempt of attempts) {
    attempt.then((isTrue) => {
      left -= 1;
      if (isTrue || left === 0) resolve(isTrue);
    }, reject);
  }
  return promise;
}

async function attempt(
  { backend, registration, targets, stop }: ProbeOptions,
  isLate: () => boolean,
): Promise<AttemptResult> {
  const path = probePath(registration);
  try {
    const response = await backend.send(probeRequest(path, stop.signal));
    // The body is not read: it may be endless.
    response.cancel();
    if (response.status >= 200 && response.status <= 299) return 'passed';
    const url = urlOf(response.target, path);
    const message = failureMessage(url, `bad status from ${url}: ${response.status}`);
    return { url, failure: { kind: 'wrong-answer', message } };
  } catch (error) {
    const target = (error instanceof BackendFailure && error.target) || targets[0];
    const url = target === undefined ? path : urlOf(target, path);
    if (isLate())
      return { url, failure: { kind: 'silent', message: `timed out waiting for ${url}` } };
    const failure = { kind: kindOf(error), message: failureMessage(url, messageOf(error)) };
    return { url, failure };
  }
}

/**
 * Upstream's probe: a path that the backend must serve, with a user that is authorized to read it on every backend that
 * trusts this front proxy.
 */
export function probeRequest(path: string, signal: AbortSignal): BackendRequest {
  return {
    method: 'GET',
    path,
    headers: [
      ...aggregatorHeaders,
      ['accept', 'application/json'],
      ['user-agent', 'kube-aggregator'],
    ],
    body: undefined,
    signal,
    use: 'probe',
  };
}

export function probePath({ group, version }: RemoteRegistration): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

function urlOf(target: Target, path: string): string {
  return `https://${addressOf(target)}${path}`;
}

function failureMessage(url: string, cause: string): string {
  return `failing or missing response from ${url}: ${cause}`;
}

/** Removes what differs between equal failures: each new message would be written to the condition. */
function messageOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words.replace(/ - Local \([^)]*\)/g, '');
}

function kindOf(error: unknown): ProbeFailure['kind'] {
  if (!(error instanceof BackendFailure)) return 'refused';
  switch (error.hop) {
    case 'silent':
      return 'silent';
    case 'connect':
    case 'reset':
    case 'dns':
    case 'busy':
    case 'head':
    case 'target':
      return 'refused';
    case 'tls':
    case 'tls-name':
    case 'ca':
    case 'protocol':
      return 'wrong-answer';
    default:
      return error.hop satisfies never;
  }
}

/** The message of the most specific failure, always the same one; the kind of the least certain one. */
function worstOf(failures: readonly Exclude<AttemptResult, 'passed'>[]): ProbeFailure {
  const [first] = [...failures].sort(
    (a, b) =>
      CERTAINTY.indexOf(b.failure.kind) - CERTAINTY.indexOf(a.failure.kind) ||
      (a.failure.message < b.failure.message ? -1 : 1),
  );
  if (first === undefined) throw new Error('a probe has at least one attempt');
  const kinds = failures.map(({ failure }) => failure.kind);
  const kind = CERTAINTY.find((one) => kinds.includes(one)) ?? first.failure.kind;
  return { kind, message: first.failure.message };
}

/** The least certain first. */
const CERTAINTY: readonly ProbeFailure['kind'][] = ['silent', 'refused', 'wrong-answer'];
