import type { StatusError } from '@tributary/apimachinery';
import { type Clock, type HeaderList, systemClock } from '@tributary/client';
import type { ApiRequest, ApiResponse } from '@tributary/server';
import { onRequestEnd } from '@tributary/server/request';
import type {
  BackendRequest,
  BackendResponse,
  RequestSender,
  UpgradeResponse,
} from '../backend/backend.ts';
import { responseHeaders } from '../headers/response-headers.ts';
import { cannotHijack, invalidStatus, invalidUpgradeResponse } from './errors.ts';
import { forwardResponse } from './forward-response.ts';
import { isForwardedLongRunning } from './long-running.ts';
import { requestBody } from './request-body.ts';
import { joinConnections } from './tunnel.ts';

export interface ForwardOptions {
  readonly backend: RequestSender;
  /** With the query, encoded. Default: that of the request. */
  readonly path?: string;
  readonly headers: (isUpgrade: boolean) => HeaderList;
  /** More headers, which depend on the target; not for upgrades. */
  readonly headersFor?: BackendRequest['headersFor'];
  /** The error that a client gets for a failure between this server and the backend. */
  readonly explain: (error: unknown) => unknown;
  /** Sees every response first; an error that it returns is the response of the client. */
  readonly check?: (
    response: Pick<BackendResponse, 'status' | 'headers'>,
  ) => StatusError | undefined;
  /** Makes the response of the client. Default: `forwardResponse`. */
  readonly respond?: (response: BackendResponse) => ApiResponse | Promise<ApiResponse>;
  /** The error for a backend that neither changes its protocol nor responds with an error. */
  readonly invalidUpgrade?: (status: number) => StatusError;
  /** The error for an upgrade on a connection that cannot leave HTTP. */
  readonly cannotUpgrade?: () => StatusError;
  readonly clock?: Clock;
}

/** As upstream: the body of a server that does not change its protocol is short. */
const REFUSED_UPGRADE_MS = 10_000;

/** Forwards a request to a backend, and its response or upgraded connection to the client. */
export async function forwardRequest(
  request: ApiRequest,
  options: ForwardOptions,
): Promise<ApiResponse> {
  try {
    return isUpgradeRequest(request)
      ? await upgrade(request, options)
      : await exchange(request, options);
  } catch (error) {
    // A deadline, or a client that has left, is the cause of all other errors.
    if (request.cancellation.reason !== undefined) throw request.cancellation.reason;
    throw options.explain(error);
  }
}

/**
 * As upstream, the protocol itself is between the client and the backend. One is never forwarded: on a connection that
 * changed to cleartext HTTP/2, a client could send requests with identity headers of its choice.
 */
export function isUpgradeRequest({ headers }: Pick<ApiRequest, 'headers'>): boolean {
  return (
    headers.all('connection').some((value) => value.toLowerCase().includes('upgrade')) &&
    !headers
      .all('upgrade')
      .some((value) => /(?:^|,)\s*(?:h2c?|http\/[\d.]+)\s*(?:,|$)/i.test(value))
  );
}

async function exchange(request: ApiRequest, options: ForwardOptions): Promise<ApiResponse> {
  const { backend } = options;
  return respond(
    request,
    options,
    await backend.send(await backendRequest(request, options, false)),
  );
}

async function upgrade(request: ApiRequest, options: ForwardOptions): Promise<ApiResponse> {
  const { backend, clock = systemClock } = options;
  const { cannotUpgrade = cannotHijack, invalidUpgrade = invalidUpgradeResponse } = options;
  const { cancellation } = request;
  const sent = await backendRequest(request, options, true);
  if (sent.body !== undefined) throw cannotUpgrade();
  const response = await backend.upgrade(sent);
  if (response.kind === 'upgraded') return tunnel(response, cancellation.signal, cannotUpgrade);
  if (response.status < 400) {
    response.cancel();
    throw invalidUpgrade(response.status);
  }
  cancellation.limit(clock, REFUSED_UPGRADE_MS, () => invalidUpgrade(response.status));
  onRequestEnd(request, () => cancellation.release());
  return respond(request, options, response);
}

async function respond(
  request: ApiRequest,
  { check, respond: own }: ForwardOptions,
  response: BackendResponse,
): Promise<ApiResponse> {
  const error = check?.(response) ?? checkStatus(response);
  if (error === undefined) return own?.(response) ?? forwardResponse(request, response);
  response.cancel();
  throw error;
}

/** HTTP has no such codes, and HTTP/2 cannot send them. */
function checkStatus({ status }: Pick<BackendResponse, 'status'>): StatusError | undefined {
  return status > 599 ? invalidStatus(status) : undefined;
}

async function backendRequest(
  request: ApiRequest,
  { path, headers, headersFor }: ForwardOptions,
  isUpgrade: boolean,
): Promise<BackendRequest> {
  const { sendInformational } = request;
  return {
    method: request.method,
    path: path ?? request.target ?? request.path,
    headers: headers(isUpgrade),
    body: await requestBody(request),
    signal: request.cancellation.signal,
    use: isUpgrade || isForwardedLongRunning(request.info) ? 'watch' : 'request',
    ...(!isUpgrade && headersFor && { headersFor }),
    ...(sendInformational && {
      onInterim: (status: number, interim: HeaderList) =>
        sendInformational(status, responseHeaders(interim)),
    }),
  };
}

function tunnel(
  { head, connection }: UpgradeResponse & { kind: 'upgraded' },
  signal: AbortSignal,
  cannotUpgrade: () => StatusError,
): ApiResponse {
  return {
    kind: 'upgrade',
    connect: (client) => joinConnections(client, connection, { head, signal }),
    onRefused: () => {
      connection.destroy();
      return cannotUpgrade();
    },
  };
}
