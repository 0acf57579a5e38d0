/** Requests as a backend receives them, and its responses as clients receive them. */
import type { RequestStep, Row, RowGroup } from '../../differential/row.ts';
import { RESPONSE_SPEC, type ResponseSpec } from '../backends.ts';
import { granted, withdrawn } from './words.ts';

const ECHO = '/apis/echo.example.com/v1';
const THINGS = `${ECHO}/namespaces/{ns}/things`;

type More = Partial<Omit<RequestStep, 'name'>>;

function asked(name: string, more: More = {}): Row {
  return row(name, [ask(more)]);
}

function ask({ path = `${THINGS}/a`, ...more }: More = {}): RequestStep {
  return { name: 'ask', path, ...more };
}

function row(name: string, steps: Row['steps']): Row {
  return { name: `proxy: ${name}`, covers: { feature: 'routing' }, steps };
}

/** A response of the backend. */
function responded(name: string, spec: ResponseSpec, more: More = {}): Row {
  return asked(name, {
    ...more,
    headers: { ...more.headers, [RESPONSE_SPEC]: JSON.stringify(spec) },
  });
}

const plain = [['content-type', 'text/plain']] as const;
const MERGE = 'application/merge-patch+json';

function numbered(what: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${what}-${index}`);
}

export const proxy: RowGroup = {
  name: 'proxy',
  rows: [
    asked('a read'),
    asked('a read over HTTP/1.1', { protocol: 'h1' }),
    asked('a list with selectors', {
      path: THINGS,
      query: { labelSelector: 'a in (b,c)', fieldSelector: 'metadata.name=a', limit: '5' },
    }),
    asked('a query in any order', { path: `${THINGS}/a?b=2&a=2&c&a=1&d=` }),
    asked('a query with signs', { path: `${THINGS}/a?q=a%20b%2Bc+d%26e&%C3%A9=%C3%A9` }),
    asked('a path with encoded signs', { path: `${THINGS}/a%20b%3Ac%2Bd+e` }),
    asked('a path with other letters', { path: `${THINGS}/%C3%A9t%C3%A9` }),
    asked('a path with an encoded slash', { path: `${THINGS}/a%2Fb` }),
    asked('a path with a slash at its end', { path: `${THINGS}/a/` }),
    asked('a subresource', { path: `${THINGS}/a/status` }),
    asked('HEAD', { method: 'HEAD' }),
    asked('OPTIONS', { method: 'OPTIONS' }),
    asked('a create', { method: 'POST', path: THINGS, body: { kind: 'Thing', a: ['b', 1, 'é'] } }),
    asked('a create with nothing', { method: 'POST', path: THINGS, body: '' }),
    asked('an update', { method: 'PUT', body: { kind: 'Thing' } }),
    asked('a patch', { method: 'PATCH', body: '{"a":1}', headers: { 'content-type': MERGE } }),
    asked('a delete', { method: 'DELETE' }),
    asked('a delete with options', {
      method: 'DELETE',
      body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 },
    }),
    asked('a body over HTTP/1.1', { method: 'PUT', body: { kind: 'Thing' }, protocol: 'h1' }),

    row('a user with a token', [
      ...granted('alice', 'echo.example.com'),
      ask({ as: 'alice', until: 200 }),
      ...withdrawn(),
    ]),
    asked('a user who may not', { as: 'bob' }),
    asked('nobody', { as: 'nobody' }),
    asked('an unknown token', { as: 'bad-token' }),
    row('a user with a certificate', [
      ...granted('carol', 'echo.example.com'),
      ask({ as: 'carol', until: 200 }),
      ...withdrawn(),
    ]),
    asked('a user that a front proxy names', {
      as: 'front-proxy',
      headers: {
        'x-remote-user': 'eve',
        'x-remote-group': ['system:masters', 'a,b'],
        'x-remote-extra-scopes': ['x', 'y'],
        'x-remote-extra-example.com%2fkey': 'z',
      },
    }),
    asked('a user who is impersonated', {
      headers: {
        'impersonate-user': 'frank',
        'impersonate-uid': 'uid-of-frank',
        'impersonate-group': ['system:masters', 'dev'],
        'impersonate-extra-scopes': ['x', 'y'],
        'impersonate-extra-example.com%2fkey': 'z',
      },
    }),
    asked('names beyond letters in an identity', {
      headers: {
        'impersonate-user': 'a b/c,d',
        'impersonate-group': ['system:masters', 'with space', 'x,y'],
        'impersonate-extra-caf%c3%a9': ['%C3%A9', ''],
        'impersonate-extra-UPPER': 'A',
        'impersonate-extra-a%25b': 'c',
      },
    }),
    asked('hundreds of groups', {
      headers: {
        'impersonate-user': 'frank',
        'impersonate-group': ['system:masters', ...numbered('group', 300)],
      },
    }),
    asked('an identity that a client makes up', {
      headers: {
        'x-remote-user': 'root',
        'x-remote-uid': '0',
        'x-remote-group': ['system:masters', 'wheel'],
        'x-remote-extra-scopes': 'all',
      },
    }),

    asked('lines about the connection', {
      protocol: 'h1',
      headers: {
        connection: 'x-mine, keep-alive',
        'x-mine': 'mine',
        'x-yours': 'yours',
        'keep-alive': 'timeout=5',
        te: 'trailers, deflate',
        'proxy-authorization': 'Basic YTpi',
        'proxy-connection': 'keep-alive',
      },
    }),
    asked('lines of proxies before', {
      headers: {
        'x-forwarded-for': ['10.9.8.7', '10.9.8.6'],
        'x-forwarded-host': 'api.example.com',
        'x-forwarded-proto': 'http',
        'x-forwarded-uri': '/elsewhere',
        forwarded: 'for=10.9.8.7',
        via: '1.1 somebody',
      },
    }),
    asked('a number for the audit log', { headers: { 'audit-id': 'of-the-client' } }),
    asked('repeated lines', {
      headers: { 'x-many': ['b', 'a', 'b'], accept: ['application/json', 'application/yaml'] },
    }),
    asked('lines that clients send', {
      headers: {
        'accept-encoding': 'gzip, br',
        'accept-language': 'de',
        cookie: 'a=b; c=d',
        'if-none-match': '"x"',
        'kubectl-command': 'kubectl get',
        'kubectl-session': '1',
        origin: 'https://example.com',
        range: 'bytes=0-1',
      },
    }),
    asked('a long line', { headers: { 'x-long': 'a'.repeat(20_000) } }),

    responded('an answer that is no JSON', { headers: plain, body: 'hello' }),
    responded('an answer without a type', { headers: [], body: '{"a":1}' }, { setup: true }),
    responded('an empty answer', { status: 204, headers: [], body: '' }),
    responded('repeated lines of an answer', {
      headers: [
        ...plain,
        ['set-cookie', 'a=b'],
        ['set-cookie', 'c=d'],
        ['x-many', 'b'],
        ['x-many', 'a'],
        ['warning', '299 - "one"'],
        ['warning', '299 - "two"'],
      ],
      body: 'hello',
    }),
    responded('lines for browsers', {
      headers: [
        ...plain,
        ['access-control-allow-origin', '*'],
        ['access-control-allow-credentials', 'true'],
        ['access-control-allow-methods', 'GET'],
        ['access-control-allow-headers', 'x'],
        ['access-control-max-age', '1'],
        ['access-control-expose-headers', 'x'],
        ['vary', 'origin'],
      ],
      body: 'hello',
    }),
    responded('lines that the aggregator has too', {
      headers: [
        ...plain,
        ['audit-id', 'of-the-server'],
        ['cache-control', 'max-age=5'],
        ['x-content-type-options', 'nosniff'],
      ],
      body: 'hello',
    }),
    responded('a tag', { headers: [...plain, ['etag', '"x"'], ['last-modified', 'x']], body: 'a' }),
    responded('not modified', { status: 304, headers: [['etag', '"x"']], body: '' }),
    responded('a failure in words', { status: 404, headers: plain, body: 'no such thing' }),
    responded('too many requests', {
      status: 429,
      headers: [...plain, ['retry-after', '7']],
      body: 'later',
    }),
    responded('a failure of the server', { status: 500, headers: plain, body: 'oh' }),
    responded('the server is unavailable', { status: 503, headers: plain, body: 'oh' }),
    responded('a code that nobody knows', { status: 299, headers: plain, body: 'oh' }),
    responded(
      'an answer to HEAD',
      { headers: [['content-type', 'text/plain']] },
      { method: 'HEAD' },
    ),
    ...[301, 302, 303, 307, 308, 304].map((status) =>
      responded(`a redirect with ${status}`, {
        status,
        headers: [...plain, ['location', '/elsewhere']],
        body: '',
      }),
    ),
    responded('several choices and no place', { status: 300, headers: plain, body: 'a' }),
    responded('the place of what was created', {
      status: 201,
      headers: [...plain, ['location', 'https://elsewhere.example.com/a']],
      body: 'a',
    }),
    responded('no answer', { reset: true }, { setup: true }),
    responded('an answer that comes too late', { silent: true }, { query: { timeout: '1s' } }),
    asked('a time that is none', { query: { timeout: 'soon' } }),
  ],
};
