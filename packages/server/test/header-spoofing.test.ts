import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { after, before, describe, test } from 'node:test';
import { createAuthority, type KeyPair } from '../../../test/harness/index.ts';
import { buildAuthenticator } from '../src/auth/build-authenticator.ts';
import { certificatePool } from '../src/auth/certificate-pool.ts';
import { customIdentityHeader, standardRequestHeaders } from '../src/auth/request-header-names.ts';
import { parseTokenFile } from '../src/auth/token-file.ts';
import { withAuthentication } from '../src/filters/authentication.ts';
import { withImpersonation } from '../src/filters/impersonation.ts';
import { withRequestInfo } from '../src/filters/request-info.ts';
import { withStatusErrors } from '../src/filters/status-errors.ts';
import { buildHandlerChain, type UserInfo } from '../src/request/pipeline.ts';
import { type ListenerFixture, startListener } from './listener-fixture.ts';

type Lines = readonly (readonly [name: string, value: string])[];
type Sender =
  | 'nobody'
  | 'carol'
  | 'proxy'
  | 'proxy of another name'
  | 'proxy of the clients'
  | 'proxy of strangers'
  | 'expired proxy';

/** The user and the identity headers as seen by the handler. */
interface Echo {
  readonly user: UserInfo;
  readonly left: readonly string[];
}

const PROTOCOLS = ['1.1', '2'] as const;
const AUTHENTICATED = 'system:authenticated';
const names = {
  ...standardRequestHeaders,
  allowedNames: ['front-proxy-client'],
  uidHeaders: ['x-remote-uid'],
};
const MANY = Array.from({ length: 300 }, (_, index) => `team-${index}:${'x'.repeat(60)}`);

