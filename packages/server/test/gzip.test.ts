/** Large responses are compressed for clients that accept it, over real connections. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpsRequestOf } from 'node:https';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { eventually, httpsRequest, turns } from '../../../test/harness/index.ts';
import type { ApiRequest, ApiResponse } from '../src/request/pipeline.ts';
import { startListener } from './listener-fixture.ts';

const THRESHOLD = 128 * 1024;
const contentType = 'application/json';
const item = (length: number) => Buffer.alloc(length, 'flunder ');

/** Many small chunks, as a list has them. */
function listOf(bytes: number): Uint8Array[] {
  return Array.from({ length: bytes / 1024 }, (_, index) => Buffer.alloc(1024, `item ${index} `));
}

const responses: Readonly<Record<string, () => ApiResponse>> = {
  '/at-threshold': () => ({ kind: 'bytes', code: 200, contentType, chunks: [item(THRESHOLD)] }),
  '/above': () => ({ kind: 'bytes', code: 200, contentType, chunks: [item(THRESHOLD), item(1)] }),
  '/list': () => ({ kind: 'bytes', code: 200, contentType, chunks: listOf(3 * 1024 * 1024) }),
  '/object': () => ({ kind: 'object', code: 200, object: { text: 'x'.repeat(THRESHOLD) } }),
  '/error': () => ({ kind: 'object', code: 422, object: { message: 'x'.repeat(THRESHOLD) } }),
  '/encoded': () => ({
    kind: 'bytes',
    code: 200,
    contentType,
    chunks: [randomBytes(2 * THRESHOLD)],
    headers: [['Content-Encoding', 'br']],
  }),
  '/stream': () => ({
    kind: 'stream',
    contentType,
    chunks: (async function* () {
      yield item(2 * THRESHOLD);
    })(),
  }),
};

const handler = async ({ path }: ApiRequest): Promise<ApiResponse> => {
  const reply = responses[path];
  assert.ok(reply);
  return reply();
};

const cases = [
  { path: '/at-threshold', encoding: undefined },
  { path: '/above', encoding: 'gzip' },
  { path: '/list', encoding: 'gzip' },
  { path: '/object', encoding: 'gzip' },
  { path: '/error', encoding: 'gzip', code: 422 },
  { path: '/encoded', encoding: 'br' },
  { path: '/stream', encoding: undefined },
];

for (const http of ['1.1', '2'] as const) {
  test(`over HTTP/${http} what is large is compressed, and stays the same`, async (t) => {
    await using fixture = await startListener(handler);
    for (const { path, encoding, code = 200 } of cases) {
      await t.test(path, async () => {
        const { url, pki } = fixture;
        const plain = await httpsRequest(url + path, { http, ca: pki.ca.cert });
        const headers = { 'accept-encoding': 'gzip' };
        const reply = await httpsRequest(url + path, { http, ca: pki.ca.cert, headers });
        assert.equal(plain.headers['content-encoding'], encoding === 'br' ? 'br' : undefined);
        assert.equal(reply.status, code);
        assert.equal(reply.headers['content-type'], contentType);
        assert.equal(reply.headers['content-encoding'], encoding);
        assert.equal(reply.headers.vary, encoding === 'gzip' ? 'Accept-Encoding' : undefined);
        if (encoding !== 'gzip') return;
        assert.ok(reply.bytes.length < plain.bytes.length);
        assert.ok(gunzipSync(reply.bytes).equals(plain.bytes));
      });
    }
    assert.deepEqual(fixture.bugs, []);
  });
}

test('answers with one key share the compressed bytes, and their length is known', async () => {
  const compressionKey = {};
  let readings = 0;
  await using fixture = await startListener(async () => {
    readings += 1;
    // The same key with other bytes shows the compressed one: only the first is ever read.
    const chunks = [Buffer.alloc(THRESHOLD + 1, `reading ${readings} `)];
    return { kind: 'bytes', code: 200, contentType, chunks, compressionKey };
  });
  const headers = { 'accept-encoding': 'gzip' };
  const ask = () => httpsRequest(fixture.url, { ca: fixture.pki.ca.cert, headers });
  const first = await Promise.all([ask(), ask()]);
  const all = [...first, await ask()];
  assert.equal(readings, 3);
  const [body] = all.map(({ bytes }) => bytes);
  assert.ok(body);
  for (const { bytes, headers: got } of all) {
    assert.equal(got['content-length'], String(body.length));
    assert.ok(bytes.equals(body));
  }
});

test('a client that reads slowly keeps nobody waiting, and one that leaves is no bug', async () => {
  const large = largeBody();
  const readers: AbortSignal[] = [];
  await using fixture = await startListener(async ({ path, cancellation }) => {
    if (path === '/large') readers.push(cancellation.signal);
    const chunks = path === '/large' ? large : [item(2 * THRESHOLD)];
    return { kind: 'bytes', code: 200, contentType, chunks };
  });
  const { url, pki } = fixture;
  const headers = { 'accept-encoding': 'gzip' };
  // More than there are permits, and none of them reads: random bytes do not shrink into the buffers.
  const stalled = Array.from({ length: 4 }, () =>
    httpsRequestOf(`${url}/large`, { ca: pki.ca.cert, headers, agent: false }).end(),
  );
  await Promise.all(stalled.map((request) => once(request, 'response')));
  const reply = await httpsRequest(url, { ca: pki.ca.cert, headers });
  assert.equal(gunzipSync(reply.bytes).length, 2 * THRESHOLD);
  for (const request of stalled) request.on('error', () => {}).destroy();
  await eventually('the server knows that they left', () => readers.every((one) => one.aborted));
  await turns();
  await httpsRequest(url, { ca: pki.ca.cert, headers });
  assert.equal(readers.length, stalled.length);
  assert.deepEqual(fixture.bugs, []);
});

function largeBody(): Buffer[] {
  const bytes = randomBytes(24 * 1024 * 1024);
  return Array.from({ length: 24 }, (_, at) => bytes.subarray(at << 20, (at + 1) << 20));
}
