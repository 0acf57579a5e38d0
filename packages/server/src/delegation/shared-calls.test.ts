import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedCalls } from './shared-calls.ts';

/** Calls that end when the test says so, or are abandoned. */
function calls() {
  const made: { signal: AbortSignal; result: PromiseWithResolvers<string> }[] = [];
  const call = (signal: AbortSignal) => {
    const result = Promise.withResolvers<string>();
    signal.addEventListener('abort', () => result.reject(signal.reason));
    made.push({ signal, result: result });
    return result.promise;
  };
  return { made, call };
}

test('who asks the same at the same time shares one call, and its failure', async () => {
  const shared = new SharedCalls<string>();
  const { made, call } = calls();
  const both = [shared.call('a', undefined, call), shared.call('a', undefined, call)];
  const other = shared.call('b', undefined, call);
  assert.equal(made.length, 2);
  made[0]?.result.resolve('yes');
  made[1]?.result.reject(new Error('no'));
  assert.deepEqual(await Promise.all(both), ['yes', 'yes']);
  await assert.rejects(other, { message: 'no' });
  assert.equal(shared.size, 0);
  const again = shared.call('a', undefined, call);
  made[2]?.result.resolve('anew');
  assert.equal(await again, 'anew');
});

test('who leaves does not end the call of others; the last one does', async () => {
  const shared = new SharedCalls<string>();
  const { made, call } = calls();
  const [first, second] = [new AbortController(), new AbortController()];
  const results = [
    shared.call('a', first.signal, call),
    shared.call('a', second.signal, call),
  ] as const;
  first.abort(new Error('first left'));
  await assert.rejects(results[0], { message: 'first left' });
  assert.equal(made[0]?.signal.aborted, false);
  second.abort(new Error('second left'));
  await assert.rejects(results[1], { message: 'second left' });
  assert.equal(made[0]?.signal.aborted, true);
});

test('who comes after the last one left begins anew', async () => {
  const shared = new SharedCalls<string>();
  const { made, call } = calls();
  const only = new AbortController();
  const abandoned = shared.call('a', only.signal, call);
  only.abort(new Error('left'));
  const next = shared.call('a', undefined, call);
  await assert.rejects(abandoned, { message: 'left' });
  assert.equal(shared.size, 1);
  made[1]?.result.resolve('yes');
  assert.equal(await next, 'yes');
  assert.equal(shared.size, 0);
});

test('who is gone already asks nothing', async () => {
  const shared = new SharedCalls<string>();
  const { made, call } = calls();
  await assert.rejects(shared.call('a', AbortSignal.abort(new Error('gone')), call), {
    message: 'gone',
  });
  assert.equal(made.length, 0);
});
