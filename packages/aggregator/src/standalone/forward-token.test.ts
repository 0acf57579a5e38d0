import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { StatusError } from '@tributary/apimachinery';
import {
  type Backend,
  BackendFailure,
  type BackendRequest,
  type BackendResponse,
  type Backends,
  defaultBackendLimits,
} from '@tributary/proxy';
import type { RemoteServer } from '../api-services/registration.ts';
import { forwardToken } from './forward-token.ts';

const URL_TARGET = { url: new URL('https://wardle:443') };
const LENT = { ...URL_TARGET, forwardsToken: true };

const sent: {
  name: string;
  remote: Partial<RemoteServer>;
  token?: string;
  want: string | undefined;
}[] = [
  { name: 'not without consent', remote: URL_TARGET, token: 'a', want: undefined },
  { name: 'with consent', remote: LENT, token: 'a', want: 'Bearer a' },
  { name: 'not to a service', remote: { forwardsToken: true }, token: 'a', want: undefined },
  {
    name: 'not to who has not proved who it is',
    remote: { ...LENT, insecureSkipTlsVerify: true },
    token: 'a',
    want: undefined,
  },
  { name: 'not where there is none', remote: LENT, want: undefined },
];
for (const { name, remote, token, want } of sent) {
  test(`a token is lent: ${name}`, async () => {
    const { backend, received } = lending(remote, { token: async () => token });
    for (const use of ['request', 'watch', 'probe'] as const) await backend.send(request(use));
    const lines = received.map(
      ({ headers }) => headers.find(([line]) => line === 'authorization')?.[1],
    );
    assert.deepEqual(lines, [want, want, want]);
  });
}

const forbidden = (user: string) =>
  JSON.stringify({ message: `x is forbidden: User "${user}" cannot` });
const refused: {
  name: string;
  status: number;
  body?: string;
  remote?: Partial<RemoteServer>;
  isShared?: boolean;
  want: RegExp | undefined;
}[] = [
  { name: 'an answer', status: 200, body: 'all', want: undefined },
  { name: 'a refusal of the user', status: 403, body: forbidden('jane'), want: undefined },
  { name: 'a long refusal', status: 403, body: 'x'.repeat(100_000), want: undefined },
  {
    name: 'nobody is known',
    status: 401,
    want: /^a\.io\/v1 at wardle:443 does not accept this aggregator as its front proxy, it answered 401: let it trust \/ca\.crt \(--requestheader-client-ca-file\), or annotate the APIService v1\.a\.io with aggregation\.tributary\.dev\/forward-bearer-token: "true"/,
  },
  {
    name: 'everybody is anybody',
    status: 403,
    body: forbidden('system:anonymous'),
    want: /it answered 403: let it trust/,
  },
  {
    name: 'the token is refused, too',
    status: 401,
    remote: LENT,
    want: /did not accept a token of your kubeconfig either, or there is none; let it trust/,
  },
  {
    name: 'consent that cannot count',
    status: 401,
    remote: { forwardsToken: true },
    want: /your own token is sent only to a URL/,
  },
  { name: 'one for many', status: 401, isShared: true, want: /let it trust \/ca\.crt \([^)]*\)$/ },
];
for (const { name, status, body = '', remote = {}, isShared = false, want } of refused) {
  test(`a server that does not believe us: ${name}`, async () => {
    const token = isShared ? undefined : async () => undefined;
    const { backend } = lending(remote, { token, status, body });
    if (want === undefined) {
      const response = await backend.send(request('request'));
      assert.deepEqual([response.status, await text(response.body)], [status, body]);
      return;
    }
    await assert.rejects(backend.send(request('request')), (error) => {
      assert.ok(error instanceof StatusError);
      assert.equal(error.code, 503);
      assert.match(error.message, want);
      return true;
    });
    // The words of a probe become those of the condition.
    await assert.rejects(backend.send(request('probe')), (error) => {
      assert.ok(error instanceof BackendFailure);
      assert.match(error.message, want);
      return true;
    });
  });
}

test('a token that cannot be had is said', async () => {
  const token = async () => Promise.reject(new Error('the plugin failed'));
  const { backend } = lending(LENT, { token });
  await assert.rejects(
    backend.send(request('request')),
    /no token of the user to send: the plugin/,
  );
});

function request(use: BackendRequest['use']): BackendRequest {
  const { signal } = new AbortController();
  return { method: 'GET', path: '/', headers: [], body: undefined, signal, use };
}

function lending(
  remote: Partial<RemoteServer>,
  {
    token,
    status = 200,
    body = '',
  }: {
    token: (() => Promise<string | undefined>) | undefined;
    status?: number;
    body?: string;
  },
) {
  const received: BackendRequest[] = [];
  const registration = {
    ...{ name: 'v1.a.io', uid: '', group: 'a.io', version: 'v1' },
    ...{ groupPriorityMinimum: 1, versionPriority: 1 },
    remote: {
      service: { namespace: 'a', name: 'b', port: 443 },
      ...{ url: undefined, caBundle: undefined, insecureSkipTlsVerify: false },
      ...{ limits: defaultBackendLimits, forwardsToken: false },
      ...remote,
    },
  };
  const target = { host: 'wardle', port: 443, serverName: 'wardle' };
  const send = async (asked: BackendRequest): Promise<BackendResponse> => {
    received.push(asked);
    const chunks = (async function* () {
      for (let at = 0; at < body.length; at += 10_000)
        yield Buffer.from(body.slice(at, at + 10_000));
    })();
    return { status, headers: [], body: chunks, target, cancel() {} };
  };
  const plain = { registration, send, dropIdle() {} } as unknown as Backend;
  const backends = { of: () => plain } as unknown as Backends;
  const lent = forwardToken(backends, { token, frontProxyCaFile: '/ca.crt' });
  return { backend: lent.of(registration), received };
}
