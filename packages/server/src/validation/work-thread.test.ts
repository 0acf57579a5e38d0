import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { describe, type TestContext, test } from 'node:test';
import type { StatusError } from '@tributary/apimachinery';
import { type Clock, manualClock } from '@tributary/storage';
import { eventually } from '../../../../test/harness/index.ts';
import { begunThreads } from '../../test/begun-threads.ts';
import { MetricsRegistry } from '../operations/metrics/registry.ts';
import { validationMetrics } from '../operations/metrics/validation-metrics.ts';
import type { ThreadLimits } from './job-thread.ts';
import { pack, unpack } from './packed-value.ts';
import type { JobOutput } from './serve-jobs.ts';
import { deserializeResult, type ValidationResult } from './validation-result.ts';
import { type ValidationObserver, workLimits, workThread } from './work-thread.ts';

const entry = new URL('../../test/validation-worker-fixture.ts', import.meta.url);

interface TestThread {
  run(job: string, input?: unknown, signal?: AbortSignal): Promise<ValidationResult>;
  close(): Promise<void>;
}

function threadFor(
  t: TestContext,
  {
    observe,
    clock,
    ...limits
  }: Partial<ThreadLimits> & { observe?: ValidationObserver; clock?: Clock } = {},
): TestThread {
  const thread = workThread({ name: 'test', entry, limits, observe, clock });
  t.after(() => thread.close());
  return {
    run: async (job, input, signal = new AbortController().signal) => {
      const output = unpack(await thread.run(job, pack(input), { signal })) as JobOutput;
      assert.ok(output.known);
      return deserializeResult(output.result);
    },
    close: () => thread.close(),
  };
}

const echo = async ({ run }: TestThread, text: string) => (await run('echo', [text])).warnings;

describe('a failed job does not affect the next job', () => {
  const cases = [
    { job: 'throw', limits: {}, code: 500, says: /could not be validated: a mistake$/ },
    { job: 'none', limits: {}, code: 500, says: /could not be validated: none is no job/ },
    {
      job: 'exit',
      limits: {},
      code: 500,
      says: /could not be validated: the thread ended with 3$/,
    },
    { job: 'hoard', limits: { heapMb: 32 }, code: 500, says: /could not be validated: .*memory/ },
  ];
  for (const { job, limits, code, says } of cases) {
    test(job, async (t) => {
      const thread = threadFor(t, limits);
      const failing = assert.rejects(thread.run(job), (error: StatusError) => {
        assert.equal(error.code, code);
        assert.match(error.message, says);
        return true;
      });
      // The next job runs in another thread, if need be.
      const [, behind] = await Promise.all([failing, echo(thread, 'behind')]);
      assert.deepEqual(behind, ['behind']);
      assert.deepEqual(await echo(thread, 'later'), ['later']);
    });
  }
});

test('a job beyond its timeout is terminated, and the next job runs', async (t) => {
  const clock = manualClock();
  const thread = threadFor(t, { clock });
  const channel = new BroadcastChannel(`spin ${randomUUID()}`);
  t.after(() => channel.close());
  const isSpinning = once(channel as unknown as EventTarget, 'message');
  const late = assert.rejects(thread.run('spin', channel.name), (error: StatusError) => {
    assert.equal(error.code, 504);
    assert.match(error.message, /took longer than 30 seconds$/);
    return true;
  });
  const behind = echo(thread, 'behind');
  await isSpinning;
  clock.advance(workLimits.jobMs);
  await late;
  assert.deepEqual(await behind, ['behind']);
});

test('a thread that crashes between two jobs is replaced', async (t) => {
  const threads = begunThreads(t);
  const thread = threadFor(t);
  await thread.run('crash later');
  await eventually('the thread has crashed', () => threads[0]?.isEnded);
  assert.deepEqual(await echo(thread, 'a'), ['a']);
  assert.equal(threads.length, 2);
});

test('a job sent to a thread that has just ended is retried in another', async (t) => {
  const threads = begunThreads(t);
  const thread = threadFor(t);
  await thread.run('crash at once');
  assert.deepEqual(await Promise.all([echo(thread, 'a'), echo(thread, 'b')]), [['a'], ['b']]);
  assert.equal(threads.length, 2);
});

test('a job that ends threads ends two at most', async (t) => {
  const threads = begunThreads(t);
  const thread = threadFor(t);
  await echo(thread, 'a');
  await assert.rejects(thread.run('exit'), (error: StatusError) => error.code === 500);
  assert.equal(threads.length, 2);
  assert.deepEqual(await echo(thread, 'b'), ['b']);
});

