/** Compares the rules for headers with the running Node, whatever its version adds to them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import {
  connect,
  constants,
  createServer,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import {
  interimOrTrailerHeaders,
  isHeaderName,
  isHeaderValue,
  isHttp2Header,
  isSingleValueHeader,
} from '../src/http/header-rules.ts';

const NAMES = [
  ...Object.entries(constants)
    .filter(([constant]) => constant.startsWith('HTTP2_HEADER_'))
    .map(([, name]) => String(name))
    .filter((name) => !name.startsWith(':')),
  ...['constructor', '__proto__', 'tostring', 'x-own', '1', 'hasownproperty'],
];

function throws(run: () => unknown): boolean {
  try {
    run();
    return false;
  } catch {
    return true;
  }
}

test('isHeaderName and isHeaderValue accept the characters that Node accepts', () => {
  for (let code = 0; code < 0x180; code += 1) {
    const text = `a${String.fromCharCode(code)}b`;
    assert.equal(isHeaderName(text), !throws(() => validateHeaderName(text)), `name ${code}`);
    assert.equal(isHeaderValue(text), !throws(() => validateHeaderValue('x', text)), `${code}`);
  }
  assert.equal(isHeaderName(''), false);
  assert.equal(isHeaderValue(''), true);
});

test('isSingleValueHeader matches Node for every header name over HTTP/2', async (t) => {
  const stream = await serverStream(t);
  // Refused before anything is written: one stream is enough for all.
  const isRefused = (...headers: string[]) =>
    throws(() => stream.additionalHeaders(asObject(headers)));
  for (const name of NAMES) {
    assert.equal(isRefused(name, 'a'), !isHttp2Header(name, 'a'), name);
    if (!isHttp2Header(name, 'a')) continue;
    assert.equal(isRefused(name, 'a', name, 'b'), isSingleValueHeader(name), `${name} twice`);
  }
  assert.equal(isRefused('te', 'trailers'), !isHttp2Header('te', 'trailers'));
});

test('interimOrTrailerHeaders returns headers that Node writes', async (t) => {
  const stream = await serverStream(t);
  const all = NAMES.flatMap((name): [string, string][] => [
    [name.toUpperCase(), 'a'],
    [name, 'b'],
    [`${name}\x01`, 'c'],
    [name, 'd\r\ne: f'],
    [`:${name}`, 'g'],
  ]);
  const allowed = interimOrTrailerHeaders(all).flat();
  assert.ok(allowed.length > NAMES.length);
  stream.additionalHeaders(asObject(allowed));
});

function asObject(flat: readonly string[]): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = Object.create(null);
  headers[':status'] = 103;
  for (let at = 0; at + 1 < flat.length; at += 2) {
    const name = (flat[at] ?? '').toLowerCase();
    headers[name] = [...((headers[name] as string[] | undefined) ?? []), flat[at + 1] ?? ''];
  }
  return headers;
}

async function serverStream(t: { after(run: () => void): void }): Promise<ServerHttp2Stream> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  t.after(() => {
    session.destroy();
    server.close();
  });
  session.request({ ':path': '/' }).on('error', () => {});
  const [stream] = (await once(server, 'stream')) as [ServerHttp2Stream];
  stream.on('error', () => {});
  return stream;
}
