import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { remoteRegistration, remoteServer } from '../../test/service-objects.ts';
import type { RemoteRegistration } from '../api-services/registration.ts';
import type { NamespaceDebt, NamespaceDebtSpec } from '../kinds/namespace-debt.ts';
import { snapshotOf } from '../registrations/watch-registrations.ts';
import { allDeletedAnnotation, knownDebts } from './known-debts.ts';

const own = remoteRegistration();
const { group } = own;
const sibling = remoteRegistration({ name: `v1.${group}`, version: 'v1', uid: 'uid-2' });
const elsewhere = remoteRegistration({
  name: `v2.${group}`,
  version: 'v2',
  uid: 'uid-3',
  remote: remoteServer({ service: { namespace: 'wardle', name: 'other', port: 443 } }),
});
const other = remoteRegistration({
  name: 'v1.other.example.com',
  group: 'other.example.com',
  version: 'v1',
  uid: 'uid-4',
});

function debt(more: Partial<NamespaceDebtSpec> = {}, annotations = {}): NamespaceDebt {
  return {
    apiVersion: 'aggregation.tributary.dev/v1',
    kind: 'NamespaceDebt',
    metadata: { name: 'a-debt', uid: 'x', annotations },
    spec: {
      namespace: 'team',
      namespaceUid: 'n',
      apiService: own.name,
      apiServiceUid: own.uid,
      resources: [],
      since: '2030-01-01T00:00:00Z',
      ...more,
    },
    status: {},
  };
}

const cases: readonly {
  readonly name: string;
  readonly debt?: NamespaceDebt;
  readonly asked: RemoteRegistration;
  readonly isRefused: boolean;
}[] = [
  { name: 'nobody owes anything', asked: own, isRefused: false },
  { name: 'it owes', debt: debt(), asked: own, isRefused: true },
  {
    name: 'another version of the group on the same server',
    debt: debt(),
    asked: sibling,
    isRefused: true,
  },
  { name: 'another version on another server', debt: debt(), asked: elsewhere, isRefused: false },
  { name: 'another group on the same server', debt: debt(), asked: other, isRefused: false },
  {
    name: 'the APIService is another one by now',
    debt: debt({ apiServiceUid: 'before' }),
    asked: own,
    isRefused: false,
  },
  {
    name: 'everything is deleted, and waits for finalizers',
    debt: debt({}, { [allDeletedAnnotation]: 'true' }),
    asked: own,
    isRefused: false,
  },
];

describe('who may be reached', () => {
  for (const { name, debt: known, asked, isRefused } of cases) {
    test(name, () => {
      const ledger = knownDebts({ current: snapshotOf([own, sibling, elsewhere, other]) });
      if (known !== undefined) ledger.put(known);
      const refusal = ledger.refusal(asked);
      assert.equal(refusal?.code, isRefused ? 503 : undefined);
      assert.equal(refusal?.status.details?.retryAfterSeconds, isRefused ? 1 : undefined);
      ledger.remove('a-debt', own.name);
      assert.equal(ledger.refusal(asked), undefined);
      assert.deepEqual([...ledger.counts()], []);
    });
  }

  test('says what is waited for', () => {
    const ledger = knownDebts({ current: snapshotOf([own]) });
    ledger.put(debt());
    assert.equal(
      ledger.refusal(own)?.message,
      'wardle.example.com/v1alpha1 is paying namespace debts: what is left there of namespace team, which is gone, is deleted first (NamespaceDebt a-debt)',
    );
  });
});
