/** Own process: it changes a flag of the process while threads start, run and end. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { disablePretenuring, withPretenuring } from '../src/program/pretenuring.ts';

/** Allocates from one place until much of it is old, calls compiled code, and collects young objects many times. */
const WORK = `
  const kept = [];
  const make = (at) => ({ at, name: 'object ' + at, inner: { at, list: [at, at + 1] } });
  let sum = 0;
  for (let at = 0; at < 100_000; at += 1) {
    const made = make(at);
    if (at % 3 === 0) kept[at % 5_000] = made;
    sum += made.inner.list[1] - made.at;
  }
  require('node:worker_threads').parentPort.postMessage(sum);`;

test('threads start, work and end while the main thread sets the flag for young requests', async (t) => {
  t.after(disablePretenuring);
  let isDone = false;
  const lane = async () => {
    for (let round = 0; round < 6; round += 1) {
      const worker = new Worker(WORK, { eval: true });
      const ended = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
      assert.deepEqual(ended, [[100_000], [0]]);
    }
  };
  const lanes = Promise.all([lane(), lane(), lane()]).finally(() => {
    isDone = true;
  });
  let changes = 0;
  while (!isDone) {
    for (let at = 0; at < 500; at += 1) {
      disablePretenuring();
      withPretenuring(() => {});
      changes += 3;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  await lanes;
  t.diagnostic(`${changes} changes`);
  assert.ok(changes > 1000);
});

test('a thread that is not the main one cannot set the flag', async () => {
  const module = new URL('../src/program/pretenuring.ts', import.meta.url).href;
  const code = `import(${JSON.stringify(module)}).then(({ disablePretenuring }) => disablePretenuring());`;
  const worker = new Worker(code, { eval: true });
  const [error] = await once(worker, 'error');
  assert.match(String(error), /set by the main thread/);
});
