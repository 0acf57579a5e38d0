import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '@tributary/storage';
import { requestFor } from '../../test/request-fixture.ts';
import { MetricsRegistry } from '../operations/metrics/registry.ts';
import { requestMetrics } from '../operations/metrics/request-metrics.ts';
import { Shutdown } from '../operations/shutdown.ts';
import type { Cancellation } from '../request/cancellation.ts';
import type { ApiResponse, Filter, Handler } from '../request/pipeline.ts';
import { newContext } from '../request/request-context.ts';
import { withCors } from './cors.ts';
import { withGoaway } from './goaway.ts';
import { withObservation } from './observation.ts';
import { withResponseHeaders } from './response-headers.ts';
import { withShutdown } from './shutdown.ts';
import { withStatusErrors } from './status-errors.ts';

const empty: ApiResponse = { kind: 'object', code: 200, object: {} };
const ok: Handler = async () => empty;

async function headersOf(
  filter: Filter,
  handler: Handler,
  lines: readonly string[] = [],
  method = 'GET',
) {
  const request = requestFor('/apis', { headerLines: lines, method, context: newContext('id', 0) });
  request.warnings.add('careful');
  const response = await filter(handler)(request);
  return { response, lines: (response.headers ?? []).map((line) => line.join(': ')) };
}

test('every answer says its number and that it is not to be kept', async () => {
  const { lines } = await headersOf(withResponseHeaders({}), ok);
  assert.deepEqual(lines, [
    'Warning: 299 - "careful"',
    'Cache-Control: no-cache, private',
    'Audit-Id: id',
  ]);
});

test('who may be kept says so itself, and the transport is strict where it is asked for', async () => {
  const own: ApiResponse = { ...empty, headers: [['cache-control', 'public']] };
  const filter = withResponseHeaders({ hstsDirectives: ['max-age=1', 'preload'] });
  const { lines } = await headersOf(filter, async () => own);
  assert.ok(lines.includes('Strict-Transport-Security: max-age=1; preload'));
  assert.deepEqual(
    lines.filter((line) => line.toLowerCase().startsWith('cache-control')),
    ['cache-control: public'],
  );
});

const origins = [
  { name: 'no origin', lines: [], allowed: false },
  { name: 'another origin', lines: ['Origin', 'https://evil.example.com'], allowed: false },
  { name: 'an allowed origin', lines: ['Origin', 'https://good.example.com'], allowed: true },
  {
    name: 'an endless origin',
    lines: ['Origin', `https://${'a'.repeat(1000)}.good.example.com`],
    allowed: false,
  },
];
for (const { name, lines, allowed } of origins) {
  for (const method of ['GET', 'OPTIONS']) {
    test(`${method} from ${name} may ${allowed ? '' : 'not '}ask from a page`, async () => {
      const filter = withCors([/^https:\/\/(.*\.)?good\.example\.com$/]);
      const { response, lines: received } = await headersOf(filter, ok, lines, method);
      assert.ok('code' in response);
      assert.equal(response.code, allowed && method === 'OPTIONS' ? 204 : 200);
      assert.deepEqual(
        received,
        allowed
          ? [
              'Access-Control-Allow-Origin: https://good.example.com',
              'Access-Control-Allow-Methods: POST, GET, OPTIONS, PUT, DELETE, PATCH',
              'Access-Control-Allow-Headers: Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
              'Access-Control-Expose-Headers: Date',
              'Access-Control-Allow-Credentials: true',
            ]
          : [],
      );
    });
  }
}

test('a connection is ended now and then', async () => {
  const draws = [0.5, 0.01, 0.02];
  const filter = withGoaway({ chance: 0.02, random: () => draws.shift() ?? 1 })(ok);
  let goneAway = 0;
  const peer = { address: '', certificate: undefined, goAway: () => (goneAway += 1) };
  for (let at = 0; at < 3; at += 1) await filter(requestFor('/apis', { peer }));
  assert.equal(goneAway, 1);
});

test('a server that drains sends requests elsewhere', async () => {
  const shutdown = new Shutdown(manualClock(), () => 0);
  const handler = withStatusErrors(() => {})(withShutdown(shutdown)(ok));
  assert.equal(await handler(requestFor('/apis')), empty);
  shutdown.begin();
  assert.equal(await handler(requestFor('/apis')), empty);
  shutdown.drain();
  const response = await handler(requestFor('/apis'));
  assert.ok(response.kind === 'object' && response.code === 503);
  assert.match(JSON.stringify(response.object), /"message":"apiserver is shutting down"/);
  assert.deepEqual(response.headers, [['Retry-After', '1']]);
});

test('watches are ended one after the other, and those that have ended are left alone', async () => {
  const clock = manualClock();
  const draws = [0.5, 0, 0.999];
  const shutdown = new Shutdown(clock, () => draws.shift() ?? 0);
  const ends: number[] = [];
  const watches: Cancellation[] = [];
  const startMs = clock.nowMs();
  for (let at = 0; at < 400; at += 1) {
    const request = requestFor('/apis/g/v1/things?watch=1', { context: newContext('', 0) });
    await withShutdown(shutdown)(ok)(request);
    watches.push(request.cancellation);
    if (at >= 3) for (const run of request.context?.endListeners ?? []) run();
  }
  for (const { signal } of watches.slice(0, 3)) {
    signal.addEventListener('abort', () => ends.push(clock.nowMs() - startMs));
  }
  const done = shutdown.endWatches(60_000);
  clock.advance(100);
  await done;
  // Three watches at 200 a second take 15 ms.
  assert.deepEqual(ends.map(Math.floor), [0, 7, 14]);
  assert.equal(watches[5]?.reason, undefined);
});

test('a bug of ours is told in the words of upstream, and reported', async () => {
  const bugs: unknown[] = [];
  const bug = new TypeError('x is not a function');
  const handler = withStatusErrors((error) => bugs.push(error))(() => Promise.reject(bug));
  const response = await handler(requestFor('/apis'));
  assert.ok(response.kind === 'object' && response.code === 500);
  assert.match(
    JSON.stringify(response.object),
    /This request caused apiserver to panic\. Look in the logs for details\./,
  );
  assert.deepEqual(bugs, [bug]);
});

test('a stream is finished once, when it has ended or its reader has left', async () => {
  async function* endless() {
    for (;;) yield Buffer.from('{"a":1}\n{"b":2}\n');
  }
  const finished: number[] = [];
  const filter = withObservation({
    nowMs: () => 0,
    metrics: requestMetrics(new MetricsRegistry(), () => true),
    logAccess: (_request, { code, bytes }) => finished.push(code, bytes),
  });
  const stream: ApiResponse = { kind: 'stream', contentType: '', chunks: endless() };
  const response = await filter(async () => stream)(requestFor('/apis/g/v1/things?watch=1'));
  assert.ok(response.kind === 'stream');
  assert.deepEqual(finished, []);
  for await (const _ of response.chunks) break;
  assert.deepEqual(finished, [200, 16]);
});
