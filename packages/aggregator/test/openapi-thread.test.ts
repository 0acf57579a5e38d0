import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from '@tributary/client';
import { manualClock } from '@tributary/storage';
import { defer, VirtualClock } from '../../../test/harness/index.ts';
import { documentThread, IDLE_MS, JOB_MS_MAX, JOBS_MAX } from '../src/openapi/document-thread.ts';
import { specificationV2 } from './openapi-fixture.ts';

const GROUP = 'a.example.com';
const small = { bytes: bytesOf(specificationV2(GROUP)), group: GROUP, version: 'v1' };
/** About ten megabytes. */
const large = { ...small, bytes: bytesOf(specificationV2(GROUP, 'large', 16_000)) };

test('what is wrong with a document is said in words, and the thread goes on', async (t) => {
  const thread = documentThread(systemClock);
  defer(t, () => thread.close());
  const broken = thread.run('read-v2', { ...small, bytes: Buffer.from('<html>') });
  const fine = thread.run('read-v2', small);
  await assert.rejects(broken, /invalid character '<'/);
  assert.ok(Buffer.from((await fine).bytes).includes(`/apis/${GROUP}/v1/flunders`));
});

test('a document that takes all memory ends the thread, not the process, and the next job has a new one', async (t) => {
  const thread = documentThread(systemClock, { heapMbMax: 16 });
  defer(t, () => thread.close());
  const tooMuch = thread.run('read-v2', large);
  const next = thread.run('read-v2', small);
  await assert.rejects(tooMuch, /memory/);
  assert.equal((await next).hash.length, 128);
});

test('a job that takes too long is given up', async (t) => {
  const clock = manualClock(); // its timers fire at once: no thread is faster
  const thread = documentThread(clock);
  defer(t, () => thread.close());
  const slow = assert.rejects(thread.run('read-v2', small), /longer than 60 seconds/);
  const next = thread.run('read-v2', small);
  clock.advance(JOB_MS_MAX);
  await slow;
  assert.equal((await next).hash.length, 128);
});

test('the thread ends without work, and there is another one when there is work again', async (t) => {
  const clock = new VirtualClock();
  const thread = documentThread(clock);
  defer(t, () => thread.close());
  const { hash } = await thread.run('read-v2', small);
  await clock.advance(IDLE_MS);
  assert.equal(clock.pending, 0);
  assert.equal((await thread.run('read-v2', small)).hash, hash);
});

test('only so many jobs wait, and closing ends them all', async () => {
  const thread = documentThread(systemClock);
  const jobs = Array.from({ length: JOBS_MAX + 1 }, () => thread.run('read-v2', small));
  const settled = Promise.allSettled(jobs);
  await assert.rejects(thread.run('read-v2', small), /too many documents wait/);
  await thread.close();
  for (const one of await settled) assert.equal(one.status, 'rejected');
  await assert.rejects(thread.run('read-v2', small), /shutting down/);
});

test('the event loop goes on while a document is read', async (t) => {
  const thread = documentThread(systemClock);
  defer(t, () => thread.close());
  await thread.run('read-v2', small); // the thread is there
  let isRead = false;
  const reading = thread.run('read-v2', large).finally(() => {
    isRead = true;
  });
  let turns = 0;
  for (; !isRead; turns += 1) await nextTurn();
  await reading;
  t.diagnostic(`${turns} turns`);
  assert.ok(turns > 20, `${turns} turns of the event loop while a document was read`);
});

function bytesOf(document: object): Buffer {
  return Buffer.from(JSON.stringify(document));
}
