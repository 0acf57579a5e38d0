import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bootstrapTokens } from './bootstrap-token.ts';
import type { SecretObject } from './service-account/types.ts';

const NOW_MS = Date.parse('2026-01-01T00:00:00Z');
const GOOD = {
  'token-id': 'abcdef',
  'token-secret': '0123456789abcdef',
  'usage-bootstrap-authentication': 'true',
};
const TOKEN = 'abcdef.0123456789abcdef';

function lookUp(
  token: string,
  data: Record<string, string> = GOOD,
  more: Partial<SecretObject> = {},
) {
  const encoded = Object.entries(data).map(([key, value]) => [
    key,
    Buffer.from(value).toString('base64'),
  ]);
  const secret = {
    metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    data: Object.fromEntries(encoded),
    ...more,
  } as SecretObject;
  const find = (name: string) => (name === 'bootstrap-token-abcdef' ? secret : undefined);
  return bootstrapTokens({ secret: find, nowMs: () => NOW_MS })(token);
}

describe('bootstrap tokens', () => {
  const accepted = [
    { name: 'a valid token', data: {}, groups: ['system:bootstrappers'] },
    {
      name: 'with extra groups, sorted and without repeats',
      data: {
        'auth-extra-groups':
          'system:bootstrappers:z,system:bootstrappers:a-b:c,system:bootstrappers:z',
      },
      groups: ['system:bootstrappers', 'system:bootstrappers:a-b:c', 'system:bootstrappers:z'],
    },
    {
      name: 'that has not expired',
      data: { expiration: '2026-01-01T01:00:01+01:00' },
      groups: ['system:bootstrappers'],
    },
  ];
  for (const { name, data, groups } of accepted) {
    test(name, () => {
      assert.deepEqual(lookUp(TOKEN, { ...GOOD, ...data }), {
        outcome: 'authenticated',
        user: { name: 'system:bootstrap:abcdef', uid: '', groups, extra: {} },
      });
    });
  }

  const unknown: { name: string; token?: string; data?: object; more?: object }[] = [
    { name: 'an invalid format', token: 'abcdef.0123456789ABCDEF' },
    { name: 'trailing characters', token: `${TOKEN}\n` },
    { name: 'another id', token: 'abcdeg.0123456789abcdef' },
    { name: 'another secret', token: 'abcdef.0123456789abcdee' },
    { name: 'a Secret of another id', data: { 'token-id': 'abcdeg' } },
    { name: 'a Secret of another type', more: { type: 'Opaque' } },
    { name: 'a Secret without data', more: { data: undefined } },
    {
      name: 'a Secret that is being deleted',
      more: {
        metadata: { name: 'bootstrap-token-abcdef', deletionTimestamp: '2026-01-01T00:00:00Z' },
      },
    },
    { name: 'not for authentication', data: { 'usage-bootstrap-authentication': 'yes' } },
    { name: 'expired', data: { expiration: '2026-01-01T00:00:00Z' } },
    { name: 'with an invalid expiration', data: { expiration: 'tomorrow' } },
    {
      name: 'with a group that is not a bootstrap group',
      data: { 'auth-extra-groups': 'system:masters' },
    },
    {
      name: 'with a space between groups',
      data: { 'auth-extra-groups': 'system:bootstrappers:a, system:bootstrappers:b' },
    },
  ];
  for (const { name, token = TOKEN, data = {}, more = {} } of unknown) {
    test(`not authenticated: ${name}`, () => {
      const found = lookUp(token, { ...GOOD, ...data }, more);
      assert.deepEqual(found, { outcome: 'no-opinion' });
    });
  }
});
