import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SignJWT } from 'jose';
import {
  type Cluster,
  ISSUER,
  NOW_MS,
  NOW_SECONDS,
  newCluster,
  newKeys,
} from '../../../test/service-account-fixture.ts';
import type { TokenAuthentication } from '../token-lookup.ts';
import { type BoundTokenClaims, issueToken } from './issue-token.ts';
import type { ServiceAccountTokenOptions } from './types.ts';
import { legacyServiceAccountTokens, serviceAccountTokens } from './verify-token.ts';

const keys = newKeys();
const CLAIMS: BoundTokenClaims = {
  namespace: 'ns1',
  serviceAccount: { name: 'bot', uid: 'sa-1' },
  audiences: [ISSUER],
  jti: 'id-1',
  issuedAtSeconds: NOW_SECONDS,
  expiresAtSeconds: NOW_SECONDS + 3600,
};

interface Setting {
  readonly claims?: Partial<BoundTokenClaims>;
  readonly issuer?: string;
  readonly audiences?: readonly string[];
  readonly options?: Partial<ServiceAccountTokenOptions>;
  readonly change?: (cluster: Cluster) => void;
}

async function verify(setting: Setting = {}): Promise<TokenAuthentication> {
  const cluster = newCluster();
  setting.change?.(cluster);
  const lookup = serviceAccountTokens({
    keys: () => keys,
    issuers: [ISSUER, 'https://old.example.com'],
    apiAudiences: [ISSUER, 'api'],
    live: cluster,
    nowMs: () => NOW_MS,
    ...setting.options,
  });
  const signer = { key: keys.signing, issuer: setting.issuer ?? ISSUER };
  return lookup(await issueToken(signer, { ...CLAIMS, ...setting.claims }), setting.audiences);
}

const deletedAgo = (seconds: number) => new Date(NOW_MS - seconds * 1000).toISOString();

