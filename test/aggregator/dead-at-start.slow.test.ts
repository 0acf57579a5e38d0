/** `tributary up` starts while fifty servers behind it are dead or frozen, and so is one that it knows from before. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { suiteScope } from '../harness/index.ts';
import { registerDeadServers } from './fault-dead-servers.ts';
import { createGateway, type RestartedGateway } from './fault-gateway.ts';
import { completeDocuments, readDocuments } from './fault-neighbours.ts';
import { createFaultyWardle, registerFaultyWardle } from './fault-wardle.ts';
import { flundersPath, GROUP } from './registration-objects.ts';

const STARTS = 3;
/** A document that nobody has asked for is made then. Whoever waits for a silent server waits longer. */
const FIRST_ANSWER_MS = 4_000;
const DEAD = { refusing: 25, frozen: 25 };
/** Of one processor. Where fifty are gone, ten a second are asked. */
const IDLE_SHARE = 0.35;
const IDLE_MS = 3_000;

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
  });

  test('make a start no slower', async (t) => {
    await registerDeadServers(scope, gateway.current, DEAD);
    const alone = await createGateway(scope);
    await alone.start();
    const [aloneMs, togetherMs] = await quickestStarts([alone, gateway]);
    await alone.kill();
    t.diagnostic(`${Math.round(aloneMs)} ms without them, ${Math.round(togetherMs)} ms with them`);
    const boundMs = Math.max(aloneMs * 1.3, aloneMs + 150);
    assert.ok(togetherMs <= boundMs, `${togetherMs} ms after ${aloneMs} ms`);
  });

  test('do not keep it from answering, from its first moment on', async () => {
    await gateway.kill();
    await gateway.start();
    for (const path of ['/readyz', '/apis', '/openapi/v2', '/api/v1/configmaps']) {
      const beganMs = performance.now();
      const { status } = await gateway.current.ask(path);
      assert.equal(status, 200, path);
      const tookMs = performance.now() - beganMs;
      assert.ok(tookMs < FIRST_ANSWER_MS, `${path} took ${tookMs} ms`);
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

  const skip = process.platform === 'linux' ? false : 'the kernel does not tell';
  test('cost little while nobody asks for them', { skip }, async (t) => {
    await sleep(2_000); // What a start leaves to be done is done.
    const { pid } = gateway.current.process;
    const beganMs = processorMs(pid);
    await sleep(IDLE_MS);
    const share = (processorMs(pid) - beganMs) / IDLE_MS;
    t.diagnostic(`${Math.round(share * 100)} % of a processor`);
    assert.ok(share <= IDLE_SHARE, `${share}`);
  });
});

/** In turns, so that whatever else the machine does is done to both. */
async function quickestStarts(
  gateways: readonly [RestartedGateway, RestartedGateway],
): Promise<[number, number]> {
  const quickestMs: [number, number] = [Infinity, Infinity];
  for (let start = 0; start < STARTS; start += 1) {
    for (const [index, gateway] of gateways.entries()) {
      await gateway.kill();
      const tookMs = await gateway.start();
      if (index === 0) quickestMs[0] = Math.min(quickestMs[0], tookMs);
      else quickestMs[1] = Math.min(quickestMs[1], tookMs);
    }
  }
  return quickestMs;
}

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

/** User and system time, of which the kernel counts hundredths of a second. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
