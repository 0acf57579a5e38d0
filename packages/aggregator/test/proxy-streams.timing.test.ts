/** How soon the events of a watch come through the proxy. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { leastMs, take } from '../../../test/harness/index.ts';
import { flunders, PROTOCOLS, startProxy } from './proxy-fixture.ts';

const MEDIAN_MS_MAX = 20;

for (const { http, behind } of PROTOCOLS) {
  test(`from HTTP/${http} to HTTP/${behind}, an event of a watch comes within ${MEDIAN_MS_MAX} ms`, async (t) => {
    const events = Promise.withResolvers<(line: string) => void>();
    await using fixture = await startProxy({
      behind,
      behaviour: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
        events.resolve((line) => void response.write(line));
      },
    });
    const stream = await fixture.stream(`${flunders}?watch=1`, { http });
    const say = await events.promise;
    const lines = stream.lines[Symbol.asyncIterator]();
    // A proxy that holds events back delays every one; a busy machine delays some.
    const medianMs = async () => {
      const times: number[] = [];
      for (let count = 0; count < 20; count += 1) {
        await sleep(5);
        const startMs = performance.now();
        say(`{"count":${count}}\n`);
        assert.deepEqual(await take(lines, 1), [{ count }]);
        times.push(performance.now() - startMs);
      }
      return times.sort((a, b) => a - b)[times.length / 2] ?? Number.NaN;
    };
    const tookMs = await leastMs(MEDIAN_MS_MAX, medianMs);
    t.diagnostic(`${tookMs.toFixed(1)} ms`);
    assert.ok(tookMs < MEDIAN_MS_MAX, `an event took ${tookMs} ms`);
    await stream.close();
  });
}
