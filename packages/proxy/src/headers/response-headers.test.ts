import assert from 'node:assert/strict';
import { test } from 'node:test';
import { responseHeaders } from './response-headers.ts';

const cases = [
  {
    name: 'repeated headers are forwarded',
    headers: ['warning: a', 'warning: b', 'set-cookie: c', 'set-cookie: d', 'location: /x'],
  },
  {
    name: 'hop-by-hop headers are removed',
    headers: ['connection: close, x-hop', 'x-hop: 1', 'keep-alive: 5', 'trailer: a', 'upgrade: b'],
    want: [],
  },
  {
    name: 'CORS headers are removed, as upstream does',
    headers: [
      'access-control-allow-origin: *',
      'access-control-allow-credentials: true',
      'access-control-allow-headers: x',
      'access-control-allow-methods: GET',
      'access-control-max-age: 5',
      'vary: a',
    ],
    want: ['access-control-max-age: 5', 'vary: a'],
  },
  {
    name: 'single-value headers are forwarded once',
    headers: ['content-type: a', 'content-type: b', 'content-length: 1', 'content-length: 1'],
    want: ['content-type: a', 'content-length: 1'],
  },
];
for (const { name, headers, want = headers } of cases) {
  test(`response headers: ${name}`, () => {
    const pairs = headers.map((line) => line.split(': ') as [string, string]);
    assert.deepEqual(
      responseHeaders(pairs).map((line) => line.join(': ')),
      want,
    );
  });
}
