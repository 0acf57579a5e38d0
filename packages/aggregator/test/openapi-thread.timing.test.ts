/** The delay of other requests while a large OpenAPI document is read and merged. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '@tributary/client';
import { defer, eventually, leastMs } from '../../../test/harness/index.ts';
import { watchLoop } from '../../server/test/loop-stalls.ts';
import { requestFor } from '../../server/test/request-fixture.ts';
import { startOpenApi } from '../src/openapi/start-openapi.ts';
import { directBackends } from './direct-backends.ts';
import { lyingServer, remoteAt, testAvailability, testRegistrations } from './discovery-fixture.ts';
import {
  type BytesResponse,
  collectingLog,
  localApi,
  memoryStore,
  serves,
  specificationV2,
} from './openapi-fixture.ts';

const GROUP = 'a.example.com';

/** Longer than a request may be delayed by a document of another server. */
const STRETCH_MS_MAX = 50;

test('the event loop goes on while a document of ten megabytes is read and merged', async (t) => {
  const bytes = bytesOf(specificationV2(GROUP, 'large', 16_000));
  assert.ok(bytes.length > 10_000_000, `${bytes.length}`);
  const server = await lyingServer(
    t,
    serves({
      '/openapi/v2': (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        Readable.from(slices(bytes)).pipe(response);
      },
    }),
  );
  const registration = remoteAt(server, GROUP, 'v1');
  const stretchMs = await leastMs(STRETCH_MS_MAX, () => longestStretch(t, registration));
  t.diagnostic(`longest stretch: ${stretchMs.toFixed(1)} ms`);
  assert.ok(stretchMs < STRETCH_MS_MAX, `${stretchMs} ms`);
});

/** Of work of this thread, from the registration until its document is part of the whole. */
async function longestStretch(
  t: TestContext,
  registration: ReturnType<typeof remoteAt>,
): Promise<number> {
  const registrations = testRegistrations();
  const apis = [localApi];
  const openApi = startOpenApi({
    registrations,
    availability: testAvailability(),
    backends: directBackends(),
    documents: memoryStore(),
    localApis: () => apis,
    clock: systemClock,
    log: collectingLog([]),
  });
  defer(t, () => openApi.close());
  const isMerged = async () => {
    const response = (await openApi.route(requestFor('/openapi/v2'))) as BytesResponse;
    return (response.chunks[0]?.length ?? 0) > 5_000_000;
  };
  await isMerged(); // the documents of this process are made
  collectGarbage(); // garbage of the test itself does not count
  const loop = watchLoop(t);
  registrations.put(registration);
  await eventually('the documents are merged', isMerged, { everyMs: 20 });
  const longestMs = loop.longestMs();
  await openApi.close();
  return longestMs;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** With pauses: the server that sends it is in the same thread, and what it does at once must not count. */
async function* slices(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += 65_536) {
    yield bytes.subarray(start, start + 65_536);
    await sleep(1);
  }
}

function bytesOf(document: object): Buffer {
  return Buffer.from(JSON.stringify(document));
}
