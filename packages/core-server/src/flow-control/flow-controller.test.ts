import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  FlowSchema,
  LimitResponse,
  PriorityLevelConfiguration,
} from '@tributary/api/flowcontrol-v1';
import type { AccessInfo, UserInfo } from '@tributary/server';
import type { Seat } from '@tributary/server/filters';
import { MetricsRegistry } from '@tributary/server/operations';
import { manualClock } from '@tributary/storage';
import { FlowController } from './flow-controller.ts';

const never = new AbortController().signal;
const limit = { waitMsMax: 15_000, cancelled: never };
const REJECT: LimitResponse = { type: 'Reject' };
const queue = (queues = 8, handSize = 2, queueLengthLimit = 10): LimitResponse => ({
  type: 'Queue',
  queuing: { queues, handSize, queueLengthLimit },
});

function level(
  name: string,
  shares: number,
  limitResponse: LimitResponse,
  more: object = {},
): PriorityLevelConfiguration {
  const limited = { nominalConcurrencyShares: shares, limitResponse, ...more };
  const metadata = { name, uid: `uid-of-level-${name}` };
  return { apiVersion: '', kind: '', metadata, spec: { type: 'Limited', limited }, status: {} };
}

function schema(name: string, levelName: string, group: string, precedence = 10): FlowSchema {
  const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] };
  return {
    apiVersion: '',
    kind: '',
    metadata: { name, uid: `uid-of-${name}` },
    spec: {
      priorityLevelConfiguration: { name: levelName },
      matchingPrecedence: precedence,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [{ kind: 'Group', group: { name: group } }],
          resourceRules: [{ ...all, clusterScope: true }],
        },
      ],
    },
    status: {},
  };
}

const user = (name: string, ...groups: string[]): UserInfo => ({
  name,
  uid: '',
  groups,
  extra: {},
});
const info: AccessInfo = {
  isResourceRequest: true,
  verb: 'list',
  path: '',
  group: '',
  version: 'v1',
  namespace: 'eu',
  resource: 'pods',
  subresource: '',
  name: '',
  fieldSelector: '',
  labelSelector: '',
};

/** Two levels with half of twenty seats each; a catches the group a, b the group b. */
function started(a = level('a', 5, queue()), b = level('b', 5, queue()), seats = 30) {
  const clock = manualClock();
  const rejected: string[] = [];
  const controller = new FlowController({
    clock,
    seats,
    onRejected: ({ level: name, schema: by, reason }) => rejected.push(`${name} ${by} ${reason}`),
  });
  const registry = new MetricsRegistry();
  controller.registerMetrics(registry);
  controller.putLevel(a);
  controller.putLevel(b);
  controller.putSchema(schema('of-a', 'a', 'a'));
  controller.putSchema(schema('of-b', 'b', 'b'));
  const flowOf = (who: UserInfo) => controller.classify({ user: who, info });
  const fill = (who: UserInfo): Seat[] => {
    const seatsTaken: Seat[] = [];
    for (let seat = flowOf(who).tryTake(); seat !== undefined; seat = flowOf(who).tryTake()) {
      seatsTaken.push(seat);
    }
    return seatsTaken;
  };
  const figure = (name: string, labels: string) =>
    Number(
      registry
        .text()
        .split('\n')
        .find((line) => line.startsWith(`apiserver_flowcontrol_${name}{${labels}} `))
        ?.split(' ')
        .at(-1),
    );
  return { clock, controller, flowOf, fill, figure, rejected };
}

const alice = user('alice', 'a');
const bob = user('bob', 'b');
const noted = (order: string[], name: string) => (seat: Seat | undefined) => {
  order.push(name);
  return seat;
};
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('every answer tells the schema and the level', () => {
  const { flowOf } = started();
  assert.deepEqual(flowOf(alice).headers, [
    ['X-Kubernetes-PF-FlowSchema-UID', 'uid-of-of-a'],
    ['X-Kubernetes-PF-PriorityLevel-UID', 'uid-of-level-a'],
  ]);
});

test('a level has its share of all seats, and no more', () => {
  const { fill } = started();
  // Five of fifteen shares each: catch-all has the others.
  assert.equal(fill(alice).length, 10);
  assert.equal(fill(bob).length, 10);
});

