/** Responses of a backend over HTTP/2 from a permissive library. */
import type { ServerHttp2Stream } from 'node:http2';

export type StreamBehaviour = (stream: ServerHttp2Stream) => void | Promise<void>;

const JSON_HEAD = { ':status': 200, 'content-type': 'application/json' };
const MIB = 1024 * 1024;

const interim =
  (headers: Record<string, string>, times = 1): StreamBehaviour =>
  (stream) => {
    for (let at = 0; at < times && !stream.destroyed; at += 1) {
      stream.additionalHeaders({ ':status': 103, ...headers });
    }
    stream.respond(JSON_HEAD);
    stream.end('{}');
  };

const trailing =
  (headers: Record<string, string>): StreamBehaviour =>
  (stream) => {
    stream.respond(JSON_HEAD, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers(headers));
    stream.end('{}');
  };

const headed =
  (headers: Record<string, string | number>, body = '{}'): StreamBehaviour =>
  (stream) => {
    stream.respond({ ...JSON_HEAD, ...headers });
    stream.end(body);
  };

const pieces =
  (piece: string, times: number): StreamBehaviour =>
  async (stream) => {
    stream.respond(JSON_HEAD);
    for (let at = 0; at < times && !stream.destroyed; at += 1) {
      if (stream.write(piece)) {
        if (at % 64 === 0) await new Promise((resolve) => setImmediate(resolve));
        continue;
      }
      await new Promise<void>((resolve) => {
        stream.once('drain', resolve);
        stream.once('close', resolve);
      });
    }
    stream.end();
  };

export const http2Behaviours: Readonly<Record<string, StreamBehaviour>> = {
  'interim-link': interim({ link: '</a>; rel=preload' }),
  'interim-tk': interim({ tk: '?' }),
  'interim-constructor': interim({ constructor: 'x' }),
  'interim-flood': interim({ link: '</a>' }, 2000),
  trailers: trailing({ 'x-a': 'b' }),
  'trailers-constructor': trailing({ constructor: 'x' }),
  'trailers-tk': trailing({ tk: '?' }),
  'trailers-flood': trailing(
    Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`x-${at}`, 'y'])),
  ),
  'final-constructor': headed({ constructor: 'x', tostring: 'y' }),
  'final-md5': headed({ 'content-md5': 'a' }),
  'final-200-kib': headed({ 'x-a': 'a'.repeat(48 * 1024), 'x-b': 'b'.repeat(10 * 1024) }),
  'final-3000-lines': headed(
    Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`x-${at}`, 'y'])),
  ),
  'status-600': headed({ ':status': 599 }),
  redirect: headed({ ':status': 302, location: 'https://127.0.0.1:1/' }),
  'wrong-length': headed({ 'content-length': 10 }),
  'bad-gzip': headed({ 'content-encoding': 'gzip' }, 'hello'),
  'one-byte-frames': pieces('x', 50_000),
  'large-body': pieces('x'.repeat(64 * 1024), 512),
  stalls: () => undefined,
  'stalls-in-body': (stream) => {
    stream.respond(JSON_HEAD);
    stream.write('{');
  },
  resets: (stream) => stream.close(2),
  'resets-in-body': (stream) => {
    stream.respond(JSON_HEAD);
    stream.write('{', () => stream.close(2));
  },
  refuses: (stream) => stream.close(7),
  'asks-for-http1': (stream) => stream.close(13),
  goaway: (stream) => {
    stream.respond(JSON_HEAD);
    stream.session?.goaway(11);
    stream.end('{}');
  },
  'goaway-at-once': (stream) => stream.session?.goaway(0, 0),
  'cuts-the-session': (stream) => stream.session?.destroy(),
  settings: (stream) => {
    for (let at = 0; at < 200; at += 1) stream.session?.settings({ initialWindowSize: at });
    stream.respond(JSON_HEAD);
    stream.end('{}');
  },
  'no-streams': (stream) => {
    stream.session?.settings({ maxConcurrentStreams: 0 });
    stream.respond(JSON_HEAD);
    stream.end('{}');
  },
  'large-text': headed({}, `"${'y'.repeat(4 * MIB)}"`),
};
