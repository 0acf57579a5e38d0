import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notFound } from '@tributary/apimachinery';
import { manualClock } from '@tributary/storage';
import { requestFor } from '../../test/request-fixture.ts';
import { isWatch, longRunningCheck } from '../request/long-running.ts';
import type { ApiResponse, Handler } from '../request/pipeline.ts';
import { freeSeat, newContext } from '../request/request-context.ts';
import { withDeadline } from './deadline.ts';
import { type Flow, type Seat, type WaitLimit, withFlowControl } from './flow-control.ts';
import { RequestMaxima } from './request-maxima.ts';
import { withResponseHeaders } from './response-headers.ts';
import { withStatusErrors } from './status-errors.ts';

const ok: ApiResponse = { kind: 'object', code: 200, object: {} };
const HEADERS = [['X-Flow', 'f']] as const;

/** One flow whose seats and waits are controlled by the test. */
function controlled(flow: Partial<Flow>, handler: Handler = () => ok) {
  const clock = manualClock();
  const seen = { released: 0, waits: [] as WaitLimit[], classified: 0 };
  const seat: Seat = {
    release() {
      seen.released += 1;
    },
  };
  const peaks = new RequestMaxima();
  const whole: Flow = {
    headers: HEADERS,
    tryTake: () => seat,
    wait: (limit) => {
      seen.waits.push(limit);
      return undefined;
    },
    retryAfterSeconds: () => 7,
    ...flow,
  };
  const control = {
    classify: () => {
      seen.classified += 1;
      return whole;
    },
  };
  const isLongRunning = longRunningCheck(({ subresource }) => subresource === 'exec');
  const filters = [
    withResponseHeaders({}),
    withStatusErrors((error) => assert.fail(String(error))),
    withDeadline({ clock, requestTimeoutMs: 60_000, isLongRunning }),
    withFlowControl({ control, peaks, clock, isLongRunning }),
  ];
  const send = async (target: string, method = 'GET') => {
    const context = newContext('id', clock.nowMs());
    const response = await filters.reduceRight(
      (next, filter) => filter(next),
      handler,
    )(requestFor(target, { method, context }));
    const code = 'code' in response ? response.code : 200;
    return { response, code, header: (name: string) => new Map(response.headers).get(name) };
  };
  return { send, seen, peaks, seat };
}

const things = '/apis/g.io/v1/namespaces/n/things';

test('an answer tells its flow, and gives its seat back', async () => {
  const { send, seen } = controlled({});
  const { code, header } = await send(things);
  assert.deepEqual([code, header('X-Flow'), seen.released], [200, 'f', 1]);
});

test('so does a failure', async () => {
  const { send, seen } = controlled({}, () => {
    throw notFound({ group: 'g.io', resource: 'things' }, 'a');
  });
  const { code, header } = await send(`${things}/a`);
  assert.deepEqual([code, header('X-Flow'), seen.released], [404, 'f', 1]);
});

test('who is turned away is told when to come again', async () => {
  const { send, seen } = controlled({ tryTake: () => undefined });
  const { code, header, response } = await send(things);
  assert.deepEqual([code, header('X-Flow'), header('Retry-After')], [429, 'f', '7']);
  assert.match(JSON.stringify(response), /Too many requests, please try again later\./);
  assert.equal(seen.released, 0);
});

test('who has waited is served, and counted', async () => {
  const { promise, resolve } = Promise.withResolvers<Seat | undefined>();
  const { send, seen, peaks, seat } = controlled({ tryTake: () => undefined, wait: () => promise });
  const sent = send(things, 'POST');
  await new Promise(setImmediate);
  assert.equal(seen.released, 0);
  resolve(seat);
  assert.equal((await sent).code, 200);
  assert.equal(seen.released, 1);
  assert.deepEqual(peaks.mutating.peaks(), { taken: 1, waiting: 1 });
  assert.deepEqual(peaks.readOnly.peaks(), { taken: 0, waiting: 0 });
  assert.deepEqual(peaks.mutating.peaks(), { taken: 0, waiting: 0 });
});

const limits = [
  { name: 'a quarter of its time', target: things, want: 15_000 },
  { name: 'a quarter of the time it asks for', target: `${things}?timeout=8s`, want: 2_000 },
  { name: 'a quarter of a minute, for a watch', target: `${things}?watch=1`, want: 15_000 },
];
for (const { name, target, want } of limits) {
  test(`a request waits no longer than ${name}`, async () => {
    const { send, seen } = controlled({ tryTake: () => undefined });
    await send(target);
    assert.deepEqual(
      seen.waits.map(({ waitMsMax }) => waitMsMax),
      [want],
    );
  });
}

test('what waits for another server gives its seat back before, and once', async () => {
  const { promise, resolve } = Promise.withResolvers<ApiResponse>();
  const { send, seen, peaks } = controlled({}, (request) => {
    freeSeat(request);
    return promise;
  });
  const sent = send(things);
  assert.equal(seen.released, 1);
  assert.equal(peaks.readOnly.peaks().taken, 1);
  resolve(ok);
  assert.equal((await sent).code, 200);
  assert.equal(seen.released, 1);
});

test('a watch gives its seat back when it is open', async () => {
  const chunks = (async function* () {
    yield Buffer.from('{}\n');
  })();
  const { send, seen } = controlled({}, async () => ({
    kind: 'stream',
    contentType: 'application/json',
    chunks,
  }));
  assert.equal(isWatch(requestFor(`${things}?watch=1`).info), true);
  const { header } = await send(`${things}?watch=1`);
  assert.deepEqual([header('X-Flow'), seen.released], ['f', 1]);
});

test('a connection that lasts has no flow', async () => {
  const { send, seen } = controlled({ tryTake: () => undefined });
  const { code, header } = await send(`${things}/a/exec`, 'POST');
  assert.deepEqual([code, header('X-Flow'), seen.classified], [200, undefined, 0]);
});
