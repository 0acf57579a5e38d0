/** A server behind an aggregator that speaks another protocol: it says back what it hears. */
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createAuthority, defer, type TestScope } from '../harness/index.ts';

export interface EchoServer {
  readonly url: string;
  readonly ca: string;
  /** Of every request and upgrade, newest last. */
  readonly received: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
}

export interface EchoOptions {
  /** Groups of which it serves version v1. */
  readonly groups: readonly string[];
  /** Requests of one group need this credential. */
  readonly strict?: { readonly group: string; readonly authorization: string };
}

export async function startEcho(scope: TestScope, options: EchoOptions): Promise<EchoServer> {
  const authority = createAuthority('echo-ca');
  const pair = authority.issue({
    commonName: 'echo',
    names: ['127.0.0.1', 'echo.team.svc'],
    usage: 'server',
  });
  const received: { path: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer({ ...pair, requestCert: true, rejectUnauthorized: false });
  server.on('request', ({ url: path = '', headers }, response) => {
    received.push({ path, headers });
    const result = (code: number, body: object) => {
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const { strict } = options;
    const isStrict = strict !== undefined && path.startsWith(`/apis/${strict.group}/`);
    if (isStrict && headers.authorization !== strict.authorization) {
      return result(401, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 401 });
    }
    const group = options.groups.find((one) => path === `/apis/${one}/v1`);
    if (group !== undefined) return result(200, resourcesOf(group));
    return result(404, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404 });
  });
  const sockets = new Set<Duplex>();
  server.on('upgrade', ({ url: path = '', headers }, socket: Duplex) => {
    received.push({ path, headers });
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => {}));
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n',
    );
    socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  defer(scope, async () => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}`, ca: authority.cert, received };
}

function resourcesOf(group: string): object {
  const echoes = { singularName: 'echo', namespaced: true, kind: 'Echo' };
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: `${group}/v1`,
    resources: [
      { ...echoes, name: 'echoes', verbs: ['get'] },
      { ...echoes, name: 'echoes/exec', singularName: '', verbs: ['create', 'get'] },
    ],
  };
}
