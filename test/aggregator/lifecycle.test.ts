/** A registration from its beginning to its end: upstream's conformance test, and what kubectl shows of everything that can be wrong. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type Authority,
  createScope,
  eventually,
  kubectlVersions,
  skipOrFail,
  temporaryDirectory,
} from '../harness/index.ts';
import { type Gateway, must, NAMESPACE, type Wardle } from './gateway-program.ts';
import { type Fault, NAME, type Run, registrationFaults, runnerOf } from './lifecycle-faults.ts';
import {
  APISERVICES,
  apiService,
  apiServicePath,
  conditionsOf,
  flundersPath,
  GROUP,
  startPublished,
  untilReason,
} from './registration-objects.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const versions = await kubectlVersions();

describe('the life of an APIService', () => {
  const scope = createScope('the life of an APIService');
  let gateway: Gateway;
  let authority: Authority;
  let wardle: Wardle;
  before(async () => {
    ({ gateway, authority, wardle } = await startPublished(scope));
  });
  after(() => scope.close());

  test('as the conformance test of upstream has it', async () => {
    const path = apiServicePath('v1alpha1');
    const registered = apiService({ version: 'v1alpha1', ca: authority.cert });
    await must(gateway.send('POST', APISERVICES, registered));
    const { condition } = await untilReason(gateway, { version: 'v1alpha1', reason: 'Passed' });
    assert.equal(condition.message, 'all checks passed');

    await createsReadsAndDeletes(gateway);

    const priority = { spec: { versionPriority: 400 } };
    await must(gateway.send('PATCH', path, priority, 'application/merge-patch+json'));
    assert.deepEqual(await field(gateway, 'spec', 'versionPriority'), 400);
    const label = { metadata: { labels: { 'e2e-test': 'patched' } } };
    await must(gateway.send('PATCH', path, label, 'application/strategic-merge-patch+json'));
    assert.deepEqual(await field(gateway, 'metadata', 'labels'), { 'e2e-test': 'patched' });

    await addsCondition(gateway, 'PUT');
    await addsCondition(gateway, 'PATCH');
    const current = (await must(gateway.send('GET', path))) as { metadata: object };
    const labels = { 'e2e-test': 'put' };
    await must(
      gateway.send('PUT', path, { ...current, metadata: { ...current.metadata, labels } }),
    );
    const types = conditionsOf(await must(gateway.send('GET', path))).map(({ type }) => type);
    assert.deepEqual(types.toSorted(), ['Available', 'StatusPatched', 'StatusUpdated']);

    assert.deepEqual(await documentsNamingIt(gateway), ['root', 'legacy', 'aggregated', 'group']);
    await must(gateway.send('DELETE', `${APISERVICES}?labelSelector=e2e-test%3Dput`));
    assert.equal((await gateway.send('GET', path)).status, 404);
    await untilGone(gateway);
  });

  for (const kubectl of versions) {
    test(`kubectl ${kubectl.version} registers, looks at, changes and deletes it`, async () => {
      const run = runnerOf(kubectl, gateway);
      await run(['create', '-f', '-'], apiService({ version: 'v1alpha1', ca: authority.cert }));
      await untilReason(gateway, { version: 'v1alpha1', reason: 'Passed' });
      const row = await run(['get', 'apiservice', NAME, '--no-headers']);
      assert.match(row, new RegExp(`^${NAME} +${NAMESPACE}/api +True +\\d+`));
      assert.match(await run(['get', 'flunders']), /^$/);
      assert.match(await run(['describe', 'apiservice', NAME]), /Message: +all checks passed/);
      await run(['label', 'apiservice', NAME, `by=kubectl-${kubectl.version}`]);
      await run(['wait', '--for=condition=Available', `apiservice/${NAME}`, '--timeout=60s']);
      await run(['delete', 'apiservice', NAME]);
      await untilGone(gateway);
      const { code, stderr } = await kubectl.run(['get', 'flunders'], {
        kubeconfig: gateway.kubeconfig,
      });
      assert.equal(code, 1);
      assert.match(stderr, /the server doesn't have a resource type "flunders"/);
    });
  }

  test('everything that can be wrong with it has its reason', async (t) => {
    const [first] = versions;
    if (first === undefined) return skipOrFail(t, 'no kubectl');
    const registered = apiService({ version: 'v1alpha1', ca: authority.cert });
    await runnerOf(first, gateway)(['create', '-f', '-'], registered);
    await untilReason(gateway, { version: 'v1alpha1', reason: 'Passed' });
    const faults = await registrationFaults(scope, { authority, wardle });
    const homes = await Promise.all(versions.map(() => temporaryDirectory(t, 'kubectl-')));
    const runners = versions.map((kubectl, index) => runnerOf(kubectl, gateway, homes[index]));
    for (const [index, fault] of faults.entries()) {
      const turn = index % versions.length;
      const run = runners[turn] ?? runnerOf(first, gateway);
      await t.test(`${fault.name} (kubectl ${versions[turn]?.version})`, () =>
        showsAndForgets(fault, { gateway, run }),
      );
    }
    await runnerOf(first, gateway)(['delete', 'apiservice', NAME]);
  });
});

async function createsReadsAndDeletes(gateway: Gateway): Promise<void> {
  const flunders = flundersPath('v1alpha1');
  const flunder = { kind: 'Flunder', apiVersion: `${GROUP}/v1alpha1` };
  const created = await gateway.send('POST', flunders, { ...flunder, metadata: { name: 'a' } });
  assert.equal(created.status, 201);
  const { items } = (await must(gateway.send('GET', flunders))) as { items: unknown[] };
  assert.equal(items.length, 1);
  await must(gateway.send('GET', `${flunders}/a`));
  const patch = { metadata: { labels: { a: 'b' } } };
  await must(gateway.send('PATCH', `${flunders}/a`, patch, 'application/merge-patch+json'));
  await must(gateway.send('DELETE', `${flunders}/a`));
  assert.equal((await gateway.send('GET', `${flunders}/a`)).status, 404);
}

/** A condition of another writer, which must stay when the aggregator writes its own. */
async function addsCondition(gateway: Gateway, how: 'PUT' | 'PATCH'): Promise<void> {
  const path = apiServicePath('v1alpha1');
  const type = how === 'PUT' ? 'StatusUpdated' : 'StatusPatched';
  const added = { type, status: 'True', reason: 'E2E', message: 'Set from an e2e test' };
  const current = (await must(gateway.send('GET', path))) as { status: object };
  const status = { ...current.status, conditions: [...conditionsOf(current), added] };
  await must(
    how === 'PUT'
      ? gateway.send('PUT', `${path}/status`, { ...current, status })
      : gateway.send('PATCH', `${path}/status`, { status }, 'application/merge-patch+json'),
  );
  const { body } = await gateway.send('GET', path);
  assert.ok(conditionsOf(body).some((condition) => condition.type === type));
}

