import type { StatusError } from '@tributary/apimachinery';
import type { HeaderList } from '@tributary/client';
import {
  BackendFailure,
  type BackendResponse,
  type Backends,
  backendRequest,
  cannotHijack,
  forwardResponse,
  frontProxyHeaders,
  headerValue,
  invalidStatus,
  invalidUpgradeResponse,
  isForwardedLongRunning,
  joinConnections,
  redirected,
  type UpgradeResponse,
} from '@tributary/proxy';
import type { ApiRequest, ApiResponse } from '@tributary/server';
import { freeSeat, whenEnded } from '@tributary/server/request';
import type { Route } from '@tributary/server/routing';
import type { Clock } from '@tributary/storage';
import type { Availability } from '../availability/availability.ts';
import type { RemoteRegistration } from '../registrations/registration.ts';
import type { Registrations } from '../registrations/registrations.ts';
import {
  discoveryTimeout,
  missingUser,
  requestTimeout,
  unavailable,
  unreachable,
} from './failures.ts';
import { registrationOf, requireUnambiguousPath } from './find-registration.ts';
import { type ProxyMetrics, proxyMetrics } from './proxy-metrics.ts';
import { isRead, type WaitingReads, waitingReads } from './waiting-reads.ts';

export interface ProxyOptions {
  readonly registrations: Pick<Registrations, 'current'>;
  readonly backends: Pick<Backends, 'of'>;
  readonly availability: Pick<Availability, 'refusal' | 'follow'>;
  readonly clock: Clock;
  /** Has the last word before anything is sent; a failure is the answer. */
  readonly gate?: (
    registration: RemoteRegistration,
    request: ApiRequest,
  ) => StatusError | undefined;
  /** A server that sends its clients elsewhere would have them, and us, ask whom it likes. Default: refused. */
  readonly isRemoteRedirectRejected?: boolean;
  /** Headers that carry an identity here, beside the usual ones; in lower case. */
  readonly isIdentityHeader?: (name: string) => boolean;
  /** Who asks, as that server is told it. Default: the user of the request, in the headers of a front proxy. */
  readonly identityOf?: (registration: RemoteRegistration, request: ApiRequest) => HeaderList;
  readonly metrics?: ProxyMetrics;
}

/** As upstream, of requests for one group version: whoever asks wants to know about many. */
const DISCOVERY_SECONDS = 5;
/** As upstream: the words of a server that does not change its protocol are few. */
const REFUSED_UPGRADE_MS = 10_000;

/** Passes on what other servers serve. It waits for nobody but the server that is asked. */
export function proxyRoute(options: ProxyOptions): Route {
  const { registrations, metrics = proxyMetrics() } = options;
  const userLines = frontProxyHeaders();
  const identityOf =
    options.identityOf ?? ((_: RemoteRegistration, { user }: ApiRequest) => userLines(user));
  const reads = waitingReads(options.availability);
  const proxy: Proxy = { ...options, metrics, identityOf, reads };

  return (request) => {
    const registration = registrationOf(registrations.current, request.info.path);
    if (registration === undefined) return undefined;
    requireUnambiguousPath(request);
    const passage = { registration, request };
    requireAdmitted(proxy, passage);
    // However many wait for a server that does not answer, they take no seat from those who ask for something else.
    freeSeat(request);
    return isUpgrade(request) ? upgrade(proxy, passage) : exchange(proxy, passage);
  };
}

type Proxy = ProxyOptions &
  Required<Pick<ProxyOptions, 'metrics' | 'identityOf'>> & { readonly reads: WaitingReads };

interface Passage {
  readonly registration: RemoteRegistration;
  readonly request: ApiRequest;
}

/** Everything that is known without asking anybody. */
function requireAdmitted(proxy: Proxy, { registration, request }: Passage): void {
  const refusal = proxy.availability.refusal(registration.name);
  const failure =
    (refusal && unavailable(registration, refusal)) ??
    (request.user.name === '' ? missingUser() : undefined) ??
    proxy.gate?.(registration, request);
  if (failure === undefined) return;
  proxy.metrics.terminated(request, failure.code);
  throw failure;
}

/** As upstream, the protocol itself is not looked at: that is between the client and the server. */
function isUpgrade({ headers }: ApiRequest): boolean {
  return headers.all('connection').some((value) => value.toLowerCase().includes('upgrade'));
}

