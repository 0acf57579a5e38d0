import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TokenRequest } from '@tributary/api/authentication-v1';
import { StatusError } from '@tributary/apimachinery';
import {
  ISSUER,
  NOW_MS,
  NOW_SECONDS,
  newCluster,
  newKeys,
} from '../../../test/service-account-fixture.ts';
import { readUnverified } from '../unverified-token.ts';
import { issueServiceAccountToken, type TokenRequestOptions } from './token-request.ts';
import { serviceAccountTokens } from './verify-token.ts';

const keys = newKeys();

interface Sent {
  readonly metadata?: object;
  readonly spec?: object;
}

async function issue(sent: Sent = {}, options: Partial<TokenRequestOptions> = {}) {
  const cluster = newCluster();
  const warnings: string[] = [];
  const annotations: string[] = [];
  const [serviceAccount] = cluster.accounts;
  if (serviceAccount === undefined) assert.fail();
  const response = await issueServiceAccountToken(
    {
      keys: () => keys,
      issuer: ISSUER,
      apiAudiences: [ISSUER, 'api'],
      live: cluster,
      nowMs: () => NOW_MS + 999,
      ...options,
    },
    {
      serviceAccount,
      request: { metadata: {}, spec: {}, ...sent } as unknown as TokenRequest,
      warn: (text) => warnings.push(text),
      annotate: (key, value) => annotations.push(`${key}=${value}`),
    },
  );
  const claims = readUnverified(response.status.token)?.claims ?? {};
  return { response, claims, warnings, annotations, cluster };
}

const boundTo = (reference: object) => ({ spec: { boundObjectRef: reference } });

