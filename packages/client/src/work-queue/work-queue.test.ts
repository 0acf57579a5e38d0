import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { VirtualClock } from '../../../../test/harness/clock.ts';
import { createWorkQueue, runWorkers, type WorkQueue } from './work-queue.ts';

async function take<K>(queue: WorkQueue<K>): Promise<K | undefined> {
  return (await queue.next())?.item;
}

test('a waiting item is in the queue once, and the order is preserved', async () => {
  const queue = createWorkQueue<string>();
  for (const item of ['a', 'b', 'a', 'c', 'b']) queue.add(item);
  assert.equal(queue.size, 3);
  assert.deepEqual([await take(queue), await take(queue), await take(queue)], ['a', 'b', 'c']);
});

test('an item that is added while it is processed comes again afterwards', async () => {
  const queue = createWorkQueue<string>();
  queue.add('a');
  await take(queue);
  queue.add('a');
  queue.add('a');
  assert.equal(queue.size, 0);
  queue.done('a');
  assert.equal(queue.size, 1);
  assert.equal(await take(queue), 'a');
  queue.done('a');
  assert.equal(queue.size, 0);
});

test('waiting workers get items in the order of their calls', async () => {
  const queue = createWorkQueue<string>();
  const first = take(queue);
  const second = take(queue);
  queue.add('a');
  queue.add('b');
  assert.deepEqual(await Promise.all([first, second]), ['a', 'b']);
});

test('an aborted wait takes no item', async () => {
  const queue = createWorkQueue<string>();
  const leave = new AbortController();
  const waiting = queue.next(leave.signal);
  leave.abort(new Error('left'));
  await assert.rejects(waiting, /left/);
  queue.add('a');
  assert.equal(queue.size, 1);
});

test('the shortest of several delays for one item counts', async () => {
  const clock = new VirtualClock();
  const queue = createWorkQueue<string>({ clock });
  queue.addAfter('a', 100);
  queue.addAfter('a', 50);
  queue.addAfter('a', 200);
  await clock.advance(49);
  assert.equal(queue.size, 0);
  await clock.advance(1);
  assert.equal(await take(queue), 'a');
  queue.done('a');
  await clock.advance(1000);
  assert.equal(queue.size, 0);
  assert.equal(clock.pending, 0);
});

test('failures make the delays of an item longer until it is forgotten', async () => {
  const clock = new VirtualClock();
  const queue = createWorkQueue<string>({ clock });
  const pauses: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    if (round === 3) queue.forget('a');
    queue.addRateLimited('a');
    let waited = 0;
    while (queue.size === 0) {
      await clock.advance(1);
      waited += 1;
    }
    pauses.push(waited);
    await take(queue);
    queue.done('a');
  }
  assert.deepEqual(pauses, [5, 10, 20, 5]);
});

test('a closed queue accepts nothing, returns its items, and then undefined', async () => {
  const clock = new VirtualClock();
  const queue = createWorkQueue<string>({ clock });
  const waiting = createWorkQueue<string>();
  const taken = waiting.next();
  waiting.close();
  assert.equal(await taken, undefined);
  queue.add('a');
  queue.addAfter('b', 10);
  queue.close();
  queue.close();
  queue.add('c');
  assert.equal(clock.pending, 0);
  assert.equal(await take(queue), 'a');
  assert.equal(await queue.next(), undefined);
});

test('undefined is an item like others', async () => {
  const queue = createWorkQueue<undefined>();
  queue.add(undefined);
  assert.deepEqual(await queue.next(), { item: undefined });
});

test('workers retry failed items and stop with the signal', async () => {
  const queue = createWorkQueue<string>();
  const abort = new AbortController();
  const errors: string[] = [];
  let tries = 0;
  const running = runWorkers(queue, {
    signal: abort.signal,
    concurrency: 2,
    onError: (error, item) => void errors.push(`${item}: ${(error as Error).message}`),
    work: async () => {
      tries += 1;
      if (tries < 3) throw new Error(`try ${tries}`);
      abort.abort();
    },
  });
  queue.add('a');
  await running;
  assert.deepEqual(errors, ['a: try 1', 'a: try 2']);
  assert.equal(queue.failures('a'), 0);
});

test('several workers process no item twice at a time, and lose none', async () => {
  const actions = fc.array(fc.record({ item: fc.nat(4), turns: fc.nat(3) }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(actions, fc.integer({ min: 1, max: 4 }), async (adds, concurrency) => {
      const queue = createWorkQueue<number>();
      const working = new Set<number>();
      const seenAfter = new Map<number, number>();
      let clock = 0;
      const running = runWorkers(queue, {
        signal: new AbortController().signal,
        concurrency,
        work: async (item) => {
          assert.ok(!working.has(item));
          working.add(item);
          clock += 1;
          seenAfter.set(item, clock);
          await null;
          await null;
          working.delete(item);
        },
      });
      const lastAdd = new Map<number, number>();
      for (const { item, turns } of adds) {
        lastAdd.set(item, clock);
        queue.add(item);
        for (let turn = 0; turn < turns; turn += 1) await null;
      }
      queue.close();
      await running;
      for (const [item, at] of lastAdd) assert.ok((seenAfter.get(item) ?? 0) > at);
    }),
  );
});
