/** The duration of a request beside many open watches. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leastMs } from '../../../../test/harness/index.ts';
import { connectTo, get, text } from '../../test/backend-fixture.ts';
import { openWatches, startWatched } from '../../test/watched-backend.ts';

const WATCHES = 1000;
const MEDIAN_MS_MAX = 50;

for (const http of ['1.1', '2'] as const) {
  test(`a GET and a probe beside ${WATCHES} watches of HTTP/${http} take less than ${MEDIAN_MS_MAX} ms`, async (t) => {
    const server = await startWatched(t, http);
    const { backend } = connectTo(t, [server.target]);
    const open = await openWatches(backend, WATCHES);
    for (const use of ['request', 'probe'] as const) {
      const send = async () => text(await backend.send(get('/', { use })));
      await send(); // the first makes a connection
      const tookMs = await leastMs(MEDIAN_MS_MAX, () => medianMs(send));
      t.diagnostic(`${use}: ${tookMs.toFixed(1)} ms`);
      assert.ok(tookMs < MEDIAN_MS_MAX, `${use}: ${tookMs} ms`);
    }
    for (const response of open) response.cancel();
  });
}

async function medianMs(send: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < 20; index += 1) {
    const startMs = performance.now();
    await send();
    times.push(performance.now() - startMs);
  }
  return times.sort((a, b) => a - b)[10] ?? Number.NaN;
}
