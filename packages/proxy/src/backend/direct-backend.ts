import type { Exchange } from '@tributary/client';
import {
  Connections,
  type Endpoint,
  requestUpgrade,
  type UpgradeLimits,
} from '@tributary/client/connections';
import type { BackendRequest, BackendResponse, RequestSender } from './backend.ts';
import { addressOf } from './explain-failure.ts';
import { defaultConnectionLimits } from './open-backends.ts';
import type { Target } from './target.ts';

export interface DirectBackendOptions {
  readonly scheme: 'http' | 'https';
  /** The `Host` of requests; empty: that of the target. */
  readonly authority: string;
}

/** The kubelet gives its container runtime two minutes (`runtimeRequestTimeout`) before it changes the protocol. */
const limits: UpgradeLimits & typeof defaultConnectionLimits = {
  ...defaultConnectionLimits,
  connectTimeoutMs: 30_000,
  headTimeoutMs: 120_000,
};

/**
 * A backend at one address, with a connection of its own for each request, no retries and no limits. As upstream, its
 * certificate is not verified: pods have certificates of unknown authorities. Rejects with a TransportError.
 */
export function directBackend(target: Target, options: DirectBackendOptions): RequestSender {
  const endpoint = endpointOf(target, options);
  return {
    async send(request) {
      const connections = new Connections(endpoint, { ...limits, connectionsMax: 1 });
      try {
        return responseOf(await connections.open(wireOf(request, target)), target);
      } finally {
        connections.retire();
      }
    },
    async upgrade(request) {
      const outcome = await requestUpgrade(endpoint, wireOf(request, target), limits);
      if (outcome.kind === 'response') {
        return { kind: 'response', ...responseOf(outcome.exchange, target) };
      }
      const { head, connection } = outcome;
      return { kind: 'upgraded', status: 101, head, connection, target };
    },
  };
}

function endpointOf(target: Target, { scheme, authority }: DirectBackendOptions): Endpoint {
  const { host, port, serverName } = target;
  return {
    host,
    port,
    origin: `${scheme}://${addressOf(target)}`,
    ...(authority !== '' && { authority }),
    tls: scheme === 'https' ? async () => ({ serverName, insecureSkipVerify: true }) : undefined,
  };
}

function wireOf(request: BackendRequest, target: Target): Parameters<typeof requestUpgrade>[1] {
  const { method, path, headers, headersFor, body, signal, onInterim } = request;
  return {
    method,
    path,
    headers: headersFor === undefined ? headers : [...headers, ...headersFor(target)],
    body,
    signal,
    subject: `${method} ${addressOf(target)}`,
    onInterim,
  };
}

function responseOf(exchange: Exchange, target: Target): BackendResponse {
  const { status, rawHeaders, body, trailers, cancel } = exchange;
  return {
    status,
    headers: rawHeaders,
    body,
    ...(trailers !== undefined && { trailers }),
    target,
    cancel,
  };
}
