/** How soon an event of a watch is there, and how long a read takes beside a thousand watches. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { leastMs } from '../harness/index.ts';
import { must } from './gateway-program.ts';
import {
  APISERVICES,
  apiService,
  flundersPath,
  startPublished,
  untilReason,
} from './registration-objects.ts';
import { openWatches } from './watch-crowd.ts';

const EVENTS = 50;
const SOON_MS = 50;
const WATCHES = 1_000;
const GETS = 20;
const GET_MS = 100;
const FLUNDERS = flundersPath('v1alpha1');
const WATCH = `${FLUNDERS}?watch=true&resourceVersion=0&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`;

interface FlunderEvent {
  readonly object: { readonly metadata: { readonly name: string } };
}

test(`a watch has 95 % of its events within ${SOON_MS} ms, and a read beside ${WATCHES} watches takes ${GET_MS} ms at most`, async (t) => {
  const { gateway, authority } = await startPublished(t);
  const registered = apiService({ version: 'v1alpha1', ca: authority.cert });
  await must(gateway.send('POST', APISERVICES, registered));
  await untilReason(gateway, { version: 'v1alpha1', reason: 'Passed' });

  /** From the response to a write to its event, of all but the slowest. */
  const eventsMs = async (round: number): Promise<number> => {
    await using watch = await gateway.watch(WATCH);
    const arrivedMs = new Map<string, number>();
    const reading = (async () => {
      for await (const line of watch.lines) {
        const { object } = line as FlunderEvent;
        arrivedMs.set(object.metadata.name, performance.now());
        if (arrivedMs.size === EVENTS) return;
      }
    })();
    const responseMs = new Map<string, number>();
    for (let index = 0; index < EVENTS; index += 1) {
      const name = `event-${round}-${index}`;
      await must(gateway.send('POST', FLUNDERS, { metadata: { name } }));
      responseMs.set(name, performance.now());
      await sleep(5); // One at a time: a batch would hide an event that waits for the next.
    }
    await reading;
    // Both times are taken by this process when it has read the whole response, and the whole event.
    const lateMs = [...responseMs]
      .map(([name, ms]) => (arrivedMs.get(name) ?? Number.POSITIVE_INFINITY) - ms)
      .toSorted((a, b) => a - b);
    return lateMs[Math.ceil(0.95 * EVENTS) - 1] ?? 0;
  };
  const soonMs = await leastMs(SOON_MS, eventsMs);
  t.diagnostic(`p95 of events ${soonMs.toFixed(1)} ms`);
  assert.ok(soonMs < SOON_MS, `p95 ${soonMs} ms`);

  const path = `${FLUNDERS}?watch=true&resourceVersion=0`;
  await openWatches(t, { ...gateway, path, count: WATCHES });
  const readMs = await leastMs(GET_MS, async () => {
    const tookMs: number[] = [];
    for (let index = 0; index < GETS; index += 1) {
      const beganMs = performance.now();
      await must(gateway.send('GET', `${FLUNDERS}/event-0-0`));
      tookMs.push(performance.now() - beganMs);
    }
    return Math.max(...tookMs);
  });
  t.diagnostic(`a read took ${Math.round(readMs)} ms at most`);
  assert.ok(readMs < GET_MS, `${readMs} ms`);
});
