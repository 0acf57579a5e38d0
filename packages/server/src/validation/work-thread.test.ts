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
  ask(job: string, question?: unknown, signal?: AbortSignal): Promise<ValidationResult>;
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
    ask: async (job, question, signal = new AbortController().signal) => {
      const answer = unpack(await thread.run(job, pack(question), { signal })) as JobOutput;
      assert.ok(answer.known);
      return deserializeResult(answer.result);
    },
    close: () => thread.close(),
  };
}

const told = async ({ ask }: TestThread, text: string) => (await ask('tell', [text])).warnings;

describe('a job that fails fails alone', () => {
  const cases = [
    { job: 'throw', limits: {}, code: 500, says: /could not be judged: a mistake$/ },
    { job: 'none', limits: {}, code: 500, says: /could not be judged: none is no job/ },
    { job: 'exit', limits: {}, code: 500, says: /could not be judged: the thread ended with 3$/ },
    { job: 'hoard', limits: { heapMb: 32 }, code: 500, says: /could not be judged: .*memory/ },
  ];
  for (const { job, limits, code, says } of cases) {
    test(job, async (t) => {
      const thread = threadFor(t, limits);
      const failing = assert.rejects(thread.ask(job), (error: StatusError) => {
        assert.equal(error.code, code);
        assert.match(error.message, says);
        return true;
      });
      // Who waits behind it is served by another thread, if need be.
      const [, behind] = await Promise.all([failing, told(thread, 'behind')]);
      assert.deepEqual(behind, ['behind']);
      assert.deepEqual(await told(thread, 'later'), ['later']);
    });
  }
});

test('a job that does not end is given up, and who waits behind it is served', async (t) => {
  const clock = manualClock();
  const thread = threadFor(t, { clock });
  const channel = new BroadcastChannel(`spin ${randomUUID()}`);
  t.after(() => channel.close());
  const isSpinning = once(channel as unknown as EventTarget, 'message');
  const late = assert.rejects(thread.ask('spin', channel.name), (error: StatusError) => {
    assert.equal(error.code, 504);
    assert.match(error.message, /took longer than 30 seconds$/);
    return true;
  });
  const behind = told(thread, 'behind');
  await isSpinning;
  clock.advance(workLimits.jobMs);
  await late;
  assert.deepEqual(await behind, ['behind']);
});

test('a thread that crashes between two jobs is replaced', async (t) => {
  const threads = begunThreads(t);
  const thread = threadFor(t);
  await thread.ask('crash later');
  await eventually('the thread has crashed', () => threads[0]?.isEnded);
  assert.deepEqual(await told(thread, 'a'), ['a']);
  assert.equal(threads.length, 2);
});

test('a job that is given to a thread that has just died is done by another', async (t) => {
  const threads = begunThreads(t);
  const thread = threadFor(t);
  await thread.ask('crash at once');
  assert.deepEqual(await Promise.all([told(thread, 'a'), told(thread, 'b')]), [['a'], ['b']]);
  assert.equal(threads.length, 2);
});

test('a job that ends threads ends two at most', async (t) => {
  const threads = begunThreads(t);
  const thread = threadFor(t);
  await told(thread, 'a');
  await assert.rejects(thread.ask('exit'), (error: StatusError) => error.code === 500);
  assert.equal(threads.length, 2);
  assert.deepEqual(await told(thread, 'b'), ['b']);
});

test('a thread that cannot begin fails what it was begun for', async (t) => {
  const missing = new URL('./no-such-worker.ts', import.meta.url);
  const thread = workThread({ name: 'test', entry: missing });
  t.after(() => thread.close());
  const { signal } = new AbortController();
  const isFailed = (error: StatusError) =>
    error.code === 500 && /could not be judged: Cannot find module/.test(error.message);
  await assert.rejects(thread.run('tell', pack([]), { signal }), isFailed);
  await assert.rejects(thread.run('tell', pack([]), { signal }), isFailed);
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
      const first = told(thread, 'first');
      const waiting = Array.from({ length: fit }, () => told(thread, text));
      await assert.rejects(told(thread, text), isFull);
      await first;
      assert.deepEqual((await Promise.all(waiting)).flat(), new Array(fit).fill(text));
      assert.deepEqual(await told(thread, text), [text], 'there is room again');
    });
  }
});

test('who leaves makes room for others', async (t) => {
  const thread = threadFor(t, { jobs: 1 });
  const first = told(thread, 'first');
  const leaving = new AbortController();
  const left = thread.ask('tell', ['nobody'], leaving.signal);
  await assert.rejects(told(thread, 'too many'));
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  assert.deepEqual(await told(thread, 'b'), ['b']);
  await first;
  await assert.rejects(thread.ask('tell', [], AbortSignal.abort(new Error('never came'))), /came/);
});

test('who leaves while it is judged is let go, and the next one is served', async (t) => {
  const thread = threadFor(t);
  await told(thread, 'it runs');
  const leaving = new AbortController();
  const left = thread.ask('tell', ['a'], leaving.signal);
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  assert.deepEqual(await told(thread, 'b'), ['b']);
});

test('its figures tell what was judged, what was not, and what waits', async (t) => {
  const registry = new MetricsRegistry();
  const thread = threadFor(t, { jobs: 1, observe: validationMetrics(registry) });
  const figures = () =>
    registry
      .text()
      .split('\n')
      .filter((line) => /^tributary_judging_(duration_seconds_count|failures|waiting)/.test(line));
  const [first, leaving] = [told(thread, 'first'), new AbortController()];
  const left = thread.ask('tell', ['nobody'], leaving.signal);
  await assert.rejects(told(thread, 'too many'));
  assert.deepEqual(figures(), [
    'tributary_judging_duration_seconds_count 0',
    'tributary_judging_failures_total{code="429"} 1',
    'tributary_judging_waiting 1',
  ]);
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  await first;
  await assert.rejects(thread.ask('throw'));
  assert.deepEqual(figures(), [
    'tributary_judging_duration_seconds_count 1',
    'tributary_judging_failures_total{code="429"} 1',
    'tributary_judging_failures_total{code="left"} 1',
    'tributary_judging_failures_total{code="500"} 1',
    'tributary_judging_waiting 0',
  ]);
});

test('a thread without work ends, and the next job has another one', async (t) => {
  const threads = begunThreads(t);
  const clock = manualClock();
  const thread = threadFor(t, { clock });
  const handles = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const before = handles();
  await told(thread, 'a');
  clock.advance(workLimits.idleMs - 1);
  assert.deepEqual(await told(thread, 'just in time'), ['just in time']);
  assert.equal(threads.length, 1);
  clock.advance(workLimits.idleMs);
  await eventually('the thread has ended', () => threads[0]?.isEnded);
  assert.equal(handles(), before);
  assert.deepEqual(await told(thread, 'b'), ['b']);
  assert.equal(threads.length, 2);
});

test('the end refuses what waits and what is judged, and takes nothing more', async (t) => {
  const thread = threadFor(t);
  const isStopping = (error: StatusError) => error.code === 503;
  const running = assert.rejects(thread.ask('spin', 'unheard'), isStopping);
  const waiting = assert.rejects(told(thread, 'a'), isStopping);
  await thread.close();
  await Promise.all([running, waiting]);
  await assert.rejects(told(thread, 'b'), isStopping);
  await thread.close();
});
