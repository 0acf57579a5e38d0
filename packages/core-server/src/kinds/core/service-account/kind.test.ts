import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ServiceAccount } from '@tributary/api/core-v1';
import { serviceAccountKind } from './kind.ts';

const kind = serviceAccountKind({
  requestToken: async ({ request }) => ({ ...request, kind: 'TokenRequest' }),
});
const hooks = kind.versions.get('v1')?.hooks;

function account(fields: Partial<ServiceAccount>): ServiceAccount {
  return {
    kind: 'ServiceAccount',
    apiVersion: 'v1',
    metadata: { name: 'a', namespace: 'default' },
    ...fields,
  };
}

test('references to secrets are reduced to names', () => {
  const object = account({
    secrets: [{ name: 'a', namespace: 'x', kind: 'Secret' }, { uid: 'u' }],
  });
  hooks?.prepareForCreate(object);
  assert.deepEqual(object.secrets, [{ name: 'a' }, {}]);
});

describe('the annotation that restricts secrets', () => {
  const restricted = account({
    metadata: { name: 'a', annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
  });
  const WARNING =
    'metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets';
  const cases: { name: string; live?: ServiceAccount; want: string[] }[] = [
    { name: 'is warned of when it is new', want: [WARNING] },
    { name: 'is warned of when it is added', live: account({}), want: [WARNING] },
    { name: 'is not warned of again', live: restricted, want: [] },
  ];
  for (const { name, live, want } of cases) {
    test(name, () => assert.deepEqual(hooks?.warnings(restricted, live), want));
  }
});
