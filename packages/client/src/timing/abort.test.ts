import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { unlessAborted } from './abort.ts';

const reason = new Error('left');

// An unhandled rejection ends the process, and here the test.
test('work that fails after an abort, or after a signal that fired before it, is no unhandled rejection', async () => {
  await assert.rejects(
    unlessAborted(Promise.reject(new Error('late')), AbortSignal.abort(reason)),
    reason,
  );
  const work = Promise.withResolvers<void>();
  const abort = new AbortController();
  const waiting = unlessAborted(work.promise, abort.signal);
  abort.abort(reason);
  await assert.rejects(waiting, reason);
  work.reject(new Error('late'));
  await turn();
});

test('unlessAborted rejects when the work fails in time', async () => {
  const failure = new Error('no');
  const { signal } = new AbortController();
  await assert.rejects(unlessAborted(Promise.reject(failure), signal), failure);
  assert.equal(await unlessAborted(Promise.resolve(1), signal), 1);
});
