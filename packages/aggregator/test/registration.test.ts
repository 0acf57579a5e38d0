/** APIServices on a running server: claims, and those that the server keeps for itself. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { APIService } from '@tributary/api/apiregistration-v1';
import { StatusError } from '@tributary/apimachinery';
import { openMemoryStorage } from '@tributary/storage';
import { eventually } from '../../../test/harness/index.ts';
import { type LocalGroupVersion, localPriority } from '../src/api-services/local-priorities.ts';
import { apiServices, namespaceDebts } from '../src/api-services/resources.ts';
import { type NamespaceDebt, namespaceDebtName } from '../src/kinds/namespace-debt.ts';
import { autoRegister } from '../src/registrations/auto-register.ts';
import { watchRegistrations } from '../src/registrations/watch-registrations.ts';
import {
  aLocalApiService,
  anApiService,
  type RegistrationFixture,
  registrationFixture,
} from './registration-fixture.ts';

const AUTO_MANAGED = 'kube-aggregator.kubernetes.io/automanaged';
const NAME = 'v1.a.example.com';
const local = (group: string, version = 'v1'): LocalGroupVersion => ({
  group,
  version,
  ...localPriority(group, version),
});
const builtIn = [local(''), local('events.k8s.io')];
const namesOf = (all: readonly APIService[]) => all.map(({ metadata }) => metadata.name).sort();
const managed = (value: string) => ({ labels: { [AUTO_MANAGED]: value } });

async function refusalOf(promise: Promise<unknown>): Promise<StatusError> {
  const error = await promise.then(
    () => assert.fail('it was accepted'),
    (problem: unknown) => problem,
  );
  assert.ok(error instanceof StatusError, String(error));
  return error;
}

/** When everything is registered that should be. */
function registered({ healthChecks }: ReturnType<typeof autoRegister>): Promise<unknown> {
  return eventually('all registrations', () =>
    healthChecks.every((one) => one.check() === undefined),
  );
}

const state = async (fixture: RegistrationFixture, want: readonly string[]) => {
  let names: readonly (string | undefined)[] = [];
  await eventually(
    () => `APIServices are ${names.join(', ')}`,
    async () => {
      names = namesOf(await fixture.list());
      return JSON.stringify(names) === JSON.stringify(want);
    },
  );
};

describe('claims', () => {
  const isBuiltIn = (group: string) => group === 'apps';

  test('the second is told who has the first', async (t) => {
    const { create } = await registrationFixture(t);
    await create(anApiService(NAME));
    const { code, reason, message } = await refusalOf(create(anApiService(NAME)));
    assert.deepEqual([code, reason], [409, 'AlreadyExists']);
    assert.match(message, /already exists: a.example.com\/v1 is served by service wardle\/api$/);
  });

  test('of many at once, one wins', async (t) => {
    const { create } = await registrationFixture(t);
    const many = Array.from({ length: 10 }, () => create(anApiService(NAME)));
    const settled = await Promise.allSettled(many);
    const lost = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    assert.equal(lost.length, 9);
    for (const error of lost) assert.equal((error as StatusError).reason, 'AlreadyExists');
  });

  test('what is invalid is refused as such, whoever has the name', async (t) => {
    const { create } = await registrationFixture(t);
    await create(anApiService(NAME));
    const { reason } = await refusalOf(
      create(anApiService(NAME, { spec: { versionPriority: 0 } })),
    );
    assert.equal(reason, 'Invalid');
  });

  test('nobody takes from the server what it serves', async (t) => {
    const { create, client } = await registrationFixture(t, { isBuiltIn });
    const words = /spec.service: Forbidden: apps\/v1 is served by this server itself/;
    const refused = await refusalOf(create(anApiService('v1.apps')));
    assert.equal(refused.code, 422);
    assert.match(refused.message, words);
    const own = await create(aLocalApiService('v1.apps'));
    const { spec } = anApiService('v1.apps');
    const update = client.resource<APIService>(apiServices).update({ ...own, spec });
    assert.match((await refusalOf(update)).message, words);
  });
});

