import type { ClientConfig, Clock, Exchange } from '@tributary/client';
import {
  Connections,
  type Endpoint,
  type PoolLimits,
  requestUpgrade,
} from '@tributary/client/connections';
import { createCredentials, pemReader } from '@tributary/client/credentials';
import type { Target } from '@tributary/proxy';
import {
  type Backend,
  BackendFailure,
  type BackendRequest,
  type BackendResponse,
  type BackendServer,
  defaultBackendLimits,
  defaultConnectionLimits,
  explainFailure,
  headerValue,
  mayRetry,
  type UpgradeResponse,
} from '@tributary/proxy';
import { clusterHeaders } from './cluster-headers.ts';

/** The kube-apiserver that everything else is passed on to, as the user of a kubeconfig. */
export interface Cluster extends Backend, AsyncDisposable {
  /** As in the kubeconfig. */
  readonly url: string;
  /** The bearer token of the user, when the kubeconfig has one. May run a plugin. */
  bearerToken(): Promise<string | undefined>;
  /** Cuts everything that is under way. Twice is harmless. */
  close(): Promise<void>;
}

type Use = BackendRequest['use'];
type Credential = Awaited<ReturnType<ReturnType<typeof createCredentials>['current']>>;
type Wire = Parameters<typeof requestUpgrade>[1];

const CONNECTIONS_MAX = 128;
const BEARER = /^Bearer (.+)$/;

export function openCluster(config: ClientConfig, { clock }: { readonly clock: Clock }): Cluster {
  const url = new URL(config.server);
  const target = targetOf(url, config);
  const prefix = url.pathname.replace(/\/$/, '');
  const credentials = createCredentials(config.identity, { clock });
  const ca = config.ca === undefined ? undefined : pemReader(config.ca, clock);
  const limits: PoolLimits = { ...defaultConnectionLimits, connectionsMax: CONNECTIONS_MAX };
  const upgradeLimits = { ...limits, headTimeoutMs: defaultConnectionLimits.upgradeTimeoutMs };
  let pool: Pool | undefined;
  let retired: Connections[] = [];
  let isClosed = false;

  /** Connections are bound to the certificate that they were made with. */
  const poolFor = ({ certificate }: Credential): Pool => {
    if (isClosed) throw stopping();
    if (pool !== undefined && pool.certificate === certificate) return pool;
    const before = Object.values(pool?.connections ?? {});
    for (const connections of before) connections.retire();
    retired = [...retired, ...before].filter(({ isDone }) => !isDone);
    pool = { certificate, connections: {}, endpoint: endpointOf(url, target, settings) };
    return pool;
    async function settings() {
      return {
        ...(ca !== undefined && { ca: await ca() }),
        ...(certificate && { cert: certificate.certificate, key: certificate.key }),
        ...(config.tlsServerName !== undefined && { serverName: config.tlsServerName }),
        ...(config.insecureSkipTlsVerify === true && { insecureSkipVerify: true }),
      };
    }
  };

  const wireOf = (request: BackendRequest, credential: Credential): Wire => ({
    method: request.method,
    path: `${prefix}${request.path}`,
    headers: clusterHeaders(request.headers, credential.headers),
    body: request.body,
    signal: request.signal,
    subject: `${request.method} ${config.server}`,
    onInterim: request.onInterim,
  });

  /** Once more where that can do no harm: credentials may have run out, and kept connections may be gone. */
  const withRetry = async <T>(
    request: BackendRequest,
    attempt: (pool: Pool, wire: Wire) => Promise<T>,
    statusOf: (outcome: T) => { readonly status: number; cancel(): void } | undefined,
  ): Promise<T> => {
    request.signal.throwIfAborted();
    const credential = await credentials.current();
    try {
      const outcome = await attempt(poolFor(credential), wireOf(request, credential));
      const response = statusOf(outcome);
      if (response?.status !== 401 || !(await credentials.refresh(credential))) return outcome;
      if (request.body !== undefined) return outcome; // it is gone; the next request has the new ones
      response.cancel();
    } catch (error) {
      const failure = explainFailure(error, target);
      const isLost = failure instanceof BackendFailure && !mayRetry(request, failure).sameTarget;
      if (isLost || !(failure instanceof BackendFailure)) throw failure;
    }
    try {
      const renewed = await credentials.current();
      return await attempt(poolFor(renewed), wireOf(request, renewed));
    } catch (error) {
      throw explainFailure(error, target);
    }
  };

  const responseOf = ({
    status,
    rawHeaders,
    body,
    trailers,
    cancel,
  }: Exchange): BackendResponse => ({
    status,
    headers: rawHeaders,
    body,
    ...(trailers && { trailers }),
    target,
    cancel,
  });

  const send = async (request: BackendRequest): Promise<BackendResponse> =>
    responseOf(
      await withRetry(
        request,
        (current, wire) => connectionsFor(current, request.use, limits).open(wire),
        (exchange) => exchange,
      ),
    );

  const upgrade = async (request: BackendRequest): Promise<UpgradeResponse> => {
    const outcome = await withRetry(
      request,
      (current, wire) => requestUpgrade(current.endpoint, wire, upgradeLimits),
      (opened) => (opened.kind === 'response' ? opened.exchange : undefined),
    );
    if (outcome.kind === 'response') return { kind: 'response', ...responseOf(outcome.exchange) };
    const { head, connection } = outcome;
    return { kind: 'upgraded', status: 101, head, connection, target };
  };

  const close = async (): Promise<void> => {
    isClosed = true;
    for (const connections of [...Object.values(pool?.connections ?? {}), ...retired]) {
      connections.destroy();
    }
  };

  return {
    url: config.server,
    server: THE_CLUSTER,
    send,
    upgrade,
    dropIdle() {
      for (const connections of Object.values(pool?.connections ?? {})) connections.closeIdle();
    },
    async bearerToken() {
      const { headers } = await credentials.current();
      return BEARER.exec(headerValue(headers, 'authorization') ?? '')?.[1];
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Each use has connections of its own: watches never starve a GET. */
interface Pool {
  readonly certificate: Credential['certificate'];
  readonly endpoint: Endpoint;
  readonly connections: { [use in Use]?: Connections };
}

function connectionsFor({ connections, endpoint }: Pool, use: Use, limits: PoolLimits) {
  const found = connections[use] ?? new Connections(endpoint, limits);
  connections[use] = found;
  return found;
}

function targetOf(url: URL, { tlsServerName }: ClientConfig): Target {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const standard = url.protocol === 'https:' ? 443 : 80;
  const port = url.port === '' ? standard : Number(url.port);
  return { host, port, serverName: tlsServerName ?? host };
}

function endpointOf(url: URL, { host, port }: Target, settings: Endpoint['tls']): Endpoint {
  return { host, port, origin: url.origin, tls: url.protocol === 'https:' ? settings : undefined };
}

function stopping(): BackendFailure {
  const message = 'the aggregator is stopping, and makes no new connections';
  return new BackendFailure(message, { hop: 'connect', maybeProcessed: false });
}

/** The name of the cluster where servers have the names of their registrations. */
const THE_CLUSTER: BackendServer = {
  name: 'the cluster',
  uid: '',
  remote: {
    service: { namespace: 'default', name: 'kubernetes', port: 443 },
    url: undefined,
    caBundle: undefined,
    insecureSkipTlsVerify: false,
    limits: defaultBackendLimits,
  },
};