describe('bound tokens of service accounts', () => {
  const pod = { name: 'web', uid: 'pod-1' };
  const node = { name: 'n1', uid: 'node-1' };
  const secret = { name: 'bot-secret', uid: 'secret-1' };
  const EXTRA = 'authentication.kubernetes.io';

  const users = [
    { name: 'bound to the account only', claims: {}, extra: {} },
    {
      name: 'of a pod',
      claims: { pod },
      extra: { [`${EXTRA}/pod-name`]: ['web'], [`${EXTRA}/pod-uid`]: ['pod-1'] },
    },
    {
      name: 'of a pod on a deleted node',
      claims: { pod, node: { name: 'gone', uid: '' } },
      extra: {
        [`${EXTRA}/pod-name`]: ['web'],
        [`${EXTRA}/pod-uid`]: ['pod-1'],
        [`${EXTRA}/node-name`]: ['gone'],
      },
    },
    {
      name: 'of a node',
      claims: { node },
      extra: { [`${EXTRA}/node-name`]: ['n1'], [`${EXTRA}/node-uid`]: ['node-1'] },
    },
    { name: 'of a secret', claims: { secret }, extra: {} },
  ];
  for (const { name, claims, extra } of users) {
    test(`a token ${name}`, async () => {
      assert.deepEqual(await verify({ claims }), {
        outcome: 'authenticated',
        user: {
          name: 'system:serviceaccount:ns1:bot',
          uid: 'sa-1',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:ns1'],
          extra: { ...extra, [`${EXTRA}/credential-id`]: ['JTI=id-1'] },
        },
        audiences: [ISSUER],
      });
    });
  }

  const accepted: { name: string; setting: Setting; audiences?: string[] }[] = [
    {
      name: 'expired within the leeway',
      setting: { claims: { expiresAtSeconds: NOW_SECONDS - 60 } },
    },
    {
      name: 'issued ahead within the leeway',
      setting: { claims: { issuedAtSeconds: NOW_SECONDS + 60 } },
    },
    { name: 'of another accepted issuer', setting: { issuer: 'https://old.example.com' } },
    {
      name: 'for a requested audience',
      setting: { claims: { audiences: ['vault', 'x'] }, audiences: ['y', 'vault'] },
      audiences: ['vault'],
    },
    {
      name: 'without audiences, which means this server',
      setting: { claims: { audiences: [] } },
      audiences: [ISSUER, 'api'],
    },
    {
      name: 'of an account deleted within the leeway',
      setting: {
        change: ({ accounts }) => {
          accounts[0] = {
            metadata: { ...accounts[0]?.metadata, deletionTimestamp: deletedAgo(59) } as never,
          };
        },
      },
    },
  ];
  for (const { name, setting, audiences = [ISSUER] } of accepted) {
    test(`accepted: ${name}`, async () => {
      const result = await verify(setting);
      assert.equal(result.outcome, 'authenticated', JSON.stringify(result));
      assert.deepEqual(result.audiences, audiences);
    });
  }

  const rejected: { name: string; setting: Setting; why: string }[] = [
    {
      name: 'expired',
      setting: { claims: { expiresAtSeconds: NOW_SECONDS - 61 } },
      why: 'service account token has expired',
    },
    {
      name: 'not valid yet',
      setting: { claims: { issuedAtSeconds: NOW_SECONDS + 61 } },
      why: 'service account token is not valid yet',
    },
    {
      name: 'for other audiences',
      setting: { claims: { audiences: ['vault', 'x'] } },
      why: `token audiences ["vault" "x"] is invalid for the target audiences ["${ISSUER}" "api"]`,
    },
    {
      name: 'for this server, when others are requested',
      setting: { audiences: ['vault'] },
      why: `token audiences ["${ISSUER}"] is invalid for the target audiences ["vault"]`,
    },
    {
      name: 'of a deleted account',
      setting: { change: ({ accounts }) => void accounts.pop() },
      why: 'serviceaccounts "bot" not found',
    },
    {
      name: 'of an account that was created again',
      setting: { claims: { serviceAccount: { name: 'bot', uid: 'sa-0' } } },
      why: 'service account UID (sa-1) does not match claim (sa-0)',
    },
    {
      name: 'of an account deleted before the leeway',
      setting: {
        change: ({ accounts }) => {
          accounts[0] = {
            metadata: { ...accounts[0]?.metadata, deletionTimestamp: deletedAgo(61) } as never,
          };
        },
      },
      why: 'service account ns1/bot has been deleted',
    },
    {
      name: 'of a deleted pod',
      setting: { claims: { pod }, change: ({ pods }) => void pods.pop() },
      why: 'service account token has been invalidated',
    },
    {
      name: 'of a pod that was created again',
      setting: { claims: { pod: { name: 'web', uid: 'pod-0' } } },
      why: 'pod UID (pod-1) does not match service account pod ref claim (pod-0)',
    },
    {
      name: 'of a pod deleted before the leeway',
      setting: {
        claims: { pod },
        change: ({ pods }) => {
          pods[0] = {
            metadata: { ...pods[0]?.metadata, deletionTimestamp: deletedAgo(61) } as never,
          };
        },
      },
      why: 'service account token has been invalidated',
    },
    {
      name: 'of a deleted secret',
      setting: { claims: { secret }, change: ({ secrets }) => void secrets.pop() },
      why: 'service account token has been invalidated',
    },
    {
      name: 'of a secret that was created again',
      setting: { claims: { secret: { name: 'bot-secret', uid: 'secret-0' } } },
      why: 'secret UID (secret-1) does not match service account secret ref claim (secret-0)',
    },
    {
      name: 'of a deleted node',
      setting: { claims: { node }, change: ({ nodes }) => void nodes.pop() },
      why: 'service account token has been invalidated',
    },
    {
      name: 'of a node that was created again',
      setting: { claims: { node: { name: 'n1', uid: 'node-0' } } },
      why: 'node UID (node-1) does not match service account node ref claim (node-0)',
    },
    {
      name: 'while the store is unavailable',
      setting: {
        change: (cluster) => {
          cluster.serviceAccount = () => Promise.reject(new Error('the store is unavailable'));
        },
      },
      why: 'the store is unavailable',
    },
    {
      name: 'with a removed key',
      setting: { options: { keys: () => newKeys() } },
      why: 'invalid signature, no keys found',
    },
  ];
  for (const { name, setting, why } of rejected) {
    test(`rejected: ${name}`, async () => {
      assert.deepEqual(await verify(setting), { outcome: 'rejected', reason: why });
    });
  }

  test('use of an extended token is reported', async () => {
    const reported: unknown[] = [];
    const onStaleToken = (...all: unknown[]) => void reported.push(all);
    for (const warnAfterSeconds of [NOW_SECONDS - 7, NOW_SECONDS + 7]) {
      await verify({ claims: { warnAfterSeconds }, options: { onStaleToken } });
    }
    assert.deepEqual(reported, [['system:serviceaccount:ns1:bot', 7]]);
  });
});

