import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { requestFor } from '../../test/request-fixture.ts';
import { type Authority, createAuthority } from '../pki/authority.ts';
import type { Authentication } from '../request/authenticator.ts';
import { buildAuthenticator } from './build-authenticator.ts';
import { certificatePool } from './certificate-pool.ts';
import { standardRequestHeaders } from './request-header-names.ts';
import { parseTokenFile } from './token-file.ts';

const TOKENS = `good,alice,u1,"dev,ops"
nogroups,bob,u2
masked,eve,u3,"system:unauthenticated"
`;
const names = {
  ...standardRequestHeaders,
  allowedNames: ['front-proxy-client'],
  uidHeaders: ['x-remote-uid'],
};

describe('who a request comes from', () => {
  let clients: Authority;
  let proxies: Authority;
  const certificates = new Map<string, Uint8Array>();

  before(async () => {
    clients = await createAuthority('clients');
    proxies = await createAuthority('proxies');
    const issue = async (
      name: string,
      ca: Authority,
      request: Partial<Parameters<Authority['issue']>[0]>,
    ) => {
      const { cert } = await ca.issue({ commonName: name, usage: 'client', ...request });
      certificates.set(name, new X509Certificate(cert).raw);
    };
    await issue('carol', clients, { organizations: ['dev', 'a,b'] });
    await issue('', clients, {});
    await issue('serving', clients, { usage: 'server' });
    await issue('old', clients, { notBefore: new Date(0), notAfter: new Date(1000) });
    await issue('front-proxy-client', proxies, {});
    await issue('other-proxy', proxies, {});
  });

  function authenticate(
    request: { cert?: string; headers?: readonly string[] },
    options: { anonymous?: boolean } = {},
  ): Authentication {
    const credentials = {
      clientCa: certificatePool(clients.cert),
      requestHeaderCa: certificatePool(proxies.cert),
      tokens: parseTokenFile(TOKENS).tokens,
    };
    const authenticator = buildAuthenticator({
      credentials: () => credentials,
      requestHeaders: () => names,
      anonymous: options.anonymous ?? true,
      nowMs: () => Date.now(),
    });
    const certificate = request.cert === undefined ? undefined : certificates.get(request.cert);
    const result = authenticator(
      requestFor('/apis', {
        headerLines: request.headers ?? [],
        peer: { address: '', certificate },
      }),
    );
    assert.ok(!(result instanceof Promise));
    return result;
  }

  const known = [
    { name: 'nobody', request: {}, user: 'system:anonymous', groups: ['system:unauthenticated'] },
    {
      name: 'a client certificate',
      request: { cert: 'carol' },
      user: 'carol',
      groups: ['dev', 'a,b', 'system:authenticated'],
    },
    {
      name: 'a token with groups',
      request: { headers: ['Authorization', 'Bearer good'] },
      user: 'alice',
      groups: ['dev', 'ops', 'system:authenticated'],
    },
    {
      name: 'a token without groups, in other letters',
      request: { headers: ['AUTHORIZATION', '  bEaReR nogroups what follows is not looked at'] },
      user: 'bob',
      groups: ['system:authenticated'],
    },
    {
      name: 'a token whose user is in a group of its own choice',
      request: { headers: ['authorization', 'Bearer masked'] },
      user: 'eve',
      groups: ['system:unauthenticated'],
    },
    {
      name: 'another scheme',
      request: { headers: ['authorization', 'Basic Z29vZDo='] },
      user: 'system:anonymous',
      groups: ['system:unauthenticated'],
    },
    {
      name: 'a front proxy, one group a line',
      request: {
        cert: 'front-proxy-client',
        headers: [
          ...['x-remote-user', 'dave'],
          ...['X-Remote-Group', 'one, with a comma'],
          ...['X-Remote-Group', ''],
          ...['X-Remote-Group', 'two'],
        ],
      },
      user: 'dave',
      groups: ['one, with a comma', 'two', 'system:authenticated'],
    },
    {
      name: 'a front proxy, names that are not ASCII, as bytes of UTF-8',
      request: {
        cert: 'front-proxy-client',
        headers: ['x-remote-user', 'j\u00c3\u00bcrgen', 'X-Remote-Group', 'caf\u00c3\u00a9'],
      },
      user: 'jürgen',
      groups: ['café', 'system:authenticated'],
    },
    {
      name: 'identity headers with a certificate of the clients',
      request: { cert: 'carol', headers: ['x-remote-user', 'admin'] },
      user: 'carol',
      groups: ['dev', 'a,b', 'system:authenticated'],
    },
    {
      name: 'identity headers without a certificate',
      request: { headers: ['x-remote-user', 'admin', 'x-remote-group', 'system:masters'] },
      user: 'system:anonymous',
      groups: ['system:unauthenticated'],
    },
    {
      name: 'a bad certificate beside a good token',
      request: { cert: 'old', headers: ['authorization', 'Bearer good'] },
      user: 'alice',
      groups: ['dev', 'ops', 'system:authenticated'],
    },
    {
      name: 'a token as a protocol of a WebSocket',
      request: {
        headers: webSocket(`v4.channel.k8s.io, ${protocolOf('good')}`),
      },
      user: 'alice',
      groups: ['dev', 'ops', 'system:authenticated'],
    },
    {
      name: 'such a protocol of something else',
      request: { headers: ['sec-websocket-protocol', `a, ${protocolOf('good')}`] },
      user: 'system:anonymous',
      groups: ['system:unauthenticated'],
    },
  ];
  for (const { name, request, user, groups } of known) {
    test(name, () => {
      const result = authenticate(request);
      assert.ok(result.outcome === 'authenticated', JSON.stringify(result));
      assert.equal(result.user.name, user);
      assert.deepEqual(result.user.groups, groups);
    });
  }

  const rejected = [
    {
      name: 'an unknown token',
      request: { headers: ['authorization', 'Bearer bad'] },
      why: 'invalid bearer token',
    },
    {
      name: 'a certificate for servers',
      request: { cert: 'serving' },
      why: /^x509: certificate signed by unknown authority, x509: certificate specifies an incompatible key usage$/,
    },
    {
      name: 'a certificate without a name, which the front proxy did not sign',
      request: { cert: '' },
      why: 'x509: certificate signed by unknown authority',
    },
    {
      name: 'an old certificate',
      request: { cert: 'old' },
      why: /has expired or is not yet valid/,
    },
    {
      name: 'another name of a front proxy, even without headers',
      request: { cert: 'other-proxy' },
      why: /^x509: subject with cn=other-proxy is not in the allowed list, x509: certificate signed/,
    },
    {
      name: 'two tokens of a WebSocket',
      request: { headers: webSocket(`a, ${protocolOf('good')}, ${protocolOf('good')}`) },
      why: 'multiple base64.bearer.authorization tokens specified',
    },
    {
      name: 'a token of a WebSocket and no other protocol',
      request: { headers: webSocket(protocolOf('good')) },
      why: 'missing additional subprotocol',
    },
    {
      name: 'a token of a WebSocket that is not encoded',
      request: { headers: webSocket('a, base64url.bearer.authorization.k8s.io.=') },
      why: 'invalid base64.bearer.authorization token encoding',
    },
    {
      name: 'an unknown token of a WebSocket',
      request: { headers: webSocket(`a, ${protocolOf('bad')}`) },
      why: 'invalid bearer token',
    },
  ];
  for (const { name, request, why } of rejected) {
    test(`${name} is rejected, and not anonymous`, () => {
      const result = authenticate(request);
      assert.ok(result.outcome === 'rejected', JSON.stringify(result));
      if (typeof why === 'string') assert.equal(result.reason, why);
      else assert.match(result.reason, why);
    });
  }

  test('a front proxy says uid and extra, with keys unescaped in lower case', () => {
    const result = authenticate({
      cert: 'front-proxy-client',
      headers: [
        ...['X-Remote-User', 'dave'],
        ...['X-Remote-Uid', 'u9'],
        ...['X-Remote-Extra-Example.org%2Fa%20B', 'one'],
        ...['X-Remote-Extra-Example.org%2Fa%20b', 'two'],
        ...['X-Remote-Extra-Bad%zz', 'kept'],
        ...['X-Remote-Extra-__proto__', 'data'],
      ],
    });
    assert.ok(result.outcome === 'authenticated');
    assert.equal(result.user.uid, 'u9');
    assert.deepEqual(Object.entries(result.user.extra), [
      ['example.org/a b', ['one', 'two']],
      ['bad%zz', ['kept']],
      ['__proto__', ['data']],
    ]);
  });

  test('a certificate is named by its fingerprint', () => {
    const result = authenticate({ cert: 'carol' });
    assert.ok(result.outcome === 'authenticated');
    const [id] = result.user.extra['authentication.kubernetes.io/credential-id'] ?? [];
    assert.match(id ?? '', /^X509SHA256=[0-9a-f]{64}$/);
  });

  test('without anonymous users nobody has no opinion', () => {
    assert.equal(authenticate({}, { anonymous: false }).outcome, 'no-opinion');
  });
});

function protocolOf(token: string): string {
  return `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`;
}

function webSocket(protocols: string): string[] {
  return [
    ...['Upgrade', 'WebSocket'],
    ...['Connection', 'keep-alive, Upgrade'],
    ...['Sec-WebSocket-Protocol', protocols],
  ];
}

test('a token file of upstream is read, with what is of no use in it', () => {
  const { tokens, warnings } = parseTokenFile('t,a,1\n,b,2\nt,c,3,"x,y",more\n');
  assert.deepEqual(
    [...tokens],
    [
      [
        't',
        {
          outcome: 'authenticated',
          user: { name: 'c', uid: '3', groups: ['x', 'y'], extra: {} },
        },
      ],
    ],
  );
  assert.deepEqual(warnings, [
    'record 2 has an empty token',
    'record 3 has the token of an earlier one',
  ]);
});

test('a token file with too few columns is refused', () => {
  assert.throws(() => parseTokenFile('token,user\n'), {
    message: 'must have at least 3 columns (token, user name, user uid), found 2',
  });
});
