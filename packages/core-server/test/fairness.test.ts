/** A user floods `tributary up` with writes; requests of other users are not queued behind them, and no seat leaks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, httpsRequest } from '../../../test/harness/index.ts';
import { FLOOD, startFloodedCore } from './flood.ts';

const TIMES = 12;
/**
 * The number of the flood's writes between a request of another user and its response. A single queue would need most
 * of the flood; fair queues need those with a seat and a few per queue.
 */
const OVERTAKEN_MAX = 150;

test('a flood of writes does not delay other users, and leaks no seats', async (t) => {
  const { core, others, flood: start } = await startFloodedCore(t);
  const flood = start();
  await eventually('the flood is served', () => flood.taken >= FLOOD / 5);
  const overtaken: Record<string, number[]> = {};
  await Promise.all(
    Object.entries(others).map(async ([name, send]: [string, () => Promise<number>]) => {
      const counts: number[] = [];
      overtaken[name] = counts;
      for (let time = 0; time < TIMES; time += 1) {
        const before = flood.taken;
        const status = await send();
        assert.equal(Math.floor(status / 100), 2, `${name}: ${status}`);
        counts.push(flood.taken - before);
      }
    }),
  );
  await flood.stop();
  const shown = JSON.stringify(overtaken);
  t.diagnostic(`writes of the flood taken meanwhile: ${shown}`);
  for (const counts of Object.values(overtaken)) {
    const middle = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0;
    assert.ok(middle <= OVERTAKEN_MAX, shown);
  }

  const credentials = { ca: core.ca, token: 'admin-token' };
  const left = async (): Promise<string[]> =>
    occupied((await httpsRequest(`${core.url}/metrics`, credentials)).body);
  await eventually('no seat is taken and nobody waits', async () => (await left()).length === 0);
  const { body } = await httpsRequest(`${core.url}/metrics`, credentials);
  const waits = WAITED.exec(body)?.[1];
  assert.ok(Number(waits) > 100, `${waits} have waited, so nothing was tested`);
});

const WAITED =
  /request_wait_duration_seconds_count\{execute="true",flow_schema="global-default".*\} (\d+)/;
const OCCUPIED =
  /^apiserver_flowcontrol_current_(?:executing_seats|executing_requests|inqueue_requests)\{.*priority_level="(.*)"\} (\S+)$/gm;

/** Metric series of seats and queues that are not zero, except those of the request for the metrics. */
function occupied(metrics: string): string[] {
  const series = [...metrics.matchAll(OCCUPIED)].filter(([, level]) => level !== 'exempt');
  assert.ok(series.length > 0);
  return series.filter(([, , value]) => value !== '0').map(([text]) => text);
}