describe('tokens of other kinds', () => {
  const lookup = serviceAccountTokens({
    keys: () => keys,
    issuers: [ISSUER],
    apiAudiences: [ISSUER],
    live: newCluster(),
    nowMs: () => NOW_MS,
  });
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = part({ alg: 'ES256', kid: keys.signing.kid });
  const claims = part({ iss: ISSUER });
  const cases = [
    { name: 'any text', token: 'abc', want: 'no-opinion' },
    { name: 'two parts', token: `${header}.${claims}`, want: 'no-opinion' },
    {
      name: 'a very long token',
      token: `${header}.${part({ iss: ISSUER, more: 'x'.repeat(64 * 1024) })}.x`,
      want: 'no-opinion',
    },
    { name: 'four parts', token: `${header}.${claims}.x.y`, want: 'no-opinion' },
    { name: 'claims that are not JSON', token: `${header}.eHg.x`, want: 'no-opinion' },
    { name: 'claims that are a list', token: `${header}.${part([])}.x`, want: 'no-opinion' },
    {
      name: 'another issuer',
      token: `${header}.${part({ iss: 'https://x' })}.x`,
      want: 'no-opinion',
    },
    {
      name: 'an issuer that is not a string',
      token: `${header}.${part({ iss: [ISSUER] })}.x`,
      want: 'no-opinion',
    },
    { name: 'an invalid signature', token: `${header}.${claims}.x`, want: 'rejected' },
    { name: 'no signature', token: `${part({ alg: 'none' })}.${claims}.`, want: 'rejected' },
    {
      name: 'a symmetric signature with the public key',
      token: `${part({ alg: 'HS256', kid: keys.signing.kid })}.${claims}.x`,
      want: 'rejected',
    },
  ];
  for (const { name, token, want } of cases) {
    test(name, async () => assert.equal((await lookup(token)).outcome, want));
  }

  test('unknown tokens are passed on synchronously', () => {
    assert.ok(!(lookup('abc') instanceof Promise));
  });

  test('a token signed by another key with a known kid is rejected', async () => {
    const other = newKeys();
    const forged = { ...other.signing, kid: keys.signing.kid };
    const token = await issueToken({ key: forged, issuer: ISSUER }, CLAIMS);
    assert.deepEqual(await lookup(token), {
      outcome: 'rejected',
      reason: 'go-jose/go-jose: error in cryptographic primitive',
    });
  });

  test('a token with modified claims is rejected', async () => {
    const token = await issueToken({ key: keys.signing, issuer: ISSUER }, CLAIMS);
    const [head, body = '', signature] = token.split('.');
    const changed = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), sub: 'x' };
    const result = await lookup(`${head}.${part(changed)}.${signature}`);
    assert.equal(result.outcome, 'rejected');
  });

  test('the header of a token has alg and kid only', async () => {
    const token = await issueToken({ key: keys.signing, issuer: ISSUER }, CLAIMS);
    const [head = '', body = ''] = token.split('.');
    const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString());
    assert.deepEqual(read(head), { alg: 'ES256', kid: keys.signing.kid });
    assert.deepEqual(read(body), {
      aud: [ISSUER],
      exp: NOW_SECONDS + 3600,
      iat: NOW_SECONDS,
      iss: ISSUER,
      jti: 'id-1',
      'kubernetes.io': { namespace: 'ns1', serviceaccount: { name: 'bot', uid: 'sa-1' } },
      nbf: NOW_SECONDS,
      sub: 'system:serviceaccount:ns1:bot',
    });
  });
});

