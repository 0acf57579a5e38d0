/** Responses of a backend over HTTP/1.1, byte by byte. All of them end by themselves or when the client leaves. */
import type { Socket } from 'node:net';

export type Behaviour = (socket: Socket, closed: AbortSignal) => void | Promise<void>;

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const BODY = '{"kind":"Thing"}';
const LENGTH = `Content-Length: ${BODY.length}\r\n\r\n${BODY}`;
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n`;
const MIB = 1024 * 1024;

const say =
  (...texts: readonly string[]): Behaviour =>
  (socket) => {
    for (const text of texts) socket.write(text, 'latin1');
  };

const sayAndEnd =
  (...texts: readonly string[]): Behaviour =>
  (socket) => {
    for (const text of texts) socket.write(text, 'latin1');
    socket.end();
  };

/** Says something many times, as fast as it is read, and no more often than that. */
const repeat =
  (head: string, text: string, times: number, end = ''): Behaviour =>
  async (socket, closed) => {
    socket.write(head, 'latin1');
    for (let at = 0; at < times && !closed.aborted; at += 1) {
      if (socket.write(text, 'latin1')) {
        if (at % 64 === 0) await new Promise((resolve) => setImmediate(resolve));
        continue;
      }
      await new Promise<void>((resolve) => {
        socket.once('drain', resolve);
        socket.once('close', () => resolve());
      });
    }
    if (!closed.aborted) socket.write(end, 'latin1');
  };

const interim = (lines: string): Behaviour =>
  say(`HTTP/1.1 103 Early Hints\r\n${lines}\r\n`, OK, LENGTH);
const trailing = (lines: string): Behaviour => say(`${CHUNKED}\r\n2\r\n{}\r\n0\r\n${lines}\r\n`);
const headed = (lines: string): Behaviour => say(`${OK}${lines}${LENGTH}`);

export const http1Behaviours: Readonly<Record<string, Behaviour>> = {
  'interim-tk-twice': interim('TK: ?\r\nTK: !\r\n'),
  'interim-http2-settings': interim('HTTP2-Settings: AAMAAABkAAQAAP__\r\n'),
  'interim-constructor': interim('constructor: x\r\n'),
  'interim-proto': interim('__proto__: x\r\n'),
  'interim-connection': interim('Connection: close\r\nKeep-Alive: x\r\nUpgrade: y\r\n'),
  'interim-status': interim(':status: 500\r\n'),
  'interim-100': say('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n', OK, LENGTH),
  'interim-101': say(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    'xxx',
  ),
  'interim-102': say('HTTP/1.1 102 Processing\r\n\r\n', OK, LENGTH),
  'interim-199': say('HTTP/1.1 199 x\r\n\r\n', OK, LENGTH),
  'interim-flood': repeat(
    '',
    'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n',
    20_000,
  ),
  'trailers-tk-twice': trailing('TK: ?\r\nTK: !\r\n'),
  'trailers-http2-settings': trailing('HTTP2-Settings: AAMAAABkAAQAAP__\r\n'),
  'trailers-proto': trailing('__proto__: x\r\nconstructor: y\r\ntoString: z\r\n'),
  'trailers-status': trailing(':status: 500\r\n'),
  'trailers-connection': trailing(
    'Connection: close\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n',
  ),
  'trailers-flood': trailing('A: b\r\n'.repeat(20_000)),
  'final-http2-settings': headed('HTTP2-Settings: AAMAAABkAAQAAP__\r\n'),
  'final-tk-twice': headed('TK: ?\r\nTK: !\r\n'),
  'final-content-md5-twice': headed('Content-MD5: a\r\nContent-MD5: b\r\n'),
  'final-constructor': headed('constructor: x\r\n__proto__: y\r\nhasOwnProperty: z\r\n'),
  'final-control-byte': headed('X-A: a\x01b\r\n'),
  'final-nul': headed('X-A: a\0b\r\n'),
  'final-latin1': headed('X-A: \xe9\xff\r\n'),
  'final-pseudo': headed(':status: 500\r\n:path: /\r\n'),
  'final-folded': headed('X-A: a\r\n b\r\n'),
  'final-bare-cr': headed('X-A: a\rb\r\n'),
  'final-empty-name': headed(': a\r\n'),
  'final-upper-hop': headed('CONNECTION: X-A, TE\r\nX-A: b\r\nPROXY-CONNECTION: x\r\nTE: x\r\n'),
  'final-cookies': headed('Set-Cookie: a=b\r\n'.repeat(4000)),
  'final-6000-lines': headed('X-A: b\r\n'.repeat(6000)),
  'final-2-mib-head': headed(`X-A: ${'a'.repeat(2 * MIB)}\r\n`),
  'final-900-kib-line': headed(`X-A: ${'a'.repeat(900 * 1024)}\r\n`),
  'endless-head': repeat(OK, 'X-A: b\r\n', 200_000),
  redirect: say(
    'HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n',
  ),
  unauthorized: say('HTTP/1.1 401 x\r\nWWW-Authenticate: Negotiate\r\nContent-Length: 0\r\n\r\n'),
  'too-many': say('HTTP/1.1 429 x\r\nRetry-After: 1000000\r\nContent-Length: 0\r\n\r\n'),
  'status-99': say('HTTP/1.1 99 x\r\nContent-Length: 0\r\n\r\n'),
  'status-600': say('HTTP/1.1 600 x\r\nContent-Length: 0\r\n\r\n'),
  'status-999': say('HTTP/1.1 999 \xff\r\nContent-Length: 0\r\n\r\n'),
  'no-status': sayAndEnd('hello\r\n\r\n'),
  'http-0.9': sayAndEnd('<html>hello</html>'),
  'http-1.0': sayAndEnd('HTTP/1.0 200 OK\r\n\r\n{}'),
  'http-2.0': sayAndEnd('HTTP/2.0 200 OK\r\n\r\n'),
  'only-line-feeds': say(`HTTP/1.1 200 OK\nContent-Length: ${BODY.length}\n\n${BODY}`),
  'both-lengths': say(`${CHUNKED}Content-Length: 3\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
  'two-lengths': say(`${OK}Content-Length: 2\r\nContent-Length: 20\r\n\r\n{}`),
  'negative-length': say(`${OK}Content-Length: -1\r\n\r\n{}`),
  'huge-length': sayAndEnd(`${OK}Content-Length: 99999999999\r\n\r\n{}`),
  'short-body': sayAndEnd(`${OK}Content-Length: 100\r\n\r\n{}`),
  'no-chunk-size': say(`${CHUNKED}\r\nxyz\r\n`),
  'huge-chunk-size': say(`${CHUNKED}\r\nfffffffffffffff\r\n{}`),
  'endless-chunk-size': repeat(`${CHUNKED}\r\n`, '0', 100_000),
  'chunk-extensions': repeat(`${CHUNKED}\r\n`, `1;${'a'.repeat(4000)}\r\nx\r\n`, 2000, '0\r\n\r\n'),
  'one-byte-chunks': repeat(`${CHUNKED}\r\n`, '1\r\nx\r\n', 100_000, '0\r\n\r\n'),
  'gzip-chunked': say(`${OK}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
  'stalls-in-body': say(`${CHUNKED}\r\n2\r\n{}\r\n`),
  'stalls-in-head': say(`${OK}X-A: `),
  stalls: () => undefined,
  closes: (socket) => void socket.end(),
  resets: (socket) => void socket.resetAndDestroy(),
  'resets-in-body': (socket) => {
    socket.write(`${CHUNKED}\r\n2\r\n{}\r\n`, () => socket.resetAndDestroy());
  },
  'two-responses': say(
    `${OK}${LENGTH}`,
    'HTTP/1.1 200 OK\r\nX-Poison: 1\r\nContent-Length: 8\r\n\r\npoisoned',
  ),
  'no-content-with-body': say('HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello'),
  'not-modified-with-body': say('HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nhello'),
  'bad-gzip': say(`${OK}Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello`),
  'unknown-encoding': headed('Content-Encoding: x, y, z\r\n'),
  'large-body': repeat(`${OK}Content-Length: ${64 * MIB}\r\n\r\n`, 'x'.repeat(64 * 1024), 1024),
  'binary-type': headed('Content-Type: \xff\xfe\r\nContent-Type: application/json\r\n'),
  'keep-alive-0': headed('Keep-Alive: timeout=0, max=0\r\nConnection: keep-alive\r\n'),
  'odd-dates': headed(
    'Date: yesterday\r\nAge: -1\r\nExpires: 0\r\nAudit-Id: x\r\nCache-Control: public\r\n',
  ),
  'broken-watch': say(`${CHUNKED}\r\n5\r\n{"typ\r\n`),
  'watch-flood': repeat(`${CHUNKED}\r\n`, '12\r\n{"type":"ADDED"}\r\n\r\n', 100_000, '0\r\n\r\n'),
};
