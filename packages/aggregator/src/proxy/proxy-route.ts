import type { StatusError } from '@tributary/apimachinery';
import type { HeaderList } from '@tributary/client';
import {
  BackendFailure,
  type BackendResponse,
  type Backends,
  forwardedHost,
  forwardRequest,
  frontProxyHeaders,
  headerValue,
  isForwardedLongRunning,
  isUpgradeRequest,
  type RequestSender,
  redirected,
  requestHeaders,
} from '@tributary/proxy';
import type { ApiRequest, ApiResponse } from '@tributary/server';
import { freeSeat } from '@tributary/server/request';
import type { Route } from '@tributary/server/routing';
import type { Clock } from '@tributary/storage';
import type { RemoteRegistration } from '../api-services/registration.ts';
import type { Availability } from '../availability/availability.ts';
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
  readonly availability: Pick<Availability, 'refusal' | 'onChange'>;
  readonly clock: Clock;
  /** The last check before a request is sent; its error is the response. */
  readonly gate?: (
    registration: RemoteRegistration,
    request: ApiRequest,
  ) => StatusError | undefined;
  /** Rejects redirects, by which a backend could send clients, and this server, anywhere. Default: true. */
  readonly isRemoteRedirectRejected?: boolean;
  /** Additional headers that carry an identity, in lower case. */
  readonly isIdentityHeader?: (name: string) => boolean;
  /** The identity headers of forwarded requests. Default: the user of the request, in front-proxy headers. */
  readonly identityOf?: (registration: RemoteRegistration, request: ApiRequest) => HeaderList;
  readonly metrics?: ProxyMetrics;
}

/** As upstream, for requests of one group version: discovery clients read many backends. */
const DISCOVERY_SECONDS = 5;

/** Proxies requests to backends. A request waits for its own backend only. */
export function proxyRoute(options: ProxyOptions): Route {
  const { registrations, metrics = proxyMetrics() } = options;
  const userHeaders = frontProxyHeaders();
  const identityOf =
    options.identityOf ?? ((_: RemoteRegistration, { user }: ApiRequest) => userHeaders(user));
  const reads = waitingReads(options.availability);
  const proxy: Proxy = { ...options, metrics, identityOf, reads };

  return (request) => {
    const registration = registrationOf(registrations.current, request.info.path);
    if (registration === undefined) return undefined;
    requireUnambiguousPath(request);
    const proxied = { registration, request };
    requireAdmitted(proxy, proxied);
    // Requests that wait for a backend do not occupy slots of other requests.
    freeSeat(request);
    return forward(proxy, proxied);
  };
}

type Proxy = ProxyOptions &
  Required<Pick<ProxyOptions, 'metrics' | 'identityOf'>> & { readonly reads: WaitingReads };

interface ProxiedRequest {
  readonly registration: RemoteRegistration;
  readonly request: ApiRequest;
}

/** Checks everything that is known without a request to the backend. */
function requireAdmitted(proxy: Proxy, { registration, request }: ProxiedRequest): void {
  const refusal = proxy.availability.refusal(registration.name);
  const failure =
    (refusal && unavailable(registration, refusal)) ??
    (request.user.name === '' ? missingUser() : undefined) ??
    proxy.gate?.(registration, request);
  if (failure === undefined) return;
  proxy.metrics.terminated(request, failure.code);
  throw failure;
}

function forward(proxy: Proxy, proxied: ProxiedRequest): Promise<ApiResponse> {
  const { registration, request } = proxied;
  const { clock, isIdentityHeader, isRemoteRedirectRejected = true } = proxy;
  if (!isUpgradeRequest(request)) limitTime(proxy, proxied);
  return forwardRequest(request, {
    backend: sender(proxy, proxied),
    headers: (isUpgrade) => {
      const identity = proxy.identityOf(registration, request);
      const options = { isUpgrade, identity, isIdentityHeader };
      return requestHeaders(request, { ...options, forwarded: {}, sendsAuditId: true });
    },
    headersFor: forwardedHost,
    explain: (error) => explainFailure(proxy, proxied, error),
    check: (response) =>
      isRemoteRedirectRejected && isRedirect(response) ? redirected() : undefined,
    clock,
  });
}

/** The backend of a registration: its responses are timed, and a read ends when it becomes unavailable. */
function sender(proxy: Proxy, proxied: ProxiedRequest): RequestSender {
  const { registration } = proxied;
  const backend = () => proxy.backends.of(registration);
  return {
    send: (request) =>
      timed(proxy, registration, () =>
        whileAvailable(proxy, proxied, async () => backend().send(request)),
      ),
    upgrade: (request) => timed(proxy, registration, async () => backend().upgrade(request)),
  };
}

async function timed<Response>(
  { clock, metrics }: Proxy,
  { name }: RemoteRegistration,
  send: () => Promise<Response>,
): Promise<Response> {
  const startMs = clock.nowMs();
  const response = await send();
  metrics.responded(name, clock.nowMs() - startMs);
  return response;
}

/** The error that a client gets for a failure between this server and the backend. */
function explainFailure(
  { metrics }: Proxy,
  { registration, request }: ProxiedRequest,
  error: unknown,
): unknown {
  if (!(error instanceof BackendFailure)) return error;
  const failure = unreachable(registration, error);
  if (error.hop === 'busy' || error.hop === 'target') metrics.terminated(request, failure.code);
  return failure;
}

/** A read fails as soon as its backend is known to be unavailable. */
async function whileAvailable<T>(
  { reads, metrics }: Proxy,
  { registration, request }: ProxiedRequest,
  send: () => Promise<T>,
): Promise<T> {
  if (!isRead(request)) return send();
  const leave = reads.wait(registration.name, (state) => {
    const failure = unavailable(registration, state);
    metrics.terminated(request, failure.code);
    request.cancellation.abort(failure);
  });
  try {
    return await send();
  } finally {
    leave();
  }
}

/** Applies the timeout of the APIService, or of discovery, unless the request has a shorter one. */
function limitTime(proxy: Proxy, { registration, request }: ProxiedRequest): void {
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

/** As upstream, which recognizes discovery by the number of segments alone. */
function isDiscovery({ info }: ApiRequest): boolean {
  if (info.isResourceRequest) return false;
  return info.path.split('/').filter(Boolean).length === 3;
}

function isRedirect({ status, headers }: Pick<BackendResponse, 'status' | 'headers'>): boolean {
  return status >= 300 && status < 400 && headerValue(headers, 'location') !== undefined;
}
