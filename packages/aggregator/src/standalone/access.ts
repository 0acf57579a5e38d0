import type { HeaderList } from '@tributary/client';
import type { ApiRequest, ServerConfig } from '@tributary/server';
import type { ProxyOptions } from '../proxy/proxy-route.ts';

/** Authenticates clients, and adds their identity to requests for the cluster and other servers. */
export interface Access {
  readonly config: Pick<
    ServerConfig,
    | 'authenticator'
    | 'authorizer'
    | 'clientCa'
    | 'requestHeader'
    | 'trust'
    | 'lookUpToken'
    | 'healthChecks'
    | 'registerMetrics'
  > &
    Required<Pick<ServerConfig, 'authorizer'>>;
  /** Lines of impersonation that the cluster is sent, beside the credentials of the kubeconfig. */
  readonly subjectOf: (request: ApiRequest) => HeaderList;
  /** Has the last word before another server is asked. */
  readonly gate?: ProxyOptions['gate'];
}