describe('what the server serves itself', () => {
  test('is registered, and a second start writes nothing', async (t) => {
    const storage = openMemoryStorage();
    const first = await registrationFixture(t, { storage });
    await registered(autoRegister({ informer: first.informer, builtIn }, first));
    const all = await first.list();
    assert.deepEqual(namesOf(all), ['v1.', 'v1.events.k8s.io']);
    for (const { metadata, status } of all) {
      assert.equal(metadata.labels?.[AUTO_MANAGED], 'onstart');
      assert.equal(status.conditions?.[0]?.reason, 'Local');
    }
    const before = await storage.currentRevision({ signal: first.signal });
    const second = await registrationFixture(t, { storage });
    await registered(autoRegister({ informer: second.informer, builtIn }, second));
    await second.list();
    assert.equal(await storage.currentRevision({ signal: second.signal }), before);
    assert.deepEqual([...first.problems, ...second.problems], []);
  });

  test('is missing until it is seen', async (t) => {
    const fixture = await registrationFixture(t);
    const registration = autoRegister({ informer: fixture.informer, builtIn }, fixture);
    assert.deepEqual(
      registration.healthChecks.map((one) => [one.name, one.check()]),
      [
        ['autoregister-completion', 'missing APIService: [v1. v1.events.k8s.io]'],
        ['poststarthook/kube-apiserver-autoregistration', 'not finished'],
      ],
    );
    await registered(registration);
  });

  test('is registered again when somebody deletes it', async (t) => {
    const fixture = await registrationFixture(t);
    const registration = autoRegister({ informer: fixture.informer, builtIn }, fixture);
    await registered(registration);
    await fixture.client.resource(apiServices).delete('v1.');
    await state(fixture, ['v1.', 'v1.events.k8s.io']);
    assert.equal(registration.healthChecks[0]?.check(), undefined);
  });

  test('gets the priorities of now, and what nobody serves any more goes', async (t) => {
    const fixture = await registrationFixture(t);
    await fixture.create(
      aLocalApiService('v1.events.k8s.io', {
        metadata: managed('onstart'),
        spec: { versionPriority: 3 },
      }),
    );
    await fixture.create(aLocalApiService('v1.gone.k8s.io', { metadata: managed('onstart') }));
    await fixture.create(aLocalApiService('v1.mine.example.com'));
    await registered(autoRegister({ informer: fixture.informer, builtIn }, fixture));
    await state(fixture, ['v1.', 'v1.events.k8s.io', 'v1.mine.example.com']);
    const events = await fixture.client.resource<APIService>(apiServices).get('v1.events.k8s.io');
    assert.deepEqual([events.spec.groupPriorityMinimum, events.spec.versionPriority], [17_750, 15]);
  });
});

describe('custom resources', () => {
  test('come and go', async (t) => {
    const fixture = await registrationFixture(t);
    let custom: LocalGroupVersion[] = [local('a.example.com')];
    const { informer } = fixture;
    const registration = autoRegister({ informer, builtIn: [], custom: () => custom }, fixture);
    await state(fixture, [NAME]);
    assert.equal((await fixture.list())[0]?.metadata.labels?.[AUTO_MANAGED], 'true');
    custom = [local('b.example.com')];
    registration.customChanged();
    await state(fixture, ['v1.b.example.com']);
    custom = [];
    registration.customChanged();
    await state(fixture, []);
  });

  test('nothing is removed before they are known', async (t) => {
    const fixture = await registrationFixture(t);
    for (const name of ['v1.kept.example.com', 'v1.old.example.com']) {
      await fixture.create(aLocalApiService(name, { metadata: managed('true') }));
    }
    let custom: LocalGroupVersion[] | undefined;
    const { informer } = fixture;
    const registration = autoRegister({ informer, builtIn, custom: () => custom }, fixture);
    await registered(registration);
    const all = ['v1.', 'v1.events.k8s.io', 'v1.kept.example.com', 'v1.old.example.com'];
    assert.deepEqual(namesOf(await fixture.list()), all);
    custom = [local('kept.example.com')];
    registration.customChanged();
    await state(fixture, all.slice(0, 3));
  });

  test('whoever has made one in their place keeps it', async (t) => {
    const fixture = await registrationFixture(t);
    const mine = await fixture.create(anApiService(NAME));
    const { informer } = fixture;
    autoRegister({ informer, builtIn, custom: () => [local('a.example.com')] }, fixture);
    await state(fixture, ['v1.', NAME, 'v1.events.k8s.io']);
    const all = fixture.client.resource<APIService>(apiServices);
    assert.deepEqual((await all.get(NAME)).spec, mine.spec);
    await all.delete(NAME);
    await eventually('a local APIService', async () => {
      const found = (await fixture.list()).find(({ metadata }) => metadata.name === NAME);
      return found !== undefined && found.spec.service === undefined;
    });
  });
});

test('registrations follow what is written', async (t) => {
  const { informer, create, client } = await registrationFixture(t);
  await create(anApiService(NAME));
  const followed = watchRegistrations(informer);
  await followed.whenSynced();
  const first = followed.current.byGroupVersion('a.example.com', 'v1');
  assert.equal(first?.remote?.service.port, 443);
  const events: string[] = [];
  followed.onChange({
    changed: ({ uid }, before) => events.push(`${before ? 'changed' : 'new'} ${uid}`),
    removed: ({ uid }) => events.push(`gone ${uid}`),
  });
  await client.resource(apiServices).delete(NAME);
  const again = await create(anApiService(NAME));
  const want = [`new ${first?.uid}`, `gone ${first?.uid}`, `new ${again.metadata.uid}`];
  await eventually('three events', () => events.length === want.length);
  assert.deepEqual(events, want);
});

test('a debt is stored as it is meant', async (t) => {
  const { client } = await registrationFixture(t);
  const all = client.resource<NamespaceDebt>(namespaceDebts);
  const spec = {
    namespace: 'team',
    namespaceUid: '11111111-2222-4333-8444-555555555555',
    apiService: 'v1.a.example.com',
    apiServiceUid: 'u',
    resources: [{ group: 'a.example.com', version: 'v1', resource: 'things' }],
    since: '2026-01-01T00:00:00Z',
  };
  const made = await all.create({ metadata: { name: namespaceDebtName(spec) }, spec, status: {} });
  assert.deepEqual(made.spec, spec);
  const twice = all.create({ metadata: { name: namespaceDebtName(spec) }, spec, status: {} });
  assert.equal((await refusalOf(twice)).reason, 'AlreadyExists');
  const other = all.create({ metadata: { name: 'other' }, spec, status: {} });
  assert.equal((await refusalOf(other)).reason, 'Invalid');
});
