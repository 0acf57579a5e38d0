/** A namespace is deleted while a server with objects of it is dead; no client ever reads its leftovers. */
import assert from 'node:assert/strict';
import { before, describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { anyKubectl, defer, eventually, suiteScope } from '../harness/index.ts';
import { createGateway, type RestartedGateway } from './fault-gateway.ts';
import { type Ask, OLD, readLeftovers, TEAM, VERSIONS } from './fault-leftovers.ts';
import { createUnrelated, deleteUnrelated } from './fault-neighbours.ts';
import { createFaultyWardle, type FaultyWardle, registerFaultyWardle } from './fault-wardle.ts';
import { type Gateway, must } from './gateway-program.ts';
import { type Condition, flundersPath, GROUP, untilReason } from './registration-objects.ts';

/** A connection that was on its way when the server died is closed, and each that comes later is refused. */
const DEAD = /(connection refused|closed the connection)/;
const GRACE_MS = 2_000;
/** The least that is waited to see that nothing happens: on a busy machine it is longer. */
const longerThanGraceMs = GRACE_MS + 1_000;
const OBJECTS = 5;
const NAMESPACES = '/api/v1/namespaces';
const DEBTS = '/apis/aggregation.tributary.dev/v1/namespacedebts';
const FLUNDERS = flundersPath('v1alpha1', TEAM);
const kubectl = await anyKubectl();

describe('a namespace with objects on a dead server', () => {
  const scope = suiteScope('namespace debts');
  let restarted: RestartedGateway;
  let wardle: FaultyWardle;
  before(async () => {
    restarted = await createGateway(scope, [`--namespace-deletion-grace=${GRACE_MS}ms`]);
    await restarted.start();
    wardle = await createFaultyWardle(scope, restarted.current);
    await wardle.start();
    await registerFaultyWardle(restarted.current, wardle, VERSIONS);
  });

  /** Through whichever gateway is there at the moment. */
  const throughGateway: Ask = async (path) => {
    const { status, body } = await restarted.current.send('GET', path);
    return { status, body: JSON.stringify(body) };
  };

  /** The namespace has objects, their server is dead, and it is being deleted. */
  async function deletedWithoutServer(): Promise<void> {
    const gateway = restarted.current;
    await must(gateway.send('POST', NAMESPACES, { metadata: { name: TEAM } }));
    // The server follows namespaces by itself, and has just lost sight of a core that was killed.
    const first = { metadata: { name: `${OLD}first` } };
    await eventually(
      'the server knows the new namespace',
      async () => (await gateway.send('POST', FLUNDERS, first)).status === 201,
    );
    for (let index = 0; index < OBJECTS; index += 1) {
      const metadata = { name: `${OLD}${index}` };
      await must(gateway.send('POST', FLUNDERS, { metadata }));
    }
    await wardle.kill();
    await untilReason(gateway, { version: 'v1alpha1', reason: 'FailedDiscoveryCheck' });
    await must(gateway.send('DELETE', `${NAMESPACES}/${TEAM}`));
  }

  /** A namespace that owes nothing goes from beginning to end: what was to be done before it is done. */
  async function markerGoes(name: string): Promise<void> {
    await createUnrelated(restarted.current, name);
    await deleteUnrelated(restarted.current, name);
  }

  function reader(t: TestContext, ask: Ask) {
    const reading = readLeftovers(ask);
    defer(t, () => reading.stop());
    return reading;
  }

  test('says what it waits for, then goes in debt, which is paid before anybody reads', async (t) => {
    await deletedWithoutServer();
    const reading = reader(t, throughGateway);
    const message = await untilCondition(restarted.current, 'NamespaceDeletionDiscoveryFailure');
    assert.match(message, new RegExp(`${GROUP}/v1alpha1: FailedDiscoveryCheck: .*${DEAD.source}`));
    assert.equal(await debtsOf(restarted.current), 0);

    await eventually(
      'the namespace is gone',
      async () => (await codeOf(restarted.current)) === 404,
    );
    assert.equal(await debtsOf(restarted.current), VERSIONS.length);
    await kubectlShowsDebts(t, restarted.current);

    await must(restarted.current.send('POST', NAMESPACES, { metadata: { name: TEAM } }));
    await restarted.kill();
    await restarted.start();
    assert.equal(await debtsOf(restarted.current), VERSIONS.length);

    // A direct reader of the server must find the objects.
    const direct = reader(t, wardle.ask);
    await wardle.start();
    await eventually('the debts are paid', async () => (await debtsOf(restarted.current)) === 0);
    await eventually('it is served', async () => {
      const { status } = await restarted.current.send('GET', FLUNDERS);
      return status === 200;
    });
    await must(restarted.current.send('POST', FLUNDERS, { metadata: { name: 'new' } }));
    await markerGoes('marker'); // Time for whatever might delete it, too.
    await Promise.all([reading.stop(), direct.stop()]);
    assert.deepEqual(reading.leaks, []);
    t.diagnostic(`${[...reading.codes].map(([code, count]) => `${count} × ${code}`).join(', ')}`);
    for (const code of [503, 200]) assert.ok(reading.codes.has(code), String(code));
    assert.ok(direct.leaks.length > 0, 'the reader found nothing where there was something');
    assert.deepEqual(await namesIn(restarted.current), ['new']);
    assert.equal(await codeOf(restarted.current), 200);
  });

  test('waits for as long as it takes, where that is wanted', async (t) => {
    await must(restarted.current.send('DELETE', `${NAMESPACES}/${TEAM}`));
    await eventually(
      'the namespace is gone',
      async () => (await codeOf(restarted.current)) === 404,
    );
    await restarted.kill();
    await restarted.start(['--namespace-deletion=wait']);
    await untilReason(restarted.current, { version: 'v1alpha1', reason: 'Passed' });
    await deletedWithoutServer();
    const reading = reader(t, throughGateway);
    await sleep(longerThanGraceMs);
    const message = await untilCondition(restarted.current, 'NamespaceDeletionDiscoveryFailure');
    assert.match(message, DEAD);
    assert.equal(await codeOf(restarted.current), 200);
    assert.equal(await debtsOf(restarted.current), 0);
    await reading.stop();
    await wardle.start();
    await eventually(
      'the namespace is gone',
      async () => (await codeOf(restarted.current)) === 404,
    );
    assert.deepEqual(reading.leaks, []);
    assert.deepEqual(JSON.parse((await wardle.ask(FLUNDERS)).body).items, []);
  });
});

async function codeOf(gateway: Gateway): Promise<number> {
  return (await gateway.send('GET', `${NAMESPACES}/${TEAM}`)).status;
}

async function debtsOf(gateway: Gateway): Promise<number> {
  const { items } = (await must(gateway.send('GET', DEBTS))) as { items: unknown[] };
  return items.length;
}

async function namesIn(gateway: Gateway): Promise<readonly string[]> {
  const list = (await must(gateway.send('GET', FLUNDERS))) as {
    items: { metadata: { name: string } }[];
  };
  return list.items.map(({ metadata }) => metadata.name);
}

/** The message of a condition that is true of the namespace, which must still be there. */
async function untilCondition(gateway: Gateway, type: string): Promise<string> {
  const { message = '' } = await eventually(type, async () => {
    const body = await must(gateway.send('GET', `${NAMESPACES}/${TEAM}`));
    const { status } = body as { status: { conditions?: readonly Condition[] } };
    return status.conditions?.find((one) => one.type === type && one.status === 'True');
  });
  return message;
}

async function kubectlShowsDebts(t: TestContext, { kubeconfig }: Gateway): Promise<void> {
  if (kubectl === undefined) return t.diagnostic('no kubectl');
  const args = ['get', 'namespacedebts', '--no-headers'];
  const { code, stdout, stderr } = await kubectl.run(args, { kubeconfig });
  assert.equal(code, 0, stderr);
  for (const version of VERSIONS) {
    assert.match(stdout, new RegExp(`^\\S+ +${TEAM} +${version}.${GROUP} +\\d+s `, 'm'));
  }
}
