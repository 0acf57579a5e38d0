import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ISSUER, NOW_MS, newCluster, newKeys } from '../../../test/service-account-fixture.ts';
import { completeTokenSecret, tokenSecretType } from './token-secret.ts';
import type { SecretObject } from './types.ts';
import { legacyServiceAccountTokens } from './verify-token.ts';

const keys = newKeys();
const dependencies = { key: keys.signing, rootCa: 'the authority' };
const [account] = newCluster().accounts;
const text = (encoded = '') => Buffer.from(encoded, 'base64').toString();

function secretOf(annotations: Record<string, string>, more: object = {}): SecretObject {
  const metadata = { name: 'bot-secret', namespace: 'ns1', uid: 'secret-1', annotations };
  return { metadata, type: tokenSecretType, ...more } as SecretObject;
}
const NAMED = { 'kubernetes.io/service-account.name': 'bot' };

describe('token Secrets', () => {
  test('get a valid token once', async () => {
    const secret = secretOf({ ...NAMED, other: 'unchanged' }, { data: { mine: 'eA==' } });
    const done = await completeTokenSecret(secret, account, dependencies);
    assert.ok(done.action === 'update');
    const { data = {}, metadata } = done.secret;
    assert.deepEqual(metadata.annotations, {
      ...NAMED,
      'kubernetes.io/service-account.uid': 'sa-1',
      other: 'unchanged',
    });
    assert.deepEqual(
      [text(data['ca.crt']), text(data.namespace), text(data.mine)],
      ['the authority', 'ns1', 'x'],
    );
    const cluster = newCluster();
    cluster.secrets[0] = done.secret;
    const lookup = legacyServiceAccountTokens({
      keys: () => keys,
      issuers: [],
      apiAudiences: [ISSUER],
      live: cluster,
      nowMs: () => NOW_MS,
    });
    assert.equal((await lookup(text(data.token))).outcome, 'authenticated');
    const again = await completeTokenSecret(done.secret, account, dependencies);
    assert.deepEqual(again, { action: 'none' });
    const rolled = await completeTokenSecret(done.secret, account, {
      ...dependencies,
      rootCa: 'another authority',
    });
    assert.ok(rolled.action === 'update');
    assert.equal(text(rolled.secret.data?.['ca.crt']), 'another authority');
    assert.equal(rolled.secret.data?.token, data.token);
  });

  const others = [
    { name: 'of another type', secret: secretOf(NAMED, { type: 'Opaque' }), account, want: 'none' },
    { name: 'without an account', secret: secretOf(NAMED), account: undefined, want: 'delete' },
    { name: 'without a name annotation', secret: secretOf({}), account, want: 'delete' },
    {
      name: 'of an account that was created again',
      secret: secretOf({ ...NAMED, 'kubernetes.io/service-account.uid': 'sa-0' }),
      account,
      want: 'delete',
    },
  ];
  for (const { name, secret, account: owner, want } of others) {
    test(`${name}: ${want}`, async () => {
      assert.equal((await completeTokenSecret(secret, owner, dependencies)).action, want);
    });
  }
});
