/** Own process: it reads flags of the process, and starts threads. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { cachedDataVersionTag } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { releaseMemory } from '../src/idle/release-memory.ts';

const TIMES = 30;
const module = new URL('../src/idle/release-memory.ts', import.meta.url).href;
const THREAD = `
  const { parentPort } = require('node:worker_threads');
  import(${JSON.stringify(module)}).then(async ({ releaseMemory }) => {
    for (let at = 0; at < ${TIMES}; at += 1) await releaseMemory();
    parentPort.postMessage('done');
  });`;

test('threads that release memory at the same time do not end each other', async () => {
  const before = cachedDataVersionTag();
  const threads = [1, 2].map(() => new Worker(THREAD, { eval: true }));
  const done = Promise.all(threads.map((thread) => once(thread, 'message')));
  let isDone = false;
  done.then(
    () => {
      isDone = true;
    },
    () => {
      isDone = true;
    },
  );
  while (!isDone) {
    await releaseMemory();
    assert.equal(cachedDataVersionTag(), before, 'a flag of the process was changed');
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual(await done, [['done'], ['done']]);
});
