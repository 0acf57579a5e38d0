import { type StatusError, serviceUnavailable } from '@tributary/apimachinery';
import { ExecPluginError, type HeaderList } from '@tributary/client';
import {
  BackendFailure,
  type BackendRequest,
  cannotHijack,
  forwardResponse,
  invalidUpgradeResponse,
  isForwardedLongRunning,
  joinConnections,
  requestBody,
  responseHeaders,
} from '@tributary/proxy';
import type { ApiRequest, ApiResponse } from '@tributary/server';
import type { Route } from '@tributary/server/routing';
import type { Cluster } from './cluster.ts';
import { forwardedLines } from './forwarded-lines.ts';

export interface ForwardOptions {
  readonly cluster: Pick<Cluster, 'send' | 'upgrade' | 'url'>;
  /** For whom the cluster is asked, beside the user of the kubeconfig: lines of impersonation. */
  readonly subjectOf: (request: ApiRequest) => HeaderList;
  /** What is answered here, and never by the cluster. */
  readonly isOwn: (path: string) => boolean;
  /** Told of what the cluster was asked for and did. */
  readonly heard?: (request: ApiRequest, status: number) => void;
}

/** Everything that nobody else answers goes to the cluster, and its answers come back as they are. */
export function forwardRoute(options: ForwardOptions): Route {
  return (request) => {
    if (options.isOwn(request.info.path)) return undefined;
    return isUpgrade(request) ? upgrade(options, request) : exchange(options, request);
  };
}

async function exchange(options: ForwardOptions, request: ApiRequest): Promise<ApiResponse> {
  return meant(options, request, async () => {
    const answer = await options.cluster.send(await forwarded(options, request, false));
    options.heard?.(request, answer.status);
    return forwardResponse(request, answer);
  });
}

async function upgrade(options: ForwardOptions, request: ApiRequest): Promise<ApiResponse> {
  return meant(options, request, async () => {
    const asked = await forwarded(options, request, true);
    if (asked.body !== undefined) throw cannotHijack();
    const answer = await options.cluster.upgrade(asked);
    if (answer.kind === 'answered') {
      if (answer.status >= 400) return forwardResponse(request, answer);
      answer.cancel();
      throw invalidUpgradeResponse(answer.status);
    }
    const { head, connection } = answer;
    const { signal } = request.cancellation;
    return {
      kind: 'upgrade',
      connect: (client) => joinConnections(client, connection, { head, signal }),
      refused: () => {
        connection.destroy();
        return cannotHijack();
      },
    };
  });
}

async function forwarded(
  { subjectOf }: ForwardOptions,
  request: ApiRequest,
  isUpgrade: boolean,
): Promise<BackendRequest> {
  const { inform } = request;
  return {
    method: request.method,
    path: request.target ?? request.path,
    headers: forwardedLines(request.headers, { subject: subjectOf(request), isUpgrade }),
    body: await requestBody(request),
    signal: request.cancellation.signal,
    use: isUpgrade || isForwardedLongRunning(request.info) ? 'watch' : 'request',
    ...(inform && { onInterim: (status, lines) => inform(status, responseHeaders(lines)) }),
  };
}

function isUpgrade({ headers }: ApiRequest): boolean {
  return headers.all('connection').some((value) => value.toLowerCase().includes('upgrade'));
}

/** What went wrong between us and the cluster becomes what the client is told. */
async function meant(
  { cluster }: ForwardOptions,
  request: ApiRequest,
  run: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  try {
    return await run();
  } catch (error) {
    if (request.cancellation.reason !== undefined) throw request.cancellation.reason;
    throw clusterFailure(cluster.url, error) ?? error;
  }
}

/** Undefined for what is no failure of the way to the cluster. */
export function clusterFailure(url: string, error: unknown): StatusError | undefined {
  if (error instanceof ExecPluginError) {
    return serviceUnavailable(`no credentials for the cluster at ${url}: ${error.message}`);
  }
  if (!(error instanceof BackendFailure)) return undefined;
  const words = error.message.replaceAll('the caBundle', 'the authority in the kubeconfig');
  return serviceUnavailable(`the cluster at ${url} cannot be reached: ${words}`);
}