test('a thread that cannot start fails its job', async (t) => {
  const missing = new URL('./no-such-worker.ts', import.meta.url);
  const thread = workThread({ name: 'test', entry: missing });
  t.after(() => thread.close());
  const { signal } = new AbortController();
  const isFailed = (error: StatusError) =>
    error.code === 500 && /could not be validated: Cannot find module/.test(error.message);
  await assert.rejects(thread.run('echo', pack([]), { signal }), isFailed);
  await assert.rejects(thread.run('echo', pack([]), { signal }), isFailed);
});

describe('what waits is bounded', () => {
  const isFull = (error: StatusError) =>
    error.code === 429 && error.status.details?.retryAfterSeconds === 1;
  const cases = [
    { name: 'in number', limits: { jobs: 2 }, text: 'a', fit: 2 },
    { name: 'in bytes', limits: { bytes: 2_500 }, text: 'a'.repeat(1_000), fit: 2 },
  ];
  for (const { name, limits, text, fit } of cases) {
    test(name, async (t) => {
      const thread = threadFor(t, limits);
      const first = echo(thread, 'first');
      const waiting = Array.from({ length: fit }, () => echo(thread, text));
      await assert.rejects(echo(thread, text), isFull);
      await first;
      assert.deepEqual((await Promise.all(waiting)).flat(), new Array(fit).fill(text));
      assert.deepEqual(await echo(thread, text), [text], 'there is room again');
    });
  }
});

test('an aborted job leaves the queue', async (t) => {
  const thread = threadFor(t, { jobs: 1 });
  const first = echo(thread, 'first');
  const leaving = new AbortController();
  const left = thread.run('echo', ['nobody'], leaving.signal);
  await assert.rejects(echo(thread, 'too many'));
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  assert.deepEqual(await echo(thread, 'b'), ['b']);
  await first;
  await assert.rejects(thread.run('echo', [], AbortSignal.abort(new Error('never came'))), /came/);
});

test('an abort during a job rejects it, and the next job runs', async (t) => {
  const thread = threadFor(t);
  await echo(thread, 'it runs');
  const leaving = new AbortController();
  const left = thread.run('echo', ['a'], leaving.signal);
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  assert.deepEqual(await echo(thread, 'b'), ['b']);
});

test('metrics count completed, failed and queued jobs', async (t) => {
  const registry = new MetricsRegistry();
  const thread = threadFor(t, { jobs: 1, observe: validationMetrics(registry) });
  const figures = () =>
    registry
      .text()
      .split('\n')
      .filter((line) => /^tributary_judging_(duration_seconds_count|failures|waiting)/.test(line));
  const [first, leaving] = [echo(thread, 'first'), new AbortController()];
  const left = thread.run('echo', ['nobody'], leaving.signal);
  await assert.rejects(echo(thread, 'too many'));
  assert.deepEqual(figures(), [
    'tributary_judging_duration_seconds_count 0',
    'tributary_judging_failures_total{code="429"} 1',
    'tributary_judging_waiting 1',
  ]);
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  await first;
  await assert.rejects(thread.run('throw'));
  assert.deepEqual(figures(), [
    'tributary_judging_duration_seconds_count 1',
    'tributary_judging_failures_total{code="429"} 1',
    'tributary_judging_failures_total{code="left"} 1',
    'tributary_judging_failures_total{code="500"} 1',
    'tributary_judging_waiting 0',
  ]);
});

test('an idle thread ends, and the next job starts another', async (t) => {
  const threads = begunThreads(t);
  const clock = manualClock();
  const thread = threadFor(t, { clock });
  const handles = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const before = handles();
  await echo(thread, 'a');
  clock.advance(workLimits.idleMs - 1);
  assert.deepEqual(await echo(thread, 'just in time'), ['just in time']);
  assert.equal(threads.length, 1);
  clock.advance(workLimits.idleMs);
  await eventually('the thread has ended', () => threads[0]?.isEnded);
  assert.equal(handles(), before);
  assert.deepEqual(await echo(thread, 'b'), ['b']);
  assert.equal(threads.length, 2);
});

test('close rejects running, queued and later jobs', async (t) => {
  const thread = threadFor(t);
  const isStopping = (error: StatusError) => error.code === 503;
  const running = assert.rejects(thread.run('spin', 'unheard'), isStopping);
  const waiting = assert.rejects(echo(thread, 'a'), isStopping);
  await thread.close();
  await Promise.all([running, waiting]);
  await assert.rejects(echo(thread, 'b'), isStopping);
  await thread.close();
});