async function exchange(proxy: Proxy, passage: Passage): Promise<ApiResponse> {
  const { registration, request } = passage;
  limitTime(proxy, passage);
  const backend = proxy.backends.of(registration);
  return meant(proxy, passage, async () => {
    const asked = await askedOf(proxy, passage, false);
    const answer = await timed(proxy, registration, () =>
      whileAvailable(proxy, passage, () => backend.send(asked)),
    );
    if ((proxy.isRemoteRedirectRejected ?? true) && isRedirect(answer)) {
      answer.cancel();
      throw redirected();
    }
    if (answer.status > 599) {
      answer.cancel();
      throw invalidStatus(answer.status);
    }
    return forwardResponse(request, answer);
  });
}

async function upgrade(proxy: Proxy, passage: Passage): Promise<ApiResponse> {
  const { registration, request } = passage;
  const { cancellation } = request;
  const backend = proxy.backends.of(registration);
  return meant(proxy, passage, async () => {
    const asked = await askedOf(proxy, passage, true);
    if (asked.body !== undefined) throw cannotHijack();
    const answer = await timed(proxy, registration, () => backend.upgrade(asked));
    if (answer.kind === 'upgraded') return tunnel(answer, cancellation.signal);
    if (answer.status < 400) {
      answer.cancel();
      throw invalidUpgradeResponse(answer.status);
    }
    cancellation.limit(proxy.clock, REFUSED_UPGRADE_MS, () =>
      invalidUpgradeResponse(answer.status),
    );
    whenEnded(request, () => cancellation.release());
    return forwardResponse(request, answer);
  });
}

function tunnel(
  { head, connection }: UpgradeResponse & { kind: 'upgraded' },
  signal: AbortSignal,
): ApiResponse {
  return {
    kind: 'upgrade',
    connect: (client) => joinConnections(client, connection, { head, signal }),
    refused: () => {
      connection.destroy();
      return cannotHijack();
    },
  };
}

function askedOf(proxy: Proxy, { registration, request }: Passage, isUpgrade: boolean) {
  const identity = proxy.identityOf(registration, request);
  return backendRequest(request, { identity, isUpgrade, isIdentityHeader: proxy.isIdentityHeader });
}

async function timed<Answer>(
  { clock, metrics }: Proxy,
  { name }: RemoteRegistration,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const startMs = clock.nowMs();
  const answer = await ask();
  metrics.answered(name, clock.nowMs() - startMs);
  return answer;
}

/** What went wrong between us and the server becomes what the client is told. */
async function meant(
  { metrics }: Proxy,
  { registration, request }: Passage,
  run: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  try {
    return await run();
  } catch (error) {
    // Its time is up, or the client has left: whatever else failed, failed for that reason.
    if (request.cancellation.reason !== undefined) throw request.cancellation.reason;
    if (!(error instanceof BackendFailure)) throw error;
    const failure = unreachable(registration, error);
    if (error.hop === 'busy' || error.hop === 'target') metrics.terminated(request, failure.code);
    throw failure;
  }
}

/** A read does not wait longer than until its server is known to be unavailable. */
async function whileAvailable<T>(
  { reads, metrics }: Proxy,
  { registration, request }: Passage,
  ask: () => Promise<T>,
): Promise<T> {
  if (!isRead(request)) return ask();
  const leave = reads.wait(registration.name, (state) => {
    const failure = unavailable(registration, state);
    metrics.terminated(request, failure.code);
    request.cancellation.abort(failure);
  });
  try {
    return await ask();
  } finally {
    leave();
  }
}

/** The timeout of the APIService, or that of discovery, unless the request asks for less. */
function limitTime(proxy: Proxy, { registration, request }: Passage): void {
  const { clock } = proxy;
  const { cancellation } = request;
  const { requestTimeoutMs } = registration.remote.limits;
  if (requestTimeoutMs !== undefined && !isForwardedLongRunning(request.info)) {
    const isShorter = (cancellation.deadlineMs ?? Infinity) > clock.nowMs() + requestTimeoutMs;
    if (isShorter || !request.query.has('timeout')) {
      cancellation.limit(clock, requestTimeoutMs, () =>
        requestTimeout(registration, requestTimeoutMs),
      );
    }
  }
  if (!isDiscovery(request)) return;
  const limitMs = DISCOVERY_SECONDS * 1000;
  if ((cancellation.deadlineMs ?? Infinity) <= clock.nowMs() + limitMs) return;
  cancellation.limit(clock, limitMs, () => discoveryTimeout(registration, DISCOVERY_SECONDS));
}

/** Upstream tells discovery by the number of segments alone. */
function isDiscovery({ info }: ApiRequest): boolean {
  if (info.isResourceRequest) return false;
  return info.path.split('/').filter(Boolean).length === 3;
}

function isRedirect({ status, headers }: BackendResponse): boolean {
  return status >= 300 && status < 400 && headerValue(headers, 'location') !== undefined;
}