test('a wide request takes as many seats as it is wide, and gives all of them back', () => {
  const { flowOf, figure } = started(undefined, undefined, 300);
  const of = 'flow_schema="of-a",priority_level="a"';
  for (let round = 0; round < 2; round += 1) {
    const taken: Seat[] = [];
    for (let seat = flowOf(alice).tryTake(10); seat; seat = flowOf(alice).tryTake(10))
      taken.push(seat);
    assert.equal(taken.length, 10);
    assert.equal(figure('current_executing_seats', of), 100);
    assert.equal(figure('current_executing_requests', of), 10);
    for (const seat of taken) seat.release();
    assert.equal(figure('current_executing_seats', of), 0);
  }
});

test('no request takes more than a part of its level, as upstream', () => {
  const { flowOf } = started();
  const taken: Seat[] = [];
  for (let seat = flowOf(alice).tryTake(10); seat; seat = flowOf(alice).tryTake(10))
    taken.push(seat);
  // 15 percent of ten, rounded up.
  assert.equal(taken.length, 5);
});

test('a wide request waits until all of its seats are free', async () => {
  const { flowOf, fill } = started(undefined, undefined, 300);
  const seats = fill(alice);
  assert.equal(seats.length, 100);
  const order: string[] = [];
  const waiting = Promise.resolve(flowOf(alice).wait({ ...limit, width: 10 })).then(
    noted(order, 'wide'),
  );
  for (const seat of seats.splice(0, 9)) seat.release();
  await settled();
  assert.deepEqual(order, []);
  // What comes later does not overtake it.
  assert.equal(flowOf(alice).tryTake(), undefined);
  seats.pop()?.release();
  await settled();
  assert.deepEqual(order, ['wide']);
  assert.equal(flowOf(alice).tryTake(), undefined);
  (await waiting)?.release();
  assert.equal(fill(alice).length, 10);
});

test('seats come back', () => {
  const { fill, figure } = started();
  for (let round = 0; round < 3; round += 1) {
    const seats = fill(alice);
    assert.equal(seats.length, 10);
    assert.equal(figure('current_executing_seats', 'flow_schema="of-a",priority_level="a"'), 10);
    for (const seat of seats) seat.release();
  }
  assert.equal(figure('current_executing_seats', 'flow_schema="of-a",priority_level="a"'), 0);
  assert.equal(figure('dispatched_requests_total', 'flow_schema="of-a",priority_level="a"'), 30);
});

test('who waits gets a seat when one is free, before who comes later', async () => {
  const { fill, flowOf, figure } = started();
  const [first, second] = fill(alice);
  const order: string[] = [];
  const one = flowOf(user('x', 'a')).wait(limit)?.then(noted(order, 'one'));
  const two = flowOf(user('y', 'a')).wait(limit)?.then(noted(order, 'two'));
  assert.equal(figure('current_inqueue_requests', 'flow_schema="of-a",priority_level="a"'), 2);
  first?.release();
  assert.equal(flowOf(user('z', 'a')).tryTake(), undefined);
  second?.release();
  await Promise.all([one, two]);
  assert.deepEqual(order, ['one', 'two']);
  (await one)?.release();
  (await two)?.release();
  assert.equal(figure('current_inqueue_requests', 'flow_schema="of-a",priority_level="a"'), 0);
  assert.equal(fill(alice).length, 2);
});

test('who floods a level delays others by little', async () => {
  const { fill, flowOf } = started(level('a', 5, queue(64, 8, 50)));
  const flood = fill(alice);
  const order: string[] = [];
  const all: Promise<Seat | undefined>[] = [];
  const enter = (name: string) => {
    const waiting = flowOf(user(name, 'a')).wait(limit);
    if (waiting === undefined) return;
    all.push(waiting);
    void waiting.then((seat) => {
      order.push(name);
      seat?.release();
    });
  };
  for (let at = 0; at < 300; at += 1) enter('alice');
  enter('carol');
  flood[0]?.release();
  await Promise.all(all);
  await settled();
  assert.equal(order.length, 301);
  // One round of alice's queues at the most.
  assert.ok(order.indexOf('carol') <= 8, `carol was ${order.indexOf('carol')}`);
});

const refusals = [
  { name: 'a level that does not queue', response: REJECT, reason: 'a of-a concurrency-limit' },
  { name: 'queues that are full', response: queue(1, 1, 1), reason: 'a of-a queue-full' },
];
for (const { name, response, reason } of refusals) {
  test(`${name} turn away at once`, () => {
    const { fill, flowOf, rejected, figure } = started(level('a', 5, response));
    fill(alice);
    if (response.queuing !== undefined) assert.ok(flowOf(alice).wait(limit) instanceof Promise);
    assert.equal(flowOf(alice).wait(limit), undefined);
    assert.deepEqual(rejected, [reason]);
    const labels = `flow_schema="of-a",priority_level="a",reason="${reason.split(' ')[2]}"`;
    assert.equal(figure('rejected_requests_total', labels), 1);
    assert.equal(flowOf(alice).retryAfterSeconds(), 1);
  });
}

