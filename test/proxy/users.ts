/** Everything that forwards requests, each in front of the same backend. */

import type { Client } from '@tributary/client';
import { isForwardedLongRunning } from '@tributary/proxy';
import {
  type ConnectInput,
  createServer,
  defineApi,
  defineResource,
  version,
} from '@tributary/server';
import { startTestServer } from '@tributary/server/testing';
import { openMemoryStorage, systemClock } from '@tributary/storage';
import Type from 'typebox';
import { openCluster } from '../../packages/aggregator/src/standalone/cluster.ts';
import { forwardRoute } from '../../packages/aggregator/src/standalone/forward-route.ts';
import {
  admin,
  backendsAt,
  flunders,
  registration,
  startProxy,
} from '../../packages/aggregator/test/proxy-fixture.ts';
import { podProxy } from '../../packages/core-server/src/kinds/core/pod/proxy.ts';
import { serviceProxy } from '../../packages/core-server/src/kinds/core/service/proxy.ts';
import { nodeProxy } from '../../packages/core-server/src/kinds/core/shared/proxy/node-proxy.ts';
import { defer, type Pki, type TestScope } from '../harness/index.ts';

/** The server that forwards. */
export interface Front {
  readonly port: number;
  readonly ca: string;
  /** Is forwarded, with everything below it. */
  readonly path: string;
  readonly authorization: readonly string[];
}

export interface ProxyUser {
  readonly name: string;
  /** The backend has TLS. */
  readonly tls: boolean;
  start(t: TestScope, backendPort: number, pki: Pki): Promise<Front>;
}

const TOKEN = 'client-secret';

export const proxyUsers: readonly ProxyUser[] = [
  {
    name: 'aggregator',
    tls: true,
    async start(t, port, pki) {
      const backends = backendsAt(port);
      const proxy = await startProxy({ pki, backends, registrations: [registration()] });
      defer(t, async () => proxy[Symbol.asyncDispose]());
      const { port: frontPort } = new URL(proxy.url);
      return front(Number(frontPort), pki.ca.cert, flunders, TOKEN);
    },
  },
  {
    name: 'stand-alone aggregator',
    tls: true,
    async start(t, port, pki) {
      const server = `https://localhost:${port}`;
      const ca = { pem: pki.ca.cert };
      const config = { server, ca, identity: {}, namespace: 'default' };
      const cluster = openCluster(config, { clock: systemClock });
      const storage = openMemoryStorage();
      const listening = await createServer([], {
        storage,
        serving: pki.server,
        authenticator: () => ({ outcome: 'authenticated', user: admin }),
        authorizer: () => ({ allowed: true }),
        routes: [forwardRoute({ cluster, subjectOf: () => [], isLocal: () => false })],
        isLongRunning: isForwardedLongRunning,
        reportBug: () => {},
      }).listen();
      defer(t, async () => {
        await listening.close();
        await cluster.close();
        await storage.close();
      });
      return front(Number(new URL(listening.url).port), pki.ca.cert, '/api/v1/pods', TOKEN);
    },
  },
  {
    name: 'pods/proxy',
    tls: false,
    start: (t, port) =>
      startKind(t, { kind: 'Pod', plural: 'pods' }, podProxy(isAllowed) as never, `a:${port}`),
  },
  {
    name: 'nodes/proxy',
    tls: true,
    start: (t, port) =>
      startKind(
        t,
        { kind: 'Node', plural: 'nodes' },
        nodeProxy(isAllowed) as never,
        `https:a:${port}`,
      ),
  },
  {
    name: 'services/proxy',
    tls: false,
    start: (t, port) => {
      const parts = { client: () => endpointsAt(port), isAllowed, primaryFamily: 'IPv4' } as const;
      const proxy = serviceProxy(parts) as never;
      return startKind(t, { kind: 'Service', plural: 'services' }, proxy, 'a:web');
    },
  },
];

const isAllowed = () => true;

function front(port: number, ca: string, path: string, token: string): Front {
  return { port, ca, path, authorization: [`Authorization: Bearer ${token}`] };
}

/** A kind with the proxy of the product, and one object whose address is that of this machine. */
async function startKind(
  t: TestScope,
  { kind, plural }: { readonly kind: string; readonly plural: string },
  proxy: ConnectInput<never>,
  name: string,
): Promise<Front> {
  const resource = defineResource({
    ...{ kind, plural, scope: 'Cluster' },
    subresources: { connections: { proxy } },
    versions: { v1: version({ spec: Type.Any(), status: Type.Any() }) },
  } as never);
  const api = defineApi({ group: '', builtIn: true, resources: [resource] } as never);
  const server = await startTestServer(api);
  defer(t, () => server.close());
  const path = `/api/v1/${plural}`;
  const body = {
    metadata: { name: 'a' },
    spec: { ports: [{ port: 80, name: 'web' }] },
    status: {
      podIPs: [{ ip: '127.0.0.1' }],
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    },
  };
  await server.request('POST', path, { body });
  await server.request('PUT', `${path}/a/status`, { body });
  const listening = await server.listen();
  return front(listening.port, listening.ca, `${path}/${name}/proxy/`, listening.token);
}

/** The objects that a service's proxy reads: one slice with one pod. */
function endpointsAt(port: number): Client {
  const targetRef = { name: 'a', namespace: '' };
  const endpoints = [{ addresses: ['127.0.0.1'], conditions: { ready: true }, targetRef }];
  const slice = { addressType: 'IPv4', ports: [{ name: 'web', port }], endpoints };
  const pod = { status: { podIPs: [{ ip: '127.0.0.1' }] } };
  const resource = { listAll: async () => ({ items: [slice] }), get: async () => pod };
  return { resource: () => ({ in: () => resource }) } as never;
}
