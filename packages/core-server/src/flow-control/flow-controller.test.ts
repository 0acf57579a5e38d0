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

/** Two levels with ten seats each; schema of-a matches the group a, of-b the group b. */
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
  const flowOf = (by: UserInfo) => controller.classify({ user: by, info });
  const fill = (by: UserInfo): Seat[] => {
    const seatsTaken: Seat[] = [];
    for (let seat = flowOf(by).tryTake(); seat !== undefined; seat = flowOf(by).tryTake()) {
      seatsTaken.push(seat);
    }
    return seatsTaken;
  };
  const metric = (name: string, labels: string) =>
    Number(
      registry
        .text()
        .split('\n')
        .find((line) => line.startsWith(`apiserver_flowcontrol_${name}{${labels}} `))
        ?.split(' ')
        .at(-1),
    );
  return { clock, controller, flowOf, fill, metric, rejected };
}

const alice = user('alice', 'a');
const bob = user('bob', 'b');
const noted = (order: string[], name: string) => (seat: Seat | undefined) => {
  order.push(name);
  return seat;
};
const macrotask = () => new Promise((resolve) => setImmediate(resolve));

test('responses name the FlowSchema and the priority level', () => {
  const { flowOf } = started();
  assert.deepEqual(flowOf(alice).headers, [
    ['X-Kubernetes-PF-FlowSchema-UID', 'uid-of-of-a'],
    ['X-Kubernetes-PF-PriorityLevel-UID', 'uid-of-level-a'],
  ]);
});

test('a level has its share of all seats', () => {
  const { fill } = started();
  // Five of fifteen shares each: catch-all has the others.
  assert.equal(fill(alice).length, 10);
  assert.equal(fill(bob).length, 10);
});

test('a request of width ten takes and releases ten seats', () => {
  const { flowOf, metric } = started(undefined, undefined, 300);
  const of = 'flow_schema="of-a",priority_level="a"';
  for (let round = 0; round < 2; round += 1) {
    const taken: Seat[] = [];
    for (let seat = flowOf(alice).tryTake(10); seat; seat = flowOf(alice).tryTake(10))
      taken.push(seat);
    assert.equal(taken.length, 10);
    assert.equal(metric('current_executing_seats', of), 100);
    assert.equal(metric('current_executing_requests', of), 10);
    for (const seat of taken) seat.release();
    assert.equal(metric('current_executing_seats', of), 0);
  }
});

test('a request takes at most 15 percent of the seats of its level', () => {
  const { flowOf } = started();
  const taken: Seat[] = [];
  for (let seat = flowOf(alice).tryTake(10); seat; seat = flowOf(alice).tryTake(10))
    taken.push(seat);
  // 15 percent of ten, rounded up.
  assert.equal(taken.length, 5);
});

test('a request of width ten waits until ten seats are free', async () => {
  const { flowOf, fill } = started(undefined, undefined, 300);
  const seats = fill(alice);
  assert.equal(seats.length, 100);
  const order: string[] = [];
  const waiting = Promise.resolve(flowOf(alice).wait({ ...limit, width: 10 })).then(
    noted(order, 'wide'),
  );
  for (const seat of seats.splice(0, 9)) seat.release();
  await macrotask();
  assert.deepEqual(order, []);
  // A later request does not overtake it.
  assert.equal(flowOf(alice).tryTake(), undefined);
  seats.pop()?.release();
  await macrotask();
  assert.deepEqual(order, ['wide']);
  assert.equal(flowOf(alice).tryTake(), undefined);
  (await waiting)?.release();
  assert.equal(fill(alice).length, 10);
});

test('released seats can be taken again', () => {
  const { fill, metric } = started();
  for (let round = 0; round < 3; round += 1) {
    const seats = fill(alice);
    assert.equal(seats.length, 10);
    assert.equal(metric('current_executing_seats', 'flow_schema="of-a",priority_level="a"'), 10);
    for (const seat of seats) seat.release();
  }
  assert.equal(metric('current_executing_seats', 'flow_schema="of-a",priority_level="a"'), 0);
  assert.equal(metric('dispatched_requests_total', 'flow_schema="of-a",priority_level="a"'), 30);
});

test('waiting requests get free seats in order of arrival', async () => {
  const { fill, flowOf, metric } = started();
  const [first, second] = fill(alice);
  const order: string[] = [];
  const one = flowOf(user('x', 'a')).wait(limit)?.then(noted(order, 'one'));
  const two = flowOf(user('y', 'a')).wait(limit)?.then(noted(order, 'two'));
  assert.equal(metric('current_inqueue_requests', 'flow_schema="of-a",priority_level="a"'), 2);
  first?.release();
  assert.equal(flowOf(user('z', 'a')).tryTake(), undefined);
  second?.release();
  await Promise.all([one, two]);
  assert.deepEqual(order, ['one', 'two']);
  (await one)?.release();
  (await two)?.release();
  assert.equal(metric('current_inqueue_requests', 'flow_schema="of-a",priority_level="a"'), 0);
  assert.equal(fill(alice).length, 2);
});

