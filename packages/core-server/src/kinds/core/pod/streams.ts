/** The exec, attach and portforward subresources, proxied to the kubelet. */

import type { Pod } from '@tributary/api/core-v1';
import { badRequest, forbidden, goQuote } from '@tributary/apimachinery';
import type { ApiRequest, Authorizer, ConnectInput } from '@tributary/server';
import { forward } from '../shared/proxy/forward.ts';
import type { AddressRule } from '../shared/proxy/reachable-address.ts';
import { containerOf } from './container-of.ts';
import { kubeletLocation } from './kubelet-location.ts';

export interface StreamParts {
  readonly authorize: Authorizer;
  readonly isAllowed: AddressRule;
}

interface Stream {
  readonly kind: string;
  /** The path of the kubelet's API. */
  readonly path: string;
  /** The stream is that of a container, not of the pod. */
  readonly hasContainer: boolean;
  /** The query for the kubelet; throws for values that cannot be parsed. */
  readonly query: (query: URLSearchParams) => URLSearchParams;
}

const STREAMS: Readonly<Record<'attach' | 'exec' | 'portforward', Stream>> = {
  attach: { kind: 'PodAttachOptions', path: 'attach', hasContainer: true, query: streamQuery },
  exec: {
    kind: 'PodExecOptions',
    path: 'exec',
    hasContainer: true,
    query: (query) => {
      const requested = streamQuery(query);
      for (const word of query.getAll('command')) requested.append('command', word);
      return requested;
    },
  },
  portforward: {
    kind: 'PodPortForwardOptions',
    path: 'portForward',
    hasContainer: false,
    query: portQuery,
  },
};

export function podStreams(parts: StreamParts): Record<keyof typeof STREAMS, ConnectInput<Pod>> {
  const connection = (stream: Stream) => streamConnection(stream, parts);
  return {
    attach: connection(STREAMS.attach),
    exec: connection(STREAMS.exec),
    portforward: connection(STREAMS.portforward),
  };
}

function streamConnection(
  stream: Stream,
  { authorize, isAllowed }: StreamParts,
): ConnectInput<Pod> {
  return {
    kind: { group: '', version: 'v1', kind: stream.kind },
    before: async (request) => {
      stream.query(request.query); // Upstream reports values that cannot be parsed before authorization.
      await requireCreate(request, authorize);
    },
    connect: async (connection) => {
      const { object, request } = connection;
      const { name = '', namespace = '' } = object.metadata;
      const query = stream.query(request.query).toString();
      const container = stream.hasContainer
        ? `/${containerOf(object, request.query.get('container') ?? '')}`
        : '';
      const fieldPath = await kubeletLocation(connection, isAllowed);
      if (fieldPath === undefined) throw badRequest(`pod ${name} does not have a host assigned`);
      const path = `/${stream.path}/${namespace}/${name}${container}`;
      const target = query === '' ? path : `${path}?${query}`;
      return forward(request, { ...fieldPath, target }, { upgradeRequired: true });
    },
  };
}

/** Every method requires `create`: a GET that upgrades runs commands too. */
async function requireCreate(
  { info, user, cancellation }: ApiRequest,
  authorize: Authorizer,
): Promise<void> {
  if (info.verb === 'create') return;
  const access = { user, cancellation, info: { ...info, verb: 'create' } };
  const decision = await authorize(access);
  if (decision.allowed) return;
  const { group, resource, name } = info;
  throw forbidden({ group, resource }, name, decision.reason ?? '');
}

function streamQuery(query: URLSearchParams): URLSearchParams {
  const requested = new URLSearchParams();
  const wanted = { stdin: 'input', stdout: 'output', stderr: 'error', tty: 'tty' };
  // Without these parameters, stdout and stderr are on.
  for (const [name, kubelets] of Object.entries(wanted)) {
    const isDefault = !query.has(name) && (name === 'stdout' || name === 'stderr');
    if (isDefault || isTrue(query.get(name))) requested.set(kubelets, '1');
  }
  return requested;
}

function portQuery(query: URLSearchParams): URLSearchParams {
  const ports = query.getAll('ports').flatMap((value) => value.split(','));
  const requested = new URLSearchParams();
  for (const port of ports) {
    if (!/^\d+$/.test(port)) {
      const message = `strconv.ParseUint: parsing ${goQuote(port)}: invalid syntax`;
      throw badRequest(`cannot convert to []int32: ${message}`);
    }
  }
  if (ports.length > 0) requested.set('port', ports.join(','));
  return requested;
}

function isTrue(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}
