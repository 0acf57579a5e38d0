import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueues, type Queue } from './fair-queues.ts';

const options = { queues: 8, handSize: 1, queueLengthLimit: 3 };

function queuesWith(...names: readonly string[]) {
  const queues = new FairQueues(options);
  const hands = new Map<string, number>();
  const owners = new Map<object, string>();
  const enter = (name: string) => {
    const hand = hands.get(name[0] ?? '') ?? hands.size;
    hands.set(name[0] ?? '', hand);
    const waiter = { width: 1, finish() {} };
    owners.set(waiter, name);
    return queues.enter([hand], waiter);
  };
  for (const name of names) enter(name);
  const next = (tookMs = 3): string | undefined => {
    const found = queues.next();
    if (found === undefined) return undefined;
    queues.charge(found.queue, tookMs, 1);
    return owners.get(found.waiter);
  };
  return { queues, enter, next };
}

test('queues take turns and keep the order of their requests', () => {
  const { next } = queuesWith('a1', 'a2', 'a3', 'b1', 'c1', 'b2');
  const order = Array.from({ length: 7 }, () => next());
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
});

test('a queue is charged the duration of its requests', () => {
  const { queues, enter } = queuesWith();
  const tookMs = new Map([
    [0, 30],
    [1, 10],
  ]);
  const count = [0, 0];
  const numbers = new Map<Queue, number>();
  enter('a');
  enter('b');
  for (let round = 0; round < 400; round += 1) {
    const found = queues.next();
    assert.ok(found !== undefined);
    const number = numbers.get(found.queue) ?? numbers.size;
    numbers.set(found.queue, number);
    count[number] = (count[number] ?? 0) + 1;
    queues.charge(found.queue, tookMs.get(number) ?? 0, 1);
    enter(number === 0 ? 'a' : 'b');
  }
  // Both get the same seat time: three short requests for each long one.
  assert.ok(Math.abs((count[1] ?? 0) / (count[0] ?? 1) - 3) < 0.2, String(count));
});

test('an idle queue earns no credit', () => {
  const { enter, next } = queuesWith('a1', 'b1');
  next(1000);
  next(3);
  for (let at = 0; at < 3; at += 1) {
    enter(`b${at}`);
    assert.equal(next(1000)?.[0], 'b');
  }
  // The queue of a starts at the virtual time of b, so both take turns from here.
  for (const name of ['b', 'b', 'a', 'a']) enter(name);
  assert.deepEqual([next(1000), next(1000), next(1000), next(1000)], ['a', 'b', 'a', 'b']);
});

test('a full queue rejects until a request leaves', () => {
  const { queues, enter } = queuesWith('a1', 'a2');
  const leave = enter('a3');
  assert.equal(enter('a4'), undefined);
  assert.equal(queues.size, 3);
  assert.equal(leave?.(), true);
  assert.equal(leave?.(), false);
  assert.equal(queues.size, 2);
  assert.notEqual(enter('a4'), undefined);
});

test('a request enters the shortest queue of its hand', () => {
  const queues = new FairQueues({ queues: 8, handSize: 3, queueLengthLimit: 2 });
  const waiter = () => ({ width: 1, finish() {} });
  for (let at = 0; at < 6; at += 1) assert.notEqual(queues.enter([1, 4, 6], waiter()), undefined);
  assert.equal(queues.enter([1, 4, 6], waiter()), undefined);
  assert.notEqual(queues.enter([1, 4, 5], waiter()), undefined);
});

test('a queue is charged for every seat of its requests', () => {
  const queues = new FairQueues({ queues: 8, handSize: 1, queueLengthLimit: 100 });
  const count = { wide: 0, narrow: 0 };
  const enter = (name: keyof typeof count, width: number) => {
    const finish = () => {
      count[name] += 1;
    };
    queues.enter([width], { width, finish: finish });
  };
  enter('wide', 5);
  enter('narrow', 1);
  for (let round = 0; round < 600; round += 1) {
    const found = queues.next();
    assert.ok(found !== undefined);
    const { queue, waiter } = found;
    waiter.finish(queue);
    queues.charge(queue, 10, waiter.width);
    enter(waiter.width === 5 ? 'wide' : 'narrow', waiter.width);
  }
  assert.ok(Math.abs(count.narrow / count.wide - 5) < 0.3, JSON.stringify(count));
});
