import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { alreadyExists } from '@tributary/apimachinery';
import type { UnreachableGroup } from '@tributary/client/controller';
import { VirtualClock } from '../../../../test/harness/index.ts';
import { silentLog } from '../../../server/test/log-fixture.ts';
import { remoteRegistration } from '../../test/service-objects.ts';
import { type NamespaceDebt, namespaceDebtName } from '../kinds/namespace-debt.ts';
import { snapshotOf } from '../registrations/watch-registrations.ts';
import { knownDebts } from './known-debts.ts';
import { type RecordOptions, recordDebts } from './record-debts.ts';

const registration = remoteRegistration();
const local = { ...registration, remote: undefined };
const NAMESPACE = { name: 'team', uid: 'namespace-uid' };
const GRACE_MS = 60_000;
const { signal } = new AbortController();

function stage(
  more: Partial<RecordOptions> = {},
  create: (debt: NamespaceDebt) => Promise<NamespaceDebt> = async (debt) => stored(debt),
) {
  const clock = new VirtualClock();
  const registrations = { current: snapshotOf([registration]) };
  const ledger = knownDebts(registrations);
  const recorded: string[] = [];
  const live = new Map<string, NamespaceDebt>();
  const resource = {
    create: (debt: NamespaceDebt) => {
      recorded.push(`create with the gate ${ledger.refusal(registration) ? 'closed' : 'open'}`);
      return create(debt);
    },
    get: async (name: string) => live.get(name),
  };
  const options: RecordOptions = {
    client: { resource: () => resource as never },
    registrations,
    ledger,
    mode: 'debt',
    graceMs: GRACE_MS,
    clock,
    log: silentLog().log,
    onRecorded: (name) => recorded.push(`owed ${name}`),
    ...more,
  };
  const ask = (waitedMs = GRACE_MS, resources: readonly string[] = ['flunders']) =>
    recordDebts(options, NAMESPACE, [unreachable(clock.nowMs() - waitedMs, resources)], signal);
  return { ask, ledger, recorded, live };
}

function unreachable(sinceMs: number, plurals: readonly string[]): UnreachableGroup {
  const { group, version } = registration;
  return {
    groupVersion: `${group}/${version}`,
    why: 'refused',
    sinceMs,
    resources: plurals.map((plural) => ({
      group,
      version,
      plural,
      namespaced: true,
      canDeleteCollection: true,
      canList: true,
    })),
  };
}

function stored(debt: NamespaceDebt, spec: Partial<NamespaceDebt['spec']> = {}): NamespaceDebt {
  return {
    ...debt,
    metadata: { ...debt.metadata, uid: 'debt-uid' },
    spec: { ...debt.spec, ...spec },
  };
}

describe('what a namespace leaves behind', () => {
  test('is written with the gate closed already', async () => {
    const { ask, ledger, recorded } = stage();
    assert.equal(await ask(), 'owed');
    assert.deepEqual(recorded, ['create with the gate closed', `owed ${registration.name}`]);
    const [debt] = ledger.of(registration.name);
    assert.deepEqual(debt?.spec.resources, [
      { group: registration.group, version: registration.version, resource: 'flunders' },
    ]);
    assert.equal(debt?.metadata.name, namespaceDebtName(debt?.spec ?? ({} as never)));
  });

  test('waits for its time', async () => {
    const { ask, ledger, recorded } = stage();
    assert.equal(await ask(GRACE_MS - 1), 'wait');
    assert.deepEqual(recorded, []);
    assert.equal(ledger.refusal(registration), undefined);
  });

  test('is never written where that is the rule', async () => {
    const { ask, recorded } = stage({ mode: 'wait' });
    assert.equal(await ask(GRACE_MS * 1000), 'wait');
    assert.deepEqual(recorded, []);
  });

  test('counts where that is the rule, when it was written before', async () => {
    const { ask, ledger, recorded } = stage({ mode: 'wait' });
    const written = stage();
    await written.ask();
    for (const debt of written.ledger.of(registration.name)) ledger.put(debt);
    assert.equal(await ask(0), 'owed');
    assert.deepEqual(recorded, []);
  });

  test('is everything when nobody knows what there is', async () => {
    const { ask, ledger } = stage();
    assert.equal(await ask(GRACE_MS, []), 'owed');
    assert.equal(ledger.of(registration.name)[0]?.spec.resources?.[0]?.resource, '*');
  });

  test('is nothing when this process serves the group by now', async () => {
    const { ask, recorded } = stage({ registrations: { current: snapshotOf([local]) } });
    assert.equal(await ask(), 'wait');
    assert.deepEqual(recorded, []);
  });

  test('is not owed when it could not be written, and the gate opens again', async () => {
    const { ask, ledger } = stage({}, () => Promise.reject(new Error('the store is full')));
    await assert.rejects(ask(), /the store is full/);
    assert.equal(ledger.refusal(registration), undefined);
  });

  const exists = (debt: NamespaceDebt) =>
    Promise.reject(
      alreadyExists({ group: '', resource: 'namespacedebts' }, debt.metadata.name ?? ''),
    );
  test('is owed when somebody else has written it', async () => {
    const first = stage();
    await first.ask();
    const { ask, live } = stage({}, exists);
    for (const debt of first.ledger.of(registration.name)) live.set(debt.metadata.name ?? '', debt);
    assert.equal(await ask(), 'owed');
  });

  test('is not owed by a debt of an earlier APIService, which is forgiven soon', async () => {
    const first = stage();
    await first.ask();
    const { ask, live, ledger } = stage({}, exists);
    for (const debt of first.ledger.of(registration.name)) {
      live.set(debt.metadata.name ?? '', stored(debt, { apiServiceUid: 'before' }));
    }
    await assert.rejects(ask(), /still a debt of an earlier APIService/);
    assert.equal(ledger.refusal(registration), undefined);
  });
});