async function field(gateway: Gateway, ...path: readonly string[]): Promise<unknown> {
  const whole = await must(gateway.send('GET', apiServicePath('v1alpha1')));
  return path.reduce((value, key) => (value as Record<string, unknown>)[key], whole);
}

/** Out of the root document and out of both discovery documents, and without one of its own. */
async function untilGone(gateway: Gateway): Promise<void> {
  let naming: readonly string[] = [];
  await eventually(
    () => `gone from ${naming.join(', ')}`,
    async () => {
      naming = await documentsNamingIt(gateway);
      return naming.length === 0;
    },
  );
}

async function documentsNamingIt(gateway: Gateway): Promise<string[]> {
  const documents = {
    root: await gateway.ask('/'),
    legacy: await gateway.ask('/apis'),
    aggregated: await gateway.ask('/apis', { accept: AGGREGATED }),
    group: await gateway.ask(`/apis/${GROUP}`),
  };
  return Object.entries(documents)
    .filter(([, { status, body }]) => status === 200 && body.includes(GROUP))
    .map(([name]) => name);
}

async function showsAndForgets(
  fault: Fault,
  { gateway, run }: { gateway: Gateway; run: Run },
): Promise<void> {
  const { reason, message } = fault;
  const version = 'v1alpha1';
  await fault.breaks(run);
  const { condition } = await untilReason(gateway, { version, reason });
  assert.equal(condition.status, 'False');
  assert.match(condition.message ?? '', message);
  const row = await run(['get', 'apiservice', NAME, '--no-headers']);
  assert.ok(row.includes(`False (${reason})`), row);
  const refused = await gateway.send('GET', flundersPath(version));
  assert.equal(refused.status, 503);
  const { message: words = '' } = refused.body as { message?: string };
  assert.ok(words.includes(condition.message ?? '-'), words);

  await fault.repairs(run);
  await untilReason(gateway, { version, reason: 'Passed' });
  assert.equal((await gateway.send('GET', flundersPath(version))).status, 200);
}
