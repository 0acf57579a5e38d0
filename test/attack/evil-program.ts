/** Backends and webhooks of an attacker: a program of its own, started by evil-servers.ts. */
import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { http1Behaviours } from './evil-http1.ts';
import { http2Behaviours } from './evil-http2.ts';
import { respondToReview, type WebhookBehaviour, webhookBehaviours } from './evil-webhooks.ts';

const [certFile = '', keyFile = ''] = process.argv.slice(2);
const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
const GROUPS = ['evil1.example.com', 'evil2.example.com'] as const;
const HEAD_BYTES_MAX = 4 * 1024 * 1024;

/** Of discovery, by which a backend is found to be available. */
function resources(group: string): string {
  const things = {
    name: 'things',
    singularName: 'thing',
    namespaced: true,
    kind: 'Thing',
    verbs: ['get', 'list', 'watch'],
  };
  const list = {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: `${group}/v1`,
    resources: [things],
  };
  return JSON.stringify(list);
}

/** The last part of the path is what is to happen; everything else is discovery. */
function behaviourOf(path: string): string | undefined {
  const [, name] = /\/namespaces\/[^/]+\/things\/([\w.-]+)/.exec(path) ?? [];
  return name;
}

/** Requests that came without the identity of a user, and how often a marker came as a request of its own. */
const seen = { withoutIdentity: [] as string[], requests: 0 };

const http1 = createTlsServer({ ...pair, ALPNProtocols: ['http/1.1'] }, (socket: TLSSocket) => {
  socket.on('error', () => undefined); // The attacked server leaves whenever it likes.
  const closed = new AbortController();
  socket.on('close', () => closed.abort());
  let retained = '';
  socket.on('data', (bytes: Buffer) => {
    retained = (retained + bytes.toString('latin1')).slice(-HEAD_BYTES_MAX);
    const end = retained.indexOf('\r\n\r\n');
    if (end === -1) return;
    const head = retained.slice(0, end);
    retained = '';
    const [, method = '', path = ''] = /^(\S+) (\S+) HTTP/.exec(head) ?? [];
    note(method, path, /^x-remote-user:/im.test(head));
    const name = behaviourOf(path);
    if (name !== undefined) return void http1Behaviours[name]?.(socket, closed.signal);
    const body = resources(GROUPS[0]);
    const status = path.startsWith(`/apis/${GROUPS[0]}`) ? '200 OK' : '404 Not Found';
    socket.write(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  });
});

const http2 = createSecureServer({ ...pair, maxSendHeaderBlockLength: HEAD_BYTES_MAX });
http2.on('stream', (stream, headers) => {
  stream.on('error', () => undefined); // A reset by the attacked server is an answer as good as any.
  const path = String(headers[':path'] ?? '');
  note(String(headers[':method']), path, headers['x-remote-user'] !== undefined);
  const name = behaviourOf(path);
  try {
    if (name !== undefined) return void http2Behaviours[name]?.(stream);
    const isGroup = path.startsWith(`/apis/${GROUPS[1]}`);
    stream.respond({ ':status': isGroup ? 200 : 404, 'content-type': 'application/json' });
    stream.end(resources(GROUPS[1]));
  } catch (error) {
    process.stderr.write(`${name}: ${String(error)}\n`);
    stream.close(2);
  }
});
http2.on('sessionError', () => undefined); // The attacked server leaves whenever it likes.

function note(method: string, path: string, hasIdentity: boolean): void {
  seen.requests += 1;
  // Probes of availability carry the aggregator's own identity, and are for discovery only.
  if (!hasIdentity && behaviourOf(path) !== undefined)
    seen.withoutIdentity.push(`${method} ${path.slice(0, 100)}`);
}

const webhooks = createServer(pair, (request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => {
    body += text;
  });
  response.on('error', () => undefined); // As above.
  request.on('end', () => {
    if (request.url === '/seen') return void response.end(JSON.stringify(seen));
    const review = parsed(body);
    const wanted = webhookBehaviours.find(
      (name) => request.url === `/${name}` || body.includes(`evil-${name}`),
    );
    respondToReview(wanted ?? defaultFor(request.url), review as never, { request, response });
  });
});

/** Tokens and reviews outside of the attack get plain responses. */
function defaultFor(path: string | undefined): WebhookBehaviour {
  return path === '/authenticate' || path === '/authorize' ? 'no-response' : 'echo';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

const ports: number[] = [];
for (const server of [http1, http2, webhooks]) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ports.push((server.address() as AddressInfo).port);
}
process.stdout.write(`evil servers listen at ${ports.join(' ')}\n`);
