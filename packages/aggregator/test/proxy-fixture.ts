import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Backends, FrontProxyIdentity } from '@tributary/proxy';
import { defaultBackendLimits, isForwardedLongRunning, openBackends } from '@tributary/proxy';
import {
  createServer,
  parseAuditPolicy,
  type ServerConfig,
  type UserInfo,
} from '@tributary/server';
import { openMemoryStorage, systemClock } from '@tributary/storage';
import {
  createPki,
  httpsRequest,
  httpsStream,
  type Pki,
  type RequestOptions,
  type Response,
  type StreamResponse,
} from '../../../test/harness/index.ts';
import type { Registration } from '../src/api-services/registration.ts';
import type { AvailabilityState } from '../src/availability/availability.ts';
import { proxyMetrics } from '../src/proxy/proxy-metrics.ts';
import { type ProxyOptions, proxyRoute } from '../src/proxy/proxy-route.ts';

/** Of the client in front, and of the server behind. */
export const PROTOCOLS = [
  { http: '1.1', behind: '1.1' },
  { http: '1.1', behind: '2' },
  { http: '2', behind: '1.1' },
  { http: '2', behind: '2' },
] as const;

export const flunders = '/apis/wardle.example.com/v1alpha1/flunders';

export function registration(more: Partial<Registration> = {}): Registration {
  return {
    name: 'v1alpha1.wardle.example.com',
    uid: 'u',
    group: 'wardle.example.com',
    version: 'v1alpha1',
    groupPriorityMinimum: 1000,
    versionPriority: 15,
    remote: {
      service: { namespace: 'wardle', name: 'api', port: 443 },
      url: undefined,
      caBundle: undefined,
      insecureSkipTlsVerify: false,
      limits: defaultBackendLimits,
      forwardsToken: false,
    },
    ...more,
  };
}

export const admin: UserInfo = {
  name: 'admin',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

export interface ProxyFixture extends AsyncDisposable {
  readonly url: string;
  readonly pki: Pki;
  readonly backend: Server;
  /** Errors that the front reported as bugs. */
  readonly bugs: unknown[];
  readonly auditLines: string[];
  request(path: string, options?: RequestOptions): Promise<Response>;
  stream(path: string, options?: RequestOptions): Promise<StreamResponse>;
  /** Ends what the front serves, as at the end of the program. */
  closeFront(): Promise<void>;
}

export interface FixtureOptions {
  /** The highest HTTP version of the backend. Default: HTTP/1.1. */
  readonly behind?: '1.1' | '2';
  readonly behaviour?: Behaviour;
  readonly user?: UserInfo;
  readonly pki?: Pki;
  readonly refusal?: AvailabilityState;
  readonly availability?: Partial<ProxyOptions['availability']>;
  readonly registrations?: readonly Registration[];
  readonly backends?: Pick<Backends, 'of'> & Partial<Backends>;
  readonly proxy?: Partial<ProxyOptions>;
  readonly config?: Partial<ServerConfig>;
}

const POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules: [{ level: 'RequestResponse' }],
};

/** A server of ours in front, one of another maker behind it, and TLS between all of them. */
export async function startProxy(options: FixtureOptions = {}): Promise<ProxyFixture> {
  const { pki = createPki() } = options;
  const backend = await startBackend(pki, options);
  const { port } = backend.address() as AddressInfo;
  const known = (options.registrations ?? [registration()]).map((one) => believing(one, pki));
  const backends = options.backends ?? backendsAt(port);
  const bugs: unknown[] = [];
  const auditLines: string[] = [];
  const metrics = proxyMetrics();
  const route = proxyRoute({
    registrations: {
      current: {
        all: known,
        byName: (name) => known.find((one) => one.name === name),
        byGroupVersion: (group, wanted) =>
          known.find((one) => one.group === group && one.version === wanted),
      },
    },
    backends,
    availability: {
      refusal: () => options.refusal,
      onChange: () => () => {},
      ...options.availability,
    },
    clock: systemClock,
    metrics,
    ...options.proxy,
  });
  const storage = openMemoryStorage();
  const front = await createServer([], {
    storage,
    serving: pki.server,
    authenticator: () => ({ outcome: 'authenticated', user: options.user ?? admin }),
    authorizer: () => ({ allowed: true }),
    routes: [route],
    isLongRunning: isForwardedLongRunning,
    reportBug: (error) => bugs.push(error),
    registerMetrics: (registry) => metrics.register(registry),
    audit: {
      policy: parseAuditPolicy(POLICY).policy,
      destination: {
        write: async (text: string) => void auditLines.push(...text.trimEnd().split('\n')),
        close: async () => {},
      },
    },
    ...options.config,
  }).listen();
  const tls = { ca: pki.ca.cert };
  return {
    url: front.url,
    pki,
    backend,
    bugs,
    auditLines,
    request: (path, more) => httpsRequest(front.url + path, { ...tls, ...more }),
    stream: (path, more) => httpsStream(front.url + path, { ...tls, ...more }),
    closeFront: () => front.close(),
    [Symbol.asyncDispose]: async () => {
      await front.close();
      await backends.close?.(); // it may be making a connection, which would keep the other side open
      backend.closeAllConnections();
      await new Promise((resolve) => backend.close(resolve));
      await storage.close();
    },
  };
}

/** Adds the CA of the test to a registration. */
function believing(one: Registration, { ca }: Pki): Registration {
  return one.remote === undefined ? one : { ...one, remote: { ...one.remote, caBundle: ca.cert } };
}

/** One process behind, at that port. */
export function backendsAt(port: number, identity?: FrontProxyIdentity): Backends {
  const targets = [{ host: '127.0.0.1', port, serverName: 'localhost' }];
  return openBackends({
    findTargets: () => ({ targets }),
    identity: () => identity,
    onEvidence() {},
    clock: systemClock,
  });
}

async function startBackend(
  pki: Pki,
  { behaviour = echo, behind = '1.1' }: FixtureOptions,
): Promise<Server> {
  const { cert, key } = pki.server;
  const settings = { cert, key, maxHeaderSize: 1024 * 1024 };
  // Node's HTTP/2 has nearly the same failures.
  const server =
    behind === '1.1'
      ? createHttpsServer(settings, behaviour)
      : (createSecureServer(
          { ...settings, allowHTTP1: true },
          behaviour as never,
        ) as never as Server);
  server.maxHeadersCount = 5000;
  const sockets = new Set<Socket>();
  server.on('secureConnection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
  });
  // Also those that have left HTTP.
  server.closeAllConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** A request as the backend received it, which is also its response. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly lines: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

export const echo: Behaviour = async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const lines: [string, string][] = [];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    lines.push([request.rawHeaders[at] ?? '', request.rawHeaders[at + 1] ?? '']);
  }
  const asked: Asked = {
    method: request.method ?? '',
    url: request.url ?? '',
    lines,
    body: Buffer.concat(chunks).toString(),
  };
  const text = JSON.stringify(asked);
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
};

export function asked(response: Response): Asked {
  return response.json() as Asked;
}

export function valuesOf({ lines }: Asked, name: string): string[] {
  return lines.filter(([candidate]) => candidate.toLowerCase() === name).map(([, value]) => value);
}