describe('legacy tokens in Secrets', () => {
  const PREFIX = 'kubernetes.io/serviceaccount';
  const GOOD = {
    iss: 'kubernetes/serviceaccount',
    sub: 'system:serviceaccount:ns1:bot',
    [`${PREFIX}/namespace`]: 'ns1',
    [`${PREFIX}/secret.name`]: 'bot-secret',
    [`${PREFIX}/service-account.name`]: 'bot',
    [`${PREFIX}/service-account.uid`]: 'sa-1',
  };

  async function verifyLegacy(
    claims: Record<string, string>,
    change: (cluster: Cluster) => void = () => {},
  ) {
    const { kid, algorithm, key } = keys.signing;
    const token = await new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid }).sign(key);
    const cluster = newCluster();
    const [secret] = cluster.secrets;
    if (secret === undefined) assert.fail();
    cluster.secrets[0] = { ...secret, data: { token: Buffer.from(token).toString('base64') } };
    change(cluster);
    const uses: unknown[] = [];
    const lookup = legacyServiceAccountTokens({
      keys: () => keys,
      issuers: [ISSUER],
      apiAudiences: [ISSUER],
      live: cluster,
      nowMs: () => NOW_MS,
      onLegacyTokenUse: (use) => void uses.push(use),
    });
    return { result: await lookup(token), uses };
  }

  const labeled = (labels: Record<string, string>) => (cluster: Cluster) => {
    const [secret] = cluster.secrets;
    if (secret) cluster.secrets[0] = { ...secret, metadata: { ...secret.metadata, labels } };
  };

  test('authenticate the account, and their use is reported once a day', async () => {
    const { result, uses } = await verifyLegacy(GOOD);
    assert.deepEqual(result, {
      outcome: 'authenticated',
      user: {
        name: 'system:serviceaccount:ns1:bot',
        uid: 'sa-1',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns1'],
        extra: {},
      },
      audiences: [ISSUER],
      notes: { annotations: { 'authentication.k8s.io/legacy-token-manual-secret': 'bot-secret' } },
    });
    const use = { namespace: 'ns1', name: 'bot-secret', uid: 'secret-1', date: '2023-11-14' };
    assert.deepEqual(uses, [use]);
    for (const date of ['2023-11-14', '2023-11-15']) {
      const again = await verifyLegacy(
        GOOD,
        labeled({ 'kubernetes.io/legacy-token-last-used': date }),
      );
      assert.deepEqual(again.uses, []);
    }
  });

  test('that were auto-generated cause a warning', async () => {
    const { result } = await verifyLegacy(GOOD, (cluster) => {
      const [account] = cluster.accounts;
      if (account) cluster.accounts[0] = { ...account, secrets: [{ name: 'bot-secret' }] };
    });
    assert.deepEqual(result.outcome === 'authenticated' && result.notes, {
      warnings: [
        'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.',
      ],
      annotations: { 'authentication.k8s.io/legacy-token-autogenerated-secret': 'bot-secret' },
    });
  });

  const without = (claim: string) => {
    const { [claim]: _, ...others } = GOOD as Record<string, string>;
    return others;
  };
  const rejected = [
    { name: 'no subject', claims: without('sub'), why: 'sub claim is missing' },
    {
      name: 'no namespace',
      claims: without(`${PREFIX}/namespace`),
      why: 'namespace claim is missing',
    },
    {
      name: 'no secret',
      claims: without(`${PREFIX}/secret.name`),
      why: 'secretName claim is missing',
    },
    {
      name: 'no account',
      claims: without(`${PREFIX}/service-account.name`),
      why: 'serviceAccountName claim is missing',
    },
    {
      name: 'no uid',
      claims: without(`${PREFIX}/service-account.uid`),
      why: 'serviceAccountUID claim is missing',
    },
    {
      name: 'another subject',
      claims: { ...GOOD, sub: 'system:serviceaccount:ns1:root' },
      why: 'sub claim is invalid',
    },
    {
      name: 'a deleted secret',
      change: ({ secrets }: Cluster) => void secrets.pop(),
      why: 'Token has been invalidated',
    },
    {
      name: 'a secret with another token',
      change: ({ secrets }: Cluster) => {
        const [secret] = secrets;
        if (secret) secrets[0] = { ...secret, data: { token: 'eA==' } };
      },
      why: "Token does not match server's copy",
    },
    {
      name: 'a deleted account',
      change: ({ accounts }: Cluster) => void accounts.pop(),
      why: 'serviceaccounts "bot" not found',
    },
    {
      name: 'an account that was made anew',
      change: ({ accounts }: Cluster) => {
        accounts[0] = { metadata: { namespace: 'ns1', name: 'bot', uid: 'sa-2' } as never };
      },
      why: 'ServiceAccount UID (sa-2) does not match claim (sa-1)',
    },
    {
      name: 'a secret marked as invalid',
      change: labeled({ 'kubernetes.io/legacy-token-invalid-since': '2023-01-01' }),
      why: "the token in secret ns1/bot-secret for service account ns1/bot has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the 'kubernetes.io/legacy-token-invalid-since' label from the secret to temporarily allow use of this token",
    },
  ];
  for (const { name, claims = GOOD, change, why } of rejected) {
    test(`rejected: ${name}`, async () => {
      const { result } = await verifyLegacy(claims, change);
      assert.deepEqual(result, { outcome: 'rejected', reason: why });
    });
  }
});
