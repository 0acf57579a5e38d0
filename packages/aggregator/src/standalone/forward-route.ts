import { type StatusError, serviceUnavailable } from '@tributary/apimachinery';
import { ExecPluginError, type HeaderList } from '@tributary/client';
import { BackendFailure, forwardRequest, requestHeaders } from '@tributary/proxy';
import type { ApiRequest } from '@tributary/server';
import type { Route } from '@tributary/server/routing';
import type { Cluster } from './cluster.ts';

export interface ForwardRouteOptions {
  readonly cluster: Pick<Cluster, 'send' | 'upgrade' | 'url'>;
  /** Impersonation headers, in place of those of the kubeconfig. */
  readonly subjectOf: (request: ApiRequest) => HeaderList;
  /** Paths that this process serves itself. */
  readonly isLocal: (path: string) => boolean;
  /** Called with the status of every response of the cluster. */
  readonly onResponse?: (request: ApiRequest, status: number) => void;
}

/** Forwards every request that no other route serves to the cluster. */
export function forwardRoute(options: ForwardRouteOptions): Route {
  const { cluster, isLocal, subjectOf, onResponse } = options;
  return (request) => {
    if (isLocal(request.info.path)) return undefined;
    return forwardRequest(request, {
      backend: cluster,
      headers: (isUpgrade) => requestHeaders(request, { isUpgrade, identity: subjectOf(request) }),
      check: ({ status }) => {
        onResponse?.(request, status);
        return undefined;
      },
      explain: (error) => clusterFailure(cluster.url, error) ?? error,
    });
  };
}

/** Undefined for errors that are no failure of the connection to the cluster. */
export function clusterFailure(url: string, error: unknown): StatusError | undefined {
  if (error instanceof ExecPluginError) {
    return serviceUnavailable(`no credentials for the cluster at ${url}: ${error.message}`);
  }
  if (!(error instanceof BackendFailure)) return undefined;
  const message = error.message.replaceAll('the caBundle', 'the authority in the kubeconfig');
  return serviceUnavailable(`the cluster at ${url} cannot be reached: ${message}`);
}