test('a flood of one user delays other users by at most one round', async () => {
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
  await macrotask();
  assert.equal(order.length, 301);
  // At most one round of alice's queues.
  assert.ok(order.indexOf('carol') <= 8, `carol was ${order.indexOf('carol')}`);
});

const refusals = [
  { name: 'a level that does not queue', response: REJECT, reason: 'a of-a concurrency-limit' },
  { name: 'queues that are full', response: queue(1, 1, 1), reason: 'a of-a queue-full' },
];
for (const { name, response, reason } of refusals) {
  test(`${name} reject at once`, () => {
    const { fill, flowOf, rejected, metric } = started(level('a', 5, response));
    fill(alice);
    if (response.queuing !== undefined) assert.ok(flowOf(alice).wait(limit) instanceof Promise);
    assert.equal(flowOf(alice).wait(limit), undefined);
    assert.deepEqual(rejected, [reason]);
    const labels = `flow_schema="of-a",priority_level="a",reason="${reason.split(' ')[2]}"`;
    assert.equal(metric('rejected_requests_total', labels), 1);
    assert.equal(flowOf(alice).retryAfterSeconds(), 1);
  });
}

test('a request that times out or is canceled takes no seat', async () => {
  const { clock, fill, flowOf, rejected } = started();
  const seats = fill(alice);
  const cancellation = new AbortController();
  const late = flowOf(alice).wait(limit);
  const canceled = flowOf(alice).wait({ waitMsMax: 60_000, cancelled: cancellation.signal });
  clock.advance(15_000);
  cancellation.abort();
  assert.equal(await late, undefined);
  assert.equal(await canceled, undefined);
  assert.deepEqual(rejected, ['a of-a time-out', 'a of-a time-out']);
  for (const seat of seats) seat.release();
  assert.equal(fill(alice).length, 10);
});

test('idle seats are lent, and return first to a level below its share', async () => {
  const { fill, flowOf, metric } = started(
    level('a', 5, queue()),
    level('b', 5, queue(), { lendablePercent: 50 }),
  );
  assert.equal(metric('lower_limit_seats', 'priority_level="b"'), 5);
  assert.equal(metric('current_limit_seats', 'priority_level="a"'), 15);
  const borrowed = fill(alice);
  assert.equal(borrowed.length, 15);
  assert.equal(fill(bob).length, 5);
  const again = flowOf(alice).wait(limit);
  const own = flowOf(bob).wait(limit);
  const order: string[] = [];
  void again?.then(() => order.push('alice'));
  void own?.then(() => order.push('bob'));
  borrowed[0]?.release();
  await macrotask();
  assert.deepEqual(order, ['bob']);
  borrowed[1]?.release();
  await macrotask();
  // Alice has thirteen seats, three of them borrowed; bob six: one lendable seat is free.
  assert.deepEqual(order, ['bob', 'alice']);
});

test('a level borrows at most its borrowing limit', () => {
  const { fill } = started(
    level('a', 5, queue(), { borrowingLimitPercent: 20 }),
    level('b', 5, queue(), { lendablePercent: 50 }),
  );
  assert.equal(fill(alice).length, 12);
});

test('members of system:masters never wait', () => {
  const { controller, fill } = started();
  fill(alice);
  fill(bob);
  const root = user('root', 'system:masters');
  for (let at = 0; at < 1_000; at += 1) {
    assert.notEqual(controller.classify({ user: root, info }).tryTake(), undefined);
  }
});

test('a change of configuration applies to the next request and keeps seats in use', () => {
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

test('a deleted level serves its waiting requests', async () => {
  const { clock, controller, fill, flowOf, metric } = started();
  const [first, ...others] = fill(alice);
  const waiting = flowOf(alice).wait(limit);
  controller.removeLevel('a');
  // Its FlowSchema is inactive.
  assert.equal(flowOf(alice).headers[0]?.[1], '');
  assert.equal(metric('nominal_limit_seats', 'priority_level="a"'), 10);
  first?.release();
  (await waiting)?.release();
  for (const seat of others) seat.release();
  clock.advance(1_000);
  assert.equal(metric('nominal_limit_seats', 'priority_level="a"'), 0);
});

test('a request that matches no schema belongs to catch-all', () => {
  const { flowOf } = started();
  assert.equal(flowOf(user('unknown')).headers.length, 2);
});

test('the classification of equal requests of a user is cached', () => {
  const { controller } = started();
  const classify = (resource: string, requester = alice) =>
    controller.classify({ user: requester, info: { ...info, resource } });
  const first = classify('pods');
  assert.equal(classify('pods'), first);
  assert.notEqual(classify('services'), first);
  assert.notEqual(classify('pods', { ...alice }), first);
  controller.putSchema(schema('other', 'a', 'nobody'));
  assert.notEqual(classify('pods'), first, 'the schemas have changed');
});
