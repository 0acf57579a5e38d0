import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedResults } from './shared-results.ts';

const never = new AbortController().signal;

/** Counts calls, and resolves each with ten bytes when the test says so. */
function maker() {
  const made: { signal: AbortSignal; finish: () => void; fail: (error: Error) => void }[] = [];
  const make = (signal: AbortSignal) => {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array[]>();
    made.push({ signal, finish: () => resolve([Buffer.alloc(10)]), fail: reject });
    return promise;
  };
  return { made, make };
}

async function ready(
  results: SharedResults,
  key: object,
  { made, make }: ReturnType<typeof maker>,
) {
  const before = made.length;
  const result = results.get(key, never, make);
  made[before]?.finish();
  await result;
  return made.length - before;
}

test('who asks at the same time and afterwards shares one result', async () => {
  const results = new SharedResults(100);
  const { made, make } = maker();
  const key = {};
  const both = [results.get(key, never, make), results.get(key, never, make)];
  made[0]?.finish();
  const [one, two] = await Promise.all(both);
  assert.equal(one, two);
  assert.equal(await results.get(key, never, make), one);
  assert.equal(made.length, 1);
  assert.equal(results.bytes, 10);
});

test('what is unused for longest goes first, and the bound holds', async () => {
  const results = new SharedResults(25);
  const work = maker();
  const [a, b, c] = [{}, {}, {}];
  assert.equal(await ready(results, a, work), 1);
  assert.equal(await ready(results, b, work), 1);
  assert.equal(await ready(results, a, work), 0, 'a was kept, and is now the newest');
  assert.equal(await ready(results, c, work), 1);
  assert.equal(results.bytes, 20);
  assert.equal(await ready(results, a, work), 0);
  assert.equal(await ready(results, b, work), 1, 'b was let go');
});

test('what is larger than the bound is answered and not kept', async () => {
  const results = new SharedResults(5);
  assert.equal(await ready(results, {}, maker()), 1);
  assert.equal(results.bytes, 0);
});

test('the work stops when the last one who waits leaves, not before', async () => {
  const results = new SharedResults(100);
  const { made, make } = maker();
  const key = {};
  const [first, second] = [new AbortController(), new AbortController()];
  const waits = [results.get(key, first.signal, make), results.get(key, second.signal, make)];
  first.abort(new Error('first left'));
  await assert.rejects(waits[0] ?? Promise.resolve(), /first left/);
  assert.equal(made[0]?.signal.aborted, false);
  second.abort(new Error('second left'));
  await assert.rejects(waits[1] ?? Promise.resolve(), /second left/);
  assert.equal(made[0]?.signal.aborted, true);

  const next = results.get(key, never, make);
  assert.equal(made.length, 2, 'abandoned work is begun anew');
  made[1]?.finish();
  await next;
});

test('a failure is seen by all who wait, and is not kept', async () => {
  const results = new SharedResults(100);
  const { made, make } = maker();
  const key = {};
  const waits = [results.get(key, never, make), results.get(key, never, make)];
  made[0]?.fail(new Error('no memory'));
  for (const wait of waits) await assert.rejects(wait, /no memory/);
  const again = results.get(key, never, make);
  made[1]?.finish();
  await again;
  assert.equal(made.length, 2);
});
