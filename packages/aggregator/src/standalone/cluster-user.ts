/** The user of a kubeconfig, as the cluster authenticates it. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  type StatusError,
  StatusError as StatusFailure,
  serviceUnavailable,
} from '@tributary/apimachinery';
import type { ClientConfig, Clock, Transport } from '@tributary/client';
import type { Logger, UserInfo } from '@tributary/server';
import { subjectOf } from '@tributary/server/pki';

export interface ClusterUser extends Disposable {
  /** The same object for as long as it is the same user. Undefined until the first review. */
  readonly current: UserInfo | undefined;
  /** Why it is not known. */
  readonly problem: StatusError | undefined;
  /** When the cluster was asked once, successfully or not. */
  readonly reviewed: Promise<void>;
  close(): void;
}

export interface ClusterUserOptions {
  readonly config: ClientConfig;
  readonly transport: Pick<Transport, 'request'>;
  readonly clock: Clock;
  readonly log: Logger;
}

const PATH = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const REVIEW = JSON.stringify({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'SelfSubjectReview',
});
/** Groups change rarely; a credential that is taken away is refused by the cluster itself at once. */
const REVIEW_INTERVAL_MS = 60_000;
const RETRY_MS = 2_000;
const TIMEOUT_MS = 5_000;

/** Asks at once, and from time to time. */
export function watchClusterUser(options: ClusterUserOptions): ClusterUser {
  const { clock, log } = options;
  const closing = new AbortController();
  let current: UserInfo | undefined;
  let problem: StatusError | undefined;
  let cancelTimer = () => {};

  const review = async (): Promise<void> => {
    try {
      const user = await fetchUser(options, closing.signal);
      if (current === undefined || !isSame(user, current)) current = user;
      problem = undefined;
    } catch (error) {
      if (closing.signal.aborted) return;
      onFailure(error);
    }
    if (closing.signal.aborted) return;
    cancelTimer = clock.schedule(problem === undefined ? REVIEW_INTERVAL_MS : RETRY_MS, () => {
      void review();
    });
  };
  const onFailure = (error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error);
    const failure = serviceUnavailable(
      `the cluster at ${options.config.server} did not say who you are: ${message}`,
    );
    if (problem?.message !== failure.message)
      log.error(failure, 'Reviewing the user of the kubeconfig failed');
    problem = failure;
    // A cluster that is unavailable revokes nothing. After a refusal there is no user.
    if (error instanceof StatusFailure && error.code === 401) current = undefined;
  };
  const reviewed = review();
  const close = () => {
    closing.abort(new Error('the aggregator is stopping'));
    cancelTimer();
  };
  return {
    get current() {
      return current;
    },
    get problem() {
      return current === undefined ? problem : undefined;
    },
    reviewed,
    close,
    [Symbol.dispose]: close,
  };
}

async function fetchUser(
  { config, transport }: ClusterUserOptions,
  signal: AbortSignal,
): Promise<UserInfo> {
  try {
    const { body } = await transport.request('POST', PATH, {
      body: REVIEW,
      headers: { 'content-type': 'application/json' },
      headersTimeoutMs: TIMEOUT_MS,
      retriesMax: 0,
      signal,
    });
    return readReview(JSON.parse(body.toString('utf8')));
  } catch (error) {
    // Servers before 1.28 have no such review, and some forbid it.
    if (!(error instanceof StatusFailure) || ![403, 404, 405].includes(error.code)) throw error;
    const user = await userOfCertificate(config);
    if (user === undefined) throw error;
    return user;
  }
}

/** Throws for what is no review with a user. */
export function readReview(review: unknown): UserInfo {
  const info = memberOf(memberOf(review, 'status'), 'userInfo');
  const name = memberOf(info, 'username');
  const uid = memberOf(info, 'uid') ?? '';
  if (typeof name !== 'string' || name === '' || typeof uid !== 'string') {
    throw new Error('its SelfSubjectReview names no user');
  }
  const extra = Object.entries(memberOf(info, 'extra') ?? {}).map(
    ([key, values]) => [key, textsOf(values)] as const,
  );
  return {
    name,
    uid,
    groups: textsOf(memberOf(info, 'groups') ?? []),
    extra: Object.fromEntries(extra),
  };
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new Error('its SelfSubjectReview has something else where texts are expected');
}

/** As every kube-apiserver reads it; not when the kubeconfig impersonates another user. */
export async function userOfCertificate({ identity }: ClientConfig): Promise<UserInfo | undefined> {
  if (identity.certificate === undefined || identity.impersonate !== undefined) return undefined;
  const { certificate: source } = identity.certificate;
  const pem = 'pem' in source ? source.pem : await readFile(source.file, 'utf8');
  const { commonName, organizations = [] } = subjectOf(new X509Certificate(pem));
  if (!commonName) return undefined;
  return {
    name: commonName,
    uid: '',
    groups: [...organizations, 'system:authenticated'],
    extra: {},
  };
}

function isSame(a: UserInfo, b: UserInfo): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