describe('identity by headers, over real connections', () => {
  let listener: ListenerFixture;
  const pairs = new Map<Sender, KeyPair>();

  before(async () => {
    const endpoint = buildHandlerChain(
      (request) => {
        const spoken = /^(authorization|x-remote-|impersonate-)/;
        const left = [...request.headers.entries()].map(([name]) => name);
        const echo: Echo = { user: request.user, left: left.filter((one) => spoken.test(one)) };
        return { kind: 'object', code: 200, object: echo };
      },
      [
        withStatusErrors((error) => assert.fail(String(error))),
        withRequestInfo,
        withAuthentication({
          authenticate: (request) => authenticator()(request),
          isCustomIdentityHeader: customIdentityHeader(() => names),
        }),
        withImpersonation({
          // Only this user may, and only by the oldest permission.
          authorize: ({ user, info }) => ({
            allowed: user.name === 'boss' && info.verb === 'impersonate' && info.name !== 'root',
          }),
          nowMs: () => Date.now(),
        }),
      ],
    );
    listener = await startListener(endpoint);
    const { pki } = listener;
    const credentials = {
      clientCa: certificatePool(pki.ca.cert),
      requestHeaderCa: certificatePool(pki.frontProxyCa.cert),
      tokens: parseTokenFile('boss-token,boss,b1\n').tokens,
    };
    const built = buildAuthenticator({
      credentials: () => credentials,
      requestHeaders: () => names,
      anonymous: true,
      nowMs: () => Date.now(),
    });
    const authenticator = () => built;
    const otherAuthority = await createAuthority('test-front-proxy-ca'); // the same name, another key
    const proxy = { commonName: 'front-proxy-client', usage: 'client' } as const;
    pairs.set('carol', await pki.client({ commonName: 'carol', organizations: ['dev', 'a,b'] }));
    pairs.set('proxy', pki.frontProxyClient);
    pairs.set(
      'proxy of another name',
      await pki.frontProxyCa.issue({ ...proxy, commonName: 'front-proxy-client2' }),
    );
    pairs.set('proxy of the clients', await pki.ca.issue(proxy));
    pairs.set('proxy of strangers', await otherAuthority.issue(proxy));
    pairs.set(
      'expired proxy',
      await pki.frontProxyCa.issue({ ...proxy, notBefore: new Date(0), notAfter: new Date(1000) }),
    );
  });
  after(() => listener[Symbol.asyncDispose]());

  async function send(http: (typeof PROTOCOLS)[number], sender: Sender, lines: Lines) {
    const identity = { ca: listener.pki.ca.cert, ...pairs.get(sender) };
    const { code, text } = await (http === '1.1' ? overHttp1 : overHttp2)(
      `${listener.url}/api/v1/namespaces/ns/pods`,
      identity,
      lines,
    );
    return { code, body: JSON.parse(text) as Echo & { message?: string } };
  }

  const user = (
    name: string,
    groups: readonly string[],
    more: Partial<UserInfo> = {},
  ): UserInfo => ({
    name,
    uid: '',
    groups,
    extra: {},
    ...more,
  });
  const ANONYMOUS = user('system:anonymous', ['system:unauthenticated']);

  const known: { name: string; sender: Sender; lines: Lines; want: UserInfo }[] = [
    {
      name: 'headers without a certificate',
      sender: 'nobody',
      lines: [
        ['X-Remote-User', 'admin'],
        ['X-Remote-Group', 'system:masters'],
        ['X-Remote-Extra-Scope', 'all'],
      ],
      want: ANONYMOUS,
    },
    {
      name: 'headers with the certificate of a user',
      sender: 'carol',
      lines: [
        ['X-Remote-User', 'admin'],
        ['X-Remote-Group', 'system:masters'],
      ],
      want: user('carol', ['dev', 'a,b', AUTHENTICATED]),
    },
    {
      name: 'a certificate with the name of the proxy, signed for users',
      sender: 'proxy of the clients',
      lines: [['X-Remote-User', 'admin']],
      want: user('front-proxy-client', [AUTHENTICATED]),
    },
    {
      name: 'headers with a token',
      sender: 'nobody',
      lines: [
        ['Authorization', 'Bearer boss-token'],
        ['X-Remote-User', 'admin'],
        ['x-remote-group', 'system:masters'],
      ],
      want: user('boss', [AUTHENTICATED], { uid: 'b1' }),
    },
    {
      name: 'the proxy',
      sender: 'proxy',
      lines: [
        ['X-Remote-User', 'dave'],
        ['X-Remote-Uid', 'd1'],
        ['X-Remote-Group', 'one'],
        ['X-Remote-Extra-Acme.io%2FScope', 'a'],
        ['X-Remote-Extra-Acme.io%2FScope', 'b'],
      ],
      want: user('dave', ['one', AUTHENTICATED], {
        uid: 'd1',
        extra: { 'acme.io/scope': ['a', 'b'] },
      }),
    },
    {
      name: 'the proxy says a user twice: the first counts',
      sender: 'proxy',
      lines: [
        ['X-Remote-User', 'dave'],
        ['X-Remote-User', 'admin'],
      ],
      want: user('dave', [AUTHENTICATED]),
    },
    {
      name: 'the proxy writes in other letters',
      sender: 'proxy',
      lines: [
        ['x-REMOTE-user', 'dave'],
        ['X-remote-GROUP', 'one'],
        ['x-remote-group', 'two'],
      ],
      want: user('dave', ['one', 'two', AUTHENTICATED]),
    },
    {
      name: 'groups with commas stay one group',
      sender: 'proxy',
      lines: [
        ['X-Remote-User', 'dave'],
        ['X-Remote-Group', 'harmless, system:masters'],
        ['X-Remote-Group', 'system:masters,'],
      ],
      want: user('dave', ['harmless, system:masters', 'system:masters,', AUTHENTICATED]),
    },
    {
      name: '300 groups',
      sender: 'proxy',
      lines: [
        ['X-Remote-User', 'dave'],
        ...MANY.map((group) => ['X-Remote-Group', group] as const),
      ],
      want: user('dave', [...MANY, AUTHENTICATED]),
    },
    {
      name: 'names that only begin like the headers',
      sender: 'proxy',
      lines: [
        ['X-Remote-User', 'dave'],
        ['X-Remote-Group-', 'system:masters'],
        ['X_Remote_Group', 'system:masters'],
        ['X-Remote-Users', 'admin'],
      ],
      want: user('dave', [AUTHENTICATED]),
    },
  ];

  const rejected: { name: string; sender: Sender; lines: Lines }[] = [
    {
      name: 'the proxy of another authority',
      sender: 'proxy of strangers',
      lines: [['X-Remote-User', 'admin']],
    },
    {
      name: 'another name of a proxy',
      sender: 'proxy of another name',
      lines: [['X-Remote-User', 'admin']],
    },
    {
      name: 'another name of a proxy, without headers',
      sender: 'proxy of another name',
      lines: [],
    },
    {
      name: 'a proxy whose time is over',
      sender: 'expired proxy',
      lines: [['X-Remote-User', 'admin']],
    },
    {
      name: 'the proxy without a user',
      sender: 'proxy',
      lines: [['X-Remote-Group', 'system:masters']],
    },
    { name: 'the proxy with an empty user', sender: 'proxy', lines: [['X-Remote-User', '']] },
    { name: 'a wrong token', sender: 'nobody', lines: [['Authorization', 'Bearer guess']] },
    {
      name: 'a wrong token beside headers',
      sender: 'nobody',
      lines: [
        ['Authorization', 'Bearer guess'],
        ['X-Remote-User', 'admin'],
      ],
    },
  ];

  const BOSS = ['Authorization', 'Bearer boss-token'] as const;
  const impersonated: { name: string; lines: Lines; want: UserInfo }[] = [
    {
      name: 'a user with groups, one a line',
      lines: [
        BOSS,
        ['Impersonate-User', 'bob'],
        ['Impersonate-Group', 'a, system:masters'],
        ['impersonate-group', 'b'],
      ],
      want: user('bob', ['a, system:masters', 'b', AUTHENTICATED]),
    },
    {
      name: 'two users: the first counts',
      lines: [BOSS, ['Impersonate-User', 'bob'], ['IMPERSONATE-USER', 'root']],
      want: user('bob', [AUTHENTICATED]),
    },
    {
      name: '300 groups',
      lines: [
        BOSS,
        ['Impersonate-User', 'bob'],
        ...MANY.map((one) => ['Impersonate-Group', one] as const),
      ],
      want: user('bob', [...MANY, AUTHENTICATED]),
    },
    {
      name: 'a uid and extra',
      lines: [
        BOSS,
        ['Impersonate-User', 'bob'],
        ['Impersonate-Uid', 'u9'],
        ['Impersonate-Extra-acme.io%2Fx', '1'],
        ['Impersonate-Extra-Acme.io%2fX', '2'],
      ],
      want: user('bob', [AUTHENTICATED], { uid: 'u9', extra: { 'acme.io/x': ['1', '2'] } }),
    },
    {
      name: 'identity headers beside do not count',
      lines: [BOSS, ['Impersonate-User', 'bob'], ['X-Remote-Group', 'system:masters']],
      want: user('bob', [AUTHENTICATED]),
    },
  ];

  const refused: { name: string; sender: Sender; lines: Lines; code: number; message: RegExp }[] = [
    {
      name: 'a user who may not',
      sender: 'carol',
      lines: [['Impersonate-User', 'bob']],
      code: 403,
      message: /User "carol" cannot impersonate-on:user-info:list resource "pods"/,
    },
    {
      name: 'nobody',
      sender: 'nobody',
      lines: [['Impersonate-User', 'bob']],
      code: 403,
      message: /User "system:anonymous" cannot impersonate/,
    },
    {
      name: 'a user through the proxy who may not',
      sender: 'proxy',
      lines: [
        ['X-Remote-User', 'dave'],
        ['Impersonate-User', 'boss'],
      ],
      code: 403,
      message: /User "dave" cannot impersonate/,
    },
    {
      name: 'one of the groups is not allowed',
      sender: 'nobody',
      lines: [
        BOSS,
        ['Impersonate-User', 'bob'],
        ['Impersonate-Group', 'a'],
        ['Impersonate-Group', 'root'],
      ],
      code: 403,
      message: /User "boss" cannot impersonate/,
    },
    {
      name: 'groups without a user',
      sender: 'nobody',
      lines: [BOSS, ['Impersonate-Group', 'system:masters']],
      code: 400,
      message: /^requested &user\.DefaultInfo\{Name:"".*without impersonating a user name$/,
    },
  ];

  for (const http of PROTOCOLS) {
    for (const { name, sender, lines, want } of known) {
      test(`HTTP/${http}: ${name}`, async () => {
        const { code, body } = await send(http, sender, lines);
        assert.equal(code, 200);
        const { extra, ...rest } = body.user;
        const { 'authentication.kubernetes.io/credential-id': _, ...others } = extra;
        assert.deepEqual({ ...rest, extra: others }, want);
        const standard = /^(authorization|x-remote-(user|uid|group)|x-remote-extra-.*)$/;
        assert.deepEqual(
          body.left.filter((one) => standard.test(one)),
          [],
          'nobody further in sees them',
        );
      });
    }
    for (const { name, sender, lines } of rejected) {
      test(`HTTP/${http}: ${name} is 401`, async () => {
        const { code, body } = await send(http, sender, lines);
        assert.deepEqual([code, body.message], [401, 'Unauthorized']);
      });
    }
    for (const { name, lines, want } of impersonated) {
      test(`HTTP/${http}: impersonation: ${name}`, async () => {
        const { code, body } = await send(http, 'nobody', lines);
        assert.equal(code, 200, JSON.stringify(body));
        assert.deepEqual(body, { user: want, left: [] });
      });
    }
    for (const { name, sender, lines, code, message } of refused) {
      test(`HTTP/${http}: impersonation: ${name}: ${code}`, async () => {
        const response = await send(http, sender, lines);
        assert.equal(response.code, code);
        assert.match(response.body.message ?? '', message);
      });
    }
  }
});

interface EchoResponse {
  readonly code: number;
  readonly text: string;
}

type Identity = { readonly ca: string } & Partial<KeyPair>;

/** Each line as it is given, in its own letters. */
async function overHttp1(url: string, identity: Identity, lines: Lines): Promise<EchoResponse> {
  const { host } = new URL(url);
  const request = httpsRequest(url, {
    ...identity,
    agent: false,
    headers: ['Host', host, ...lines.flat()] as unknown as Record<string, string>,
  });
  request.end();
  const [response] = await once(request, 'response');
  return { code: response.statusCode, text: await textOf(response) };
}

/** Names are in lower case here; a repeated name is several lines. */
async function overHttp2(url: string, identity: Identity, lines: Lines): Promise<EchoResponse> {
  const { origin, pathname } = new URL(url);
  const session = connect(origin, { ...identity, settings: { maxHeaderListSize: 1024 * 1024 } });
  try {
    const headers: Record<string, string | string[]> = { ':path': pathname };
    for (const [name, value] of lines) {
      const before = headers[name.toLowerCase()] ?? [];
      headers[name.toLowerCase()] = [...[before].flat(), value];
    }
    // The one header of which HTTP/2 allows one line only.
    if (headers.authorization) headers.authorization = [headers.authorization].flat().join('');
    const stream = session.request(headers);
    const [head] = await once(stream, 'response');
    return { code: Number(head[':status']), text: await textOf(stream) };
  } finally {
    session.close();
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