describe('TokenRequest', () => {
  test('gets defaults and a token', async () => {
    const { response, claims, annotations, warnings } = await issue();
    assert.deepEqual(
      { ...response, status: { ...response.status, token: '' } },
      {
        kind: 'TokenRequest',
        apiVersion: 'authentication.k8s.io/v1',
        metadata: {
          name: 'bot',
          namespace: 'ns1',
          uid: 'sa-1',
          creationTimestamp: '2023-11-14T22:13:20Z',
        },
        spec: { audiences: [ISSUER, 'api'], expirationSeconds: 3600, boundObjectRef: null },
        status: { token: '', expirationTimestamp: '2023-11-14T23:13:20Z' },
      },
    );
    const { jti, ...others } = claims;
    assert.deepEqual(others, {
      aud: [ISSUER, 'api'],
      exp: NOW_SECONDS + 3600,
      iat: NOW_SECONDS,
      iss: ISSUER,
      'kubernetes.io': { namespace: 'ns1', serviceaccount: { name: 'bot', uid: 'sa-1' } },
      nbf: NOW_SECONDS,
      sub: 'system:serviceaccount:ns1:bot',
    });
    assert.deepEqual(annotations, [`authentication.kubernetes.io/issued-credential-id=JTI=${jti}`]);
    assert.deepEqual(warnings, []);
  });

  test('keeps requested values', async () => {
    const { response, claims } = await issue({
      metadata: { name: 'bot', namespace: 'ns1', uid: 'sa-1', labels: { a: 'b' } },
      spec: { audiences: ['vault'], expirationSeconds: 600 },
    });
    assert.deepEqual(response.metadata.labels, { a: 'b' });
    assert.equal(response.spec.expirationSeconds, 600);
    assert.deepEqual(claims.aud, ['vault']);
    assert.equal(claims.exp, NOW_SECONDS + 600);
  });

  const bindings = [
    {
      reference: { kind: 'Pod', apiVersion: 'v1', name: 'web' },
      want: { pod: { name: 'web', uid: 'pod-1' }, node: { name: 'n1', uid: 'node-1' } },
    },
    {
      reference: { kind: 'Pod', name: 'web', uid: 'pod-1' },
      want: { pod: { name: 'web', uid: 'pod-1' }, node: { name: 'n1', uid: 'node-1' } },
    },
    {
      reference: { kind: 'Secret', apiVersion: 'v1', name: 'bot-secret', uid: 'secret-1' },
      want: { secret: { name: 'bot-secret', uid: 'secret-1' } },
    },
    {
      reference: { kind: 'Node', apiVersion: 'v1', name: 'n1' },
      want: { node: { name: 'n1', uid: 'node-1' } },
    },
  ];
  for (const { reference, want } of bindings) {
    test(`binds the token to ${JSON.stringify(reference)}`, async () => {
      const { claims, response, cluster } = await issue(boundTo(reference));
      assert.deepEqual(claims['kubernetes.io'], {
        namespace: 'ns1',
        serviceaccount: { name: 'bot', uid: 'sa-1' },
        ...want,
      });
      const lookup = serviceAccountTokens({
        keys: () => keys,
        issuers: [ISSUER],
        apiAudiences: [ISSUER],
        live: cluster,
        nowMs: () => NOW_MS,
      });
      assert.equal((await lookup(response.status.token)).outcome, 'authenticated');
    });
  }

  test('names the node of a pod even if it was deleted', async () => {
    const live = newCluster();
    live.nodes.pop();
    const { claims } = await issue(boundTo({ kind: 'Pod', apiVersion: 'v1', name: 'web' }), {
      live,
    });
    const { node } = claims['kubernetes.io'] as { node: unknown };
    assert.deepEqual(node, { name: 'n1' });
  });

  const rejected = [
    {
      name: 'another name',
      sent: { metadata: { name: 'root' } },
      code: 422,
      message:
        'TokenRequest.authentication.k8s.io "bot" is invalid: metadata.name: Invalid value: "root": must match the service account name if specified',
    },
    {
      name: 'another namespace and name',
      sent: { metadata: { namespace: 'ns2', name: 'root' } },
      code: 400,
      message:
        'the namespace of the provided object does not match the namespace sent on the request',
    },
    {
      name: 'another uid',
      sent: { metadata: { uid: 'sa-0' } },
      code: 409,
      message:
        'Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "bot": the UID in the token request (sa-0) does not match the UID of the service account (sa-1)',
    },
    {
      name: 'an expiration that is too short',
      sent: { spec: { expirationSeconds: 599 } },
      code: 422,
      message:
        'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    },
    {
      name: 'an expiration of 0',
      sent: { spec: { expirationSeconds: 0 } },
      code: 422,
      message:
        'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 0: may not specify a duration less than 10 minutes',
    },
    {
      name: 'an expiration that is too long',
      sent: { spec: { expirationSeconds: 9_223_372_036_854_775_807n } },
      code: 422,
      message:
        'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 9223372036854775807: may not specify a duration larger than 2^32 seconds',
    },
    {
      name: 'a pod that does not exist',
      sent: boundTo({ kind: 'Pod', apiVersion: 'v1', name: 'gone' }),
      code: 404,
      message: 'pods "gone" not found',
    },
    {
      name: 'a secret that does not exist',
      sent: boundTo({ kind: 'Secret', apiVersion: 'v1', name: 'gone' }),
      code: 404,
      message: 'secrets "gone" not found',
    },
    {
      name: 'a node that does not exist',
      sent: boundTo({ kind: 'Node', apiVersion: 'v1', name: 'gone' }),
      code: 404,
      message: 'nodes "gone" not found',
    },
    {
      name: 'a pod of another uid',
      sent: boundTo({ kind: 'Pod', apiVersion: 'v1', name: 'web', uid: 'pod-0' }),
      code: 409,
      message:
        'Operation cannot be fulfilled on Pod "web": the UID in the bound object reference (pod-0) does not match the UID in record. The object might have been deleted and then recreated',
    },
    {
      name: 'another kind',
      sent: boundTo({ kind: 'ConfigMap', apiVersion: 'v1', name: 'a' }),
      code: 400,
      message: 'cannot bind token to object of type /v1, Kind=ConfigMap',
    },
    {
      name: 'a pod of another group',
      sent: boundTo({ kind: 'Pod', apiVersion: 'apps/v1', name: 'web' }),
      code: 400,
      message: 'cannot bind token to object of type apps/v1, Kind=Pod',
    },
    {
      name: 'an empty reference',
      sent: boundTo({}),
      code: 400,
      message: 'cannot bind token to object of type /, Kind=',
    },
  ];
  for (const { name, sent, code, message } of rejected) {
    test(`rejects ${name}`, async () => {
      await assert.rejects(issue(sent), (error) => {
        assert.ok(error instanceof StatusError);
        assert.deepEqual([error.code, error.message], [code, message]);
        return true;
      });
    });
  }

  test('rejects the pod of another account', async () => {
    const live = newCluster();
    live.pods[0] = {
      metadata: { name: 'web', namespace: 'ns1', uid: 'pod-1' } as never,
      spec: { serviceAccountName: 'other' },
    };
    await assert.rejects(issue(boundTo({ kind: 'Pod', name: 'web' }), { live }), {
      message:
        'cannot bind token for serviceaccount "bot" to pod running with different serviceaccount name.',
    });
  });

  test('shortens a long expiration with a warning', async () => {
    const { response, claims, warnings } = await issue(
      { spec: { expirationSeconds: 7200 } },
      { maxExpirationSeconds: 4000 },
    );
    assert.equal(response.spec.expirationSeconds, 4000);
    assert.equal(claims.exp, NOW_SECONDS + 4000);
    assert.deepEqual(warnings, ['requested expiration of 7200 seconds shortened to 4000 seconds']);
  });

  const POD = { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'web' } };
  const YEAR = 365 * 24 * 3600;
  const extended = [
    { name: 'of a pod', spec: { ...POD, expirationSeconds: 3607 }, want: YEAR },
    {
      name: 'of a pod for this server',
      spec: { ...POD, expirationSeconds: 3607, audiences: ['api'] },
      want: YEAR,
    },
    {
      name: 'of a pod for other audiences',
      spec: { ...POD, expirationSeconds: 3607, audiences: ['api', 'x'] },
      want: 3607,
    },
    {
      name: 'of a pod with another expiration',
      spec: { ...POD, expirationSeconds: 3608 },
      want: 3608,
    },
    { name: 'without a bound object', spec: { expirationSeconds: 3607 }, want: 3607 },
    {
      name: 'of a pod, with extension disabled',
      spec: { ...POD, expirationSeconds: 3607 },
      want: 3607,
      extendExpiration: false,
    },
  ];
  for (const { name, spec, want, extendExpiration = true } of extended) {
    test(`for 3607 seconds ${name} expires after ${want} seconds`, async () => {
      const { response, claims } = await issue({ spec }, { extendExpiration });
      assert.equal(claims.exp, NOW_SECONDS + want);
      const { warnafter } = claims['kubernetes.io'] as { warnafter?: number };
      assert.equal(warnafter, want === YEAR ? NOW_SECONDS + 3607 : undefined);
      assert.equal(
        response.spec.expirationSeconds,
        spec.expirationSeconds,
        'the status does not show the extension',
      );
    });
  }
});
