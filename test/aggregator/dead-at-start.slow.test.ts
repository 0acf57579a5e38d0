/**
 * `tributary up` starts while fifty registered servers are dead or frozen, one of them with cached documents. The cost
 * is in dead-at-start.timing.test.ts.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { suiteScope } from '../harness/index.ts';
import { registerDeadServers } from './fault-dead-servers.ts';
import { createGateway, type RestartedGateway } from './fault-gateway.ts';
import { completeDocuments, readDocuments } from './fault-neighbours.ts';
import { createFaultyWardle, registerFaultyWardle } from './fault-wardle.ts';
import { flundersPath, GROUP } from './registration-objects.ts';

const DEAD = { refusing: 25, frozen: 25 };

describe(`${DEAD.refusing} dead and ${DEAD.frozen} frozen servers`, () => {
  const scope = suiteScope('dead servers');
  let gateway: RestartedGateway;
  let documents: readonly string[];
  before(async () => {
    gateway = await createGateway(scope);
    await gateway.start();
    const wardle = await createFaultyWardle(scope, gateway.current);
    await wardle.start();
    await registerFaultyWardle(gateway.current, wardle);
    documents = await completeDocuments(gateway.current);
    await wardle.kill();
    await registerDeadServers(scope, gateway.current, DEAD);
    await gateway.kill();
    await gateway.start();
  });

  test('do not keep it from answering, from its first moment on', async () => {
    for (const path of ['/readyz', '/apis', '/openapi/v2', '/api/v1/configmaps']) {
      const { status } = await gateway.current.ask(path);
      assert.equal(status, 200, path);
    }
  });

  test('what was last known of one that was well is still told', async () => {
    const [legacy = '', aggregated = '', ...others] = await readDocuments(gateway.current);
    assert.deepEqual(groupOf(legacy), groupOf(documents[0] ?? ''));
    assert.deepEqual(itemOf(aggregated), itemOf(documents[1] ?? ''));
    assert.match(JSON.stringify(itemOf(aggregated)), /"freshness":"Current"/);
    assert.deepEqual(others.map(countOf), documents.slice(2).map(countOf));
    const { body } = await gateway.current.send('GET', `/apis/${GROUP}/v1alpha1`);
    assert.match(JSON.stringify(body), /"name":"flunders"/);
    const { status, body: why } = await gateway.current.send('GET', flundersPath('v1alpha1'));
    assert.equal(status, 503);
    assert.match(JSON.stringify(why), /connection refused/);
  });
});

function groupOf(legacy: string): unknown {
  const { groups } = JSON.parse(legacy) as { groups: { name: string }[] };
  return groups.find(({ name }) => name === GROUP);
}

function itemOf(aggregated: string): unknown {
  const { items } = JSON.parse(aggregated) as { items: { metadata: { name: string } }[] };
  return items.find(({ metadata }) => metadata.name === GROUP);
}

/** How often a document speaks of the group. */
function countOf(text: string): number {
  return text.split(GROUP).length;
}
