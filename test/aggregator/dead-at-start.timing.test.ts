/** The cost of fifty dead or frozen servers for `tributary up`: start, first responses, and idle time. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { suiteScope } from '../harness/index.ts';
import { registerDeadServers } from './fault-dead-servers.ts';
import { createGateway, type RestartedGateway } from './fault-gateway.ts';

const STARTS = 3;
/** A first document is built on request. A request that waited for a silent server would take longer. */
const FIRST_RESPONSE_MS = 4_000;
const DEAD = { refusing: 25, frozen: 25 };
/** Of one processor. Where fifty are gone, ten a second are asked. */
const IDLE_SHARE = 0.35;
const IDLE_MS = 3_000;

describe(`${DEAD.refusing} dead and ${DEAD.frozen} frozen servers`, () => {
  const scope = suiteScope('dead servers');
  let gateway: RestartedGateway;
  before(async () => {
    gateway = await createGateway(scope);
    await gateway.start();
    await registerDeadServers(scope, gateway.current, DEAD);
  });

  test('make a start no slower', async (t) => {
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
      assert.ok(tookMs < FIRST_RESPONSE_MS, `${path} took ${tookMs} ms`);
    }
  });

  const skip = process.platform === 'linux' ? false : 'the kernel does not tell';
  test('cost little while nobody asks for them', { skip }, async (t) => {
    await sleep(2_000); // The work after a start is done.
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

/** User and system time, of which the kernel counts hundredths of a second. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
