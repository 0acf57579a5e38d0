/** Servers behind both aggregators: one that says what it was asked, and one for each thing that can be wrong. */
import { once } from 'node:events';
import {
  constants,
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import {
  type Authority,
  createAuthority,
  defer,
  eventually,
  freePort,
  httpsRequest,
  type Pki,
  type TestScope,
} from '../../test/harness/index.ts';
import { SAMPLE_SERVER_NAME } from '../stack.ts';

/** Rows say in this header what they want to be answered; nothing of it is said back. */
export const RESPONSE_SPEC = 'x-wish';

/** The response a row asks the backend for. */
export interface ResponseSpec {
  readonly status?: number;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** In place of what was asked. */
  readonly body?: string;
  /** There is no answer: the request waits until its client leaves. */
  readonly silent?: true;
  /** There is no answer: the stream is closed with an error. */
  readonly reset?: true;
}

/** Its group is `NAME.example.com`. */
interface Backend {
  readonly name: string;
  readonly port: number;
  /** Of the registration. */
  readonly trust: { readonly caBundle: string } | { readonly insecureSkipTLSVerify: true };
}

/** A group for each. */
export async function startBackends(scope: TestScope, pki: Pki): Promise<readonly Backend[]> {
  const caBundle = Buffer.from(pki.ca.cert).toString('base64');
  const trust = { caBundle };
  const secure = (own: Serving): Promise<number> =>
    startSecure(scope, { authority: pki.ca, ...own });
  const responding = (status: number): Promise<number> => secure({ probes: { status } });
  const otherName = await secure({ name: 'other.wardle.svc' });
  return [
    { name: 'echo', trust, port: await secure({}) },
    { name: 'refused', trust, port: await freePort() },
    { name: 'wrong-name', trust, port: otherName },
    { name: 'unverified', trust: { insecureSkipTLSVerify: true }, port: otherName },
    {
      name: 'wrong-ca',
      trust,
      port: await secure({ authority: createAuthority('another-ca') }),
    },
    { name: 'no-pem', trust: { caBundle: 'bm90IFBFTQ==' }, port: await secure({}) },
    { name: 'no-tls', trust, port: await startTcp(scope, (socket) => socket.end('no TLS here\n')) },
    { name: 'hangs-up', trust, port: await startTcp(scope, (socket) => socket.destroy()) },
    { name: 'forbids', trust, port: await responding(403) },
    { name: 'unauthorized', trust, port: await responding(401) },
    { name: 'fails', trust, port: await responding(500) },
    { name: 'not-found', trust, port: await responding(404) },
    { name: 'not-modified', trust, port: await responding(304) },
    {
      name: 'redirects',
      trust,
      port: await secure({ probes: { status: 302, headers: [['location', '/elsewhere']] } }),
    },
    { name: 'empty', trust, port: await secure({ probes: { status: 200, body: '' } }) },
    { name: 'accepts', trust, port: await secure({ probes: { status: 202, body: '{}' } }) },
  ];
}

interface Serving {
  readonly authority?: Authority;
  /** The DNS name of the certificate. */
  readonly name?: string;
  /** The response to requests for the resources of the group, which decide its availability. */
  readonly probes?: ResponseSpec;
}

/** Node takes 128, and a user may be in more groups. */
const LINES_MAX = 1_000;

async function startSecure(
  scope: TestScope,
  {
    authority,
    name = SAMPLE_SERVER_NAME,
    probes = {},
  }: Serving & { readonly authority: Authority },
): Promise<number> {
  const serving = authority.issue({ commonName: name, names: [name], usage: 'server' });
  const options = { ...serving, allowHTTP1: true, maxHeaderListPairs: LINES_MAX };
  const server = createSecureServer(options, (request, response) => {
    void result(request, { response, probes }).catch(() => response.destroy());
  });
  return listen(scope, server);
}

function startTcp(scope: TestScope, onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined); // A client may reset its connection at any time.
    onConnection(socket);
  });
  return listen(scope, server);
}

