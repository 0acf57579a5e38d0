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
import type { ProbeFailure, Sign } from './server-history.ts';

export interface ProbeOptions {
  readonly backend: Backend;
  readonly registration: RemoteRegistration;
  /** At least one. */
  readonly targets: readonly Target[];
  /** How many of them are asked at once. Whom, the backend decides: those that it would send a request to. */
  readonly attempts: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Its own: aborted from outside when nobody wants to know any more, and by the probe when its time is over. */
  readonly stop: AbortController;
}

/** As upstream, whatever the number of targets. */
export const ATTEMPTS_MAX = 5;

type AttemptResult = { readonly url: string; readonly failure: ProbeFailure } | 'passed';

/** Asks for the document that every server must have. One answer of several is enough. Never rejects. */
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
  // Connections that nobody uses may lead to where nobody is any more.
  backend.dropIdle();
  return { kind: 'failed', failure: worstOf(failures) };
}

/** Nobody reads where they were made, and making an error is most of the work of a probe that is refused. */
const TOO_LATE = new ProbeTimeout();
const NOT_NEEDED = new Error('another attempt was faster');

/** True as soon as one is, false when none is. */
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
    // What it says is not read: it may have no end.
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

/** Upstream asks for what the server must serve, as somebody who may read it on every server that believes us. */
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

/** What fails in the same way has the same words: a message that differs each time would be written each time. */
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

/** The words of the failure that says most, always the same one; as sure as the least sure of them. */
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

/** The least sure first. */
const CERTAINTY: readonly ProbeFailure['kind'][] = ['silent', 'refused', 'wrong-answer'];
