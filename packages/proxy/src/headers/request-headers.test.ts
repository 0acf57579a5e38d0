import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestFor } from '../../../server/test/request-fixture.ts';
import { forwardedHost, type RequestHeaderOptions, requestHeaders } from './request-headers.ts';

const path = '/apis/wardle.example.com/v1alpha1/flunders';
const identity = [['x-remote-user', 'alice']] as const;
const always = [
  'x-remote-user: alice',
  'x-forwarded-for: 127.0.0.1',
  `x-forwarded-uri: ${path}`,
  'x-forwarded-proto: https',
];
const upgraded = always.slice(0, 2);

interface Case {
  readonly name: string;
  readonly lines: readonly string[];
  readonly want: readonly string[];
  readonly options?: Partial<RequestHeaderOptions>;
}

const cases: readonly Case[] = [
  { name: 'no headers', lines: [], want: always },
  {
    name: 'end-to-end headers',
    lines: ['Accept', 'a', 'Accept', 'b', 'User-Agent', 'kubectl', 'Kubectl-Command', 'get'],
    want: ['accept: a', 'accept: b', 'user-agent: kubectl', 'kubectl-command: get', ...always],
  },
  {
    name: 'identity headers, in any spelling',
    lines: [
      ...['X-Remote-User', 'root', 'x-REMOTE-group', 'g', 'X-Remote-Extra-A', 'b'],
      ...['X-Remote-Uid', '1', 'AUTHORIZATION', 'Bearer t', 'Impersonate-User', 'x'],
      ...['Impersonate-Extra-Scopes', 'y'],
    ],
    want: always,
  },
  {
    name: 'identity headers with custom names',
    lines: ['X-My-User', 'root', 'X-Other', '1'],
    want: ['x-other: 1', ...always],
    options: { isIdentityHeader: (header) => header === 'x-my-user' },
  },
  {
    name: 'hop-by-hop headers',
    lines: [
      ...['Connection', 'keep-alive, X-Hop', 'Connection', 'x-two', 'X-Hop', '1', 'X-Two', '2'],
      ...['Keep-Alive', 'timeout=5', 'Proxy-Connection', 'x', 'Proxy-Authorization', 'y'],
      ...['TE', 'gzip', 'Trailer', 'x', 'Transfer-Encoding', 'chunked', 'Upgrade', 'h2c'],
      ...['Expect', '100-continue', 'Host', 'front'],
    ],
    want: always,
  },
  {
    name: 'TE: trailers',
    lines: ['TE', 'gzip, trailers'],
    want: ['te: trailers', ...always],
  },
  {
    name: 'an upgrade',
    lines: ['Connection', 'Upgrade', 'Upgrade', 'SPDY/3.1', 'X-Remote-User', 'root', 'Host', 'a'],
    want: ['connection: Upgrade', 'upgrade: SPDY/3.1', ...upgraded],
    options: { isUpgrade: true },
  },
  {
    name: 'X-Forwarded-For of earlier proxies',
    lines: ['X-Forwarded-For', '10.0.0.1', 'X-Forwarded-For', '10.0.0.2', 'X-Forwarded-Host', 'x'],
    want: always.toSpliced(1, 1, 'x-forwarded-for: 10.0.0.1, 10.0.0.2, 127.0.0.1'),
  },
  {
    name: 'pseudo-headers of HTTP/2',
    lines: [':method', 'GET', ':authority', 'front', ':path', path, 'traceparent', '00-1'],
    want: ['traceparent: 00-1', ...always],
  },
];
for (const { name, lines, want, options } of cases) {
  test(`headers for a backend: ${name}`, () => {
    const request = requestFor(path, { headerLines: lines });
    const made = requestHeaders(request, {
      ...{ identity, isUpgrade: false, forwarded: {}, sendsAuditId: true },
      ...options,
    });
    assert.deepEqual(
      made.map((line) => line.join(': ')),
      want,
    );
  });
}

test('X-Forwarded-For has IPv4 addresses without prefix, and X-Forwarded-Uri no empty segments', () => {
  const request = requestFor('/apis//a///b/', {
    peer: { address: '::ffff:10.1.2.3', certificate: undefined },
  });
  const options = { identity, isUpgrade: false, forwarded: {} };
  const made = Object.fromEntries(requestHeaders(request, options));
  assert.equal(made['x-forwarded-for'], '10.1.2.3');
  assert.equal(made['x-forwarded-uri'], '/apis/a/b/');
});

const hosts = [
  { host: '10.0.0.1', want: '10.0.0.1:443' },
  { host: 'fd00::1', want: '[fd00::1]:443' },
];
for (const { host, want } of hosts) {
  test(`X-Forwarded-Host is the address of the target: ${want}`, () => {
    assert.deepEqual(forwardedHost({ host, port: 443, serverName: 'a' }), [
      ['x-forwarded-host', want],
    ]);
  });
}