async function listen(scope: TestScope, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('sessionError', () => undefined); // As above.
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  defer(scope, () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

async function result(
  request: Http2ServerRequest,
  { response, probes }: { response: Http2ServerResponse; probes: ResponseSpec },
): Promise<void> {
  const requestedSpec = request.headers[RESPONSE_SPEC];
  const isProbe = /^\/apis\/[^/]+\/v1$/.test(request.url);
  const wanted: ResponseSpec =
    typeof requestedSpec === 'string'
      ? (JSON.parse(requestedSpec) as ResponseSpec)
      : isProbe
        ? probes
        : {};
  const said = await whatWasAsked(request);
  if (wanted.silent) return;
  if (wanted.reset) return response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  const lines: [string, string[]][] = [];
  for (const [name, value] of wanted.headers ?? [['content-type', 'application/json']]) {
    const known = lines.find(([before]) => before === name);
    if (known === undefined) lines.push([name, [value]]);
    else known[1].push(value);
  }
  for (const [name, values] of lines) {
    const [only = '', ...more] = values;
    response.setHeader(name, more.length === 0 ? only : values);
  }
  response.writeHead(wanted.status ?? 200);
  response.end(wanted.body ?? said);
}

/** The request as it arrived; what several lines of one name say is a list, in their order. */
async function whatWasAsked(request: Http2ServerRequest): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method, url: target, rawHeaders } = request;
  const lines: Record<string, string[]> = {};
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase().replace(':authority', 'host');
    if (!LEFT_OUT.has(name)) lines[name] = [...(lines[name] ?? []), rawHeaders[index + 1] ?? ''];
  }
  // HTTP/2 lets a proxy split this header; a recipient joins it.
  if (lines.cookie !== undefined) lines.cookie = [lines.cookie.join('; ')];
  return JSON.stringify({ method, target, lines, body: Buffer.concat(chunks).toString('utf8') });
}

/** Said before, or by the row. */
const LEFT_OUT = new Set([':method', ':path', ':scheme', RESPONSE_SPEC]);

const APISERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';

export interface Front {
  readonly url: string;
  readonly pki: Pki;
}

/** All behind the service of the sample, whose name leads to this machine. */
export async function registerBackends(
  { url, pki }: Front,
  backends: readonly Backend[],
): Promise<void> {
  for (const { name, port, trust } of backends) {
    const group = `${name}.example.com`;
    const [service = '', namespace = ''] = SAMPLE_SERVER_NAME.split('.');
    const { status, body } = await httpsRequest(url + APISERVICES, {
      method: 'POST',
      ca: pki.ca.cert,
      ...pki.admin,
      body: {
        metadata: { name: `v1.${group}` },
        spec: {
          group,
          version: 'v1',
          groupPriorityMinimum: 100,
          versionPriority: 15,
          service: { namespace, name: service, port },
          ...trust,
        },
      },
    });
    if (status !== 201) throw new Error(`${group}: ${status} ${body}`);
  }
  await documentIsWhole({ url, pki }, backends);
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
/** Reads of the document, one after the other, that must be the same. */
const SAME_READS = 10;

/** Servers are asked for their documents one after the other, and rows compare tags of all of them together. */
async function documentIsWhole({ url, pki }: Front, backends: readonly Backend[]): Promise<void> {
  let last = '';
  let same = 0;
  const isWhole = async (): Promise<boolean> => {
    const { body } = await httpsRequest(`${url}/apis`, {
      ca: pki.ca.cert,
      ...pki.admin,
      headers: { accept: AGGREGATED },
    });
    same = body === last ? same + 1 : 0;
    last = body;
    const hasAll = backends.every(({ name }) => body.includes(`"${name}.example.com"`));
    return hasAll && same >= SAME_READS;
  };
  await eventually('the aggregated document is whole', isWhole, { withinMs: 60_000, everyMs: 50 });
}