test('who waits too long, or leaves, goes without and holds nothing', async () => {
  const { clock, fill, flowOf, rejected } = started();
  const seats = fill(alice);
  const leaves = new AbortController();
  const late = flowOf(alice).wait(limit);
  const gone = flowOf(alice).wait({ waitMsMax: 60_000, cancelled: leaves.signal });
  clock.advance(15_000);
  leaves.abort();
  assert.equal(await late, undefined);
  assert.equal(await gone, undefined);
  assert.deepEqual(rejected, ['a of-a time-out', 'a of-a time-out']);
  for (const seat of seats) seat.release();
  assert.equal(fill(alice).length, 10);
});

test('what nobody uses is lent, and goes back first to a level below its share', async () => {
  const { fill, flowOf, figure } = started(
    level('a', 5, queue()),
    level('b', 5, queue(), { lendablePercent: 50 }),
  );
  assert.equal(figure('lower_limit_seats', 'priority_level="b"'), 5);
  assert.equal(figure('current_limit_seats', 'priority_level="a"'), 15);
  const borrowed = fill(alice);
  assert.equal(borrowed.length, 15);
  assert.equal(fill(bob).length, 5);
  const again = flowOf(alice).wait(limit);
  const own = flowOf(bob).wait(limit);
  const order: string[] = [];
  void again?.then(() => order.push('alice'));
  void own?.then(() => order.push('bob'));
  borrowed[0]?.release();
  await settled();
  assert.deepEqual(order, ['bob']);
  borrowed[1]?.release();
  await settled();
  // Alice has thirteen, three of them borrowed; bob six: one that was lent is free.
  assert.deepEqual(order, ['bob', 'alice']);
});

test('a level does not borrow more than it may', () => {
  const { fill } = started(
    level('a', 5, queue(), { borrowingLimitPercent: 20 }),
    level('b', 5, queue(), { lendablePercent: 50 }),
  );
  assert.equal(fill(alice).length, 12);
});

test('administrators and probes are never in a queue', () => {
  const { controller, fill } = started();
  fill(alice);
  fill(bob);
  const root = user('root', 'system:masters');
  for (let at = 0; at < 1_000; at += 1) {
    assert.notEqual(controller.classify({ user: root, info }).tryTake(), undefined);
  }
});

test('a change counts from the next request on, and seats in use are kept', () => {
  const { controller, fill, flowOf } = started();
  assert.equal(fill(alice).length, 10);
  controller.putLevel(level('a', 20, queue()));
  // Twenty of thirty shares.
  assert.equal(fill(alice).length, 10);
  controller.putSchema(schema('earlier', 'b', 'a', 5));
  assert.equal(flowOf(alice).headers[0]?.[1], 'uid-of-earlier');
  controller.removeSchema('earlier');
  assert.equal(flowOf(alice).headers[0]?.[1], 'uid-of-of-a');
});

test('a level that is gone serves those who wait in it', async () => {
  const { clock, controller, fill, flowOf, figure } = started();
  const [first, ...others] = fill(alice);
  const waiting = flowOf(alice).wait(limit);
  controller.removeLevel('a');
  // Its schema classifies nothing any more.
  assert.equal(flowOf(alice).headers[0]?.[1], '');
  assert.equal(figure('nominal_limit_seats', 'priority_level="a"'), 10);
  first?.release();
  (await waiting)?.release();
  for (const seat of others) seat.release();
  clock.advance(1_000);
  assert.equal(figure('nominal_limit_seats', 'priority_level="a"'), 0);
});

test('who belongs nowhere is caught', () => {
  const { flowOf } = started();
  assert.equal(flowOf(user('stranger')).headers.length, 2);
});

test('a request like an earlier one of the same user is classified without a search', () => {
  const { controller } = started();
  const classify = (resource: string, who = alice) =>
    controller.classify({ user: who, info: { ...info, resource } });
  const first = classify('pods');
  assert.equal(classify('pods'), first);
  assert.notEqual(classify('services'), first);
  assert.notEqual(classify('pods', { ...alice }), first);
  controller.putSchema(schema('other', 'a', 'nobody'));
  assert.notEqual(classify('pods'), first, 'the schemas have changed');
});
