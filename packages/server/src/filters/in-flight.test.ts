import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '@tributary/storage';
import { requestFor } from '../../test/request-fixture.ts';
import { ClientDisconnected } from '../request/connection-errors.ts';
import type { ApiResponse, Handler } from '../request/pipeline.ts';
import { FairQueue } from './fair-queue.ts';
import { inFlightQueues, withInFlightLimit } from './in-flight.ts';
import { withStatusErrors } from './status-errors.ts';

const never = new AbortController().signal;

function queueOf(more: Partial<ConstructorParameters<typeof FairQueue>[0]> = {}) {
  const clock = manualClock();
  const bounds = { limit: 1, waitingMax: 10, waitingPerUserMax: 10, waitMsMax: 1000 };
  return { clock, queue: new FairQueue({ clock, ...bounds, ...more }) };
}

test('places go round the users who wait, each served in its own order', async () => {
  const { queue } = queueOf();
  assert.equal(queue.take('a', never), true);
  const order: string[] = [];
  const served: Promise<unknown>[] = [];
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) {
    const place = queue.take(name[0] ?? '', never);
    assert.ok(place instanceof Promise);
    served.push(place.then(() => order.push(name)));
  }
  for (let round = 0; round < 6; round += 1) {
    queue.release();
    await new Promise(setImmediate);
  }
  await Promise.all(served);
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

const bounds = [
  { name: 'all users together', options: { waitingMax: 2 }, users: ['a', 'b'] },
  { name: 'each user', options: { waitingPerUserMax: 2 }, users: ['a', 'a'] },
];
for (const { name, options, users } of bounds) {
  test(`no more wait than ${name} may`, () => {
    const { queue } = queueOf(options);
    assert.equal(queue.tryTake(), true);
    for (const user of users) assert.ok(queue.take(user, never) instanceof Promise);
    assert.equal(queue.take('a', never), false);
    assert.deepEqual(queue.peaks(), { taken: 1, waiting: 2 });
  });
}

test('who waits too long goes without, and holds no place', async () => {
  const { clock, queue } = queueOf();
  assert.equal(queue.tryTake(), true);
  const waiting = queue.take('b', never);
  clock.advance(1000);
  assert.equal(await waiting, false);
  queue.release();
  assert.equal(queue.tryTake(), true);
  assert.equal(queue.tryTake(), false);
});

test('who leaves while waiting holds no place', async () => {
  const { queue } = queueOf();
  assert.equal(queue.tryTake(), true);
  const leave = new AbortController();
  const waiting = queue.take('b', leave.signal);
  leave.abort();
  assert.equal(await waiting, false);
  queue.release();
  assert.deepEqual(queue.peaks(), { taken: 1, waiting: 1 });
  assert.deepEqual(queue.peaks(), { taken: 0, waiting: 0 });
});

const respond: ApiResponse = { kind: 'object', code: 200, object: {} };
const groups = { masters: ['system:masters'], others: ['system:authenticated'] };

/** A handler that responds when the test says so, behind the filter. */
function limited(clock = manualClock()) {
  const responses: (() => void)[] = [];
  const queues = inFlightQueues({ clock, requestsMax: 1, mutatingRequestsMax: 1 });
  const handler: Handler = () => new Promise((resolve) => responses.push(() => resolve(respond)));
  return {
    clock,
    responses: responses,
    handler: withStatusErrors(() => {})(withInFlightLimit(queues)(handler)),
  };
}

const things = '/apis/g.io/v1/things';
const second = [
  { name: 'another read waits', target: things, method: 'GET', group: groups.others, runs: 1 },
  { name: 'a write has its own', target: things, method: 'POST', group: groups.others, runs: 2 },
  {
    name: 'a watch takes none',
    target: `${things}?watch=1`,
    method: 'GET',
    group: groups.others,
    runs: 2,
  },
  {
    name: 'administrators do not wait',
    target: things,
    method: 'GET',
    group: groups.masters,
    runs: 2,
  },
];
for (const { name, target, method, group, runs } of second) {
  test(`when reads are at their bound, ${name}`, async () => {
    const { handler, responses } = limited();
    const userOf = (list: string[]) => ({ name: 'u', uid: '', groups: list, extra: {} });
    const first = handler(requestFor(things, { user: userOf(groups.others) }));
    const other = handler(requestFor(target, { method, user: userOf(group) }));
    await new Promise(setImmediate);
    assert.equal(responses.length, runs);
    for (let at = 0; at < 2; at += 1) {
      responses[at]?.();
      await new Promise(setImmediate);
    }
    await Promise.all([first, other]);
  });
}

test('who has waited long enough is told to come again', async () => {
  const { handler, responses, clock } = limited();
  const first = handler(requestFor(things));
  const other = handler(requestFor(things));
  clock.advance(15_000);
  const response = await other;
  assert.ok(response.kind === 'object');
  assert.equal(response.code, 429);
  assert.deepEqual(response.headers, [['Retry-After', '1']]);
  assert.match(JSON.stringify(response.object), /Too many requests, please try again later\./);
  responses[0]?.();
  await first;
});

test('a request that fails gives its place back', async () => {
  const queues = inFlightQueues({ clock: manualClock(), requestsMax: 1, mutatingRequestsMax: 1 });
  const handler = withInFlightLimit(queues)(() => Promise.reject(new ClientDisconnected()));
  for (let at = 0; at < 3; at += 1) {
    await assert.rejects(async () => handler(requestFor(things)), ClientDisconnected);
  }
});
