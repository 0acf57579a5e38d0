import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expired, type KubeList, type KubeObject, StatusError } from '@tributary/apimachinery';
import { VirtualClock } from '../../../../test/harness/clock.ts';
import { TransportError } from '../http/transport-error.ts';
import type { WatchOptions } from '../resource/resource-client.ts';
import { ResourceVersionRegressedError } from '../resource/resource-versions.ts';
import type { WatchEvent } from '../resource/watch-events.ts';
import { type ListWatch, Reflector, type ReflectorOptions } from './reflector.ts';

/** A scripted server: a test decides when each request gets its response. */
function scripted(options: ReflectorOptions = {}) {
  const clock = new VirtualClock();
  const calls: string[] = [];
  const seen: string[] = [];
  const errors: unknown[] = [];
  const lists: (KubeList | Promise<KubeList> | Error)[] = [];
  const watches: ScriptedWatch[] = [];
  const respond = async (): Promise<KubeList> => {
    const next = lists.shift();
    if (next === undefined) throw new Error('the test has no response to a list');
    if (next instanceof Error) throw next;
    return next;
  };
  const source: ListWatch<KubeObject> = {
    list: ({ limit } = {}) => {
      calls.push(`list limit=${limit}`);
      return respond();
    },
    listAll: ({ resourceVersion = '', pageSize } = {}) => {
      calls.push(`listAll from=${resourceVersion}${pageSize === 0 ? ' unpaged' : ''}`);
      return respond();
    },
    watch: (watchOptions = {}) => {
      const { resourceVersion = '', sendInitialEvents } = watchOptions;
      calls.push(`watch from=${resourceVersion}${sendInitialEvents === true ? ' initial' : ''}`);
      const watch = scriptedWatch(watchOptions);
      watches.push(watch);
      return watch.events;
    },
  };
  const reflector = new Reflector(
    source,
    {
      replace: (objects, { resourceVersion, newHistory }) =>
        void seen.push(
          `replace ${objects.length} at ${resourceVersion}${newHistory ? ' in a new history' : ''}`,
        ),
      apply: ({ type, object }) => void seen.push(`${type} ${object.metadata.resourceVersion}`),
    },
    {
      clock,
      random: () => 0,
      backoff: { initialMs: 1000, maxMs: 8000, factor: 2, jitter: 1, resetMs: 120_000 },
      watchList: false,
      onError: (error) => void errors.push(error),
      ...options,
    },
  );
  const abort = new AbortController();
  return {
    clock,
    calls,
    seen,
    errors,
    lists,
    lastWatch: () => {
      const watch = watches.at(-1);
      assert.ok(watch !== undefined);
      return watch;
    },
    reflector,
    run: () => reflector.run(abort.signal),
    stop: () => abort.abort(new Error('enough')),
  };
}

interface ScriptedWatch {
  readonly events: AsyncGenerator<WatchEvent, void>;
  readonly options: WatchOptions;
  send(type: WatchEvent['type'], version: string, annotations?: Record<string, string>): void;
  end(error?: Error): void;
}

function scriptedWatch(options: WatchOptions): ScriptedWatch {
  const waiting: (WatchEvent | Error | undefined)[] = [];
  let wake = Promise.withResolvers<void>();
  const push = (entry: WatchEvent | Error | undefined): void => {
    waiting.push(entry);
    wake.resolve();
  };
  options.signal?.addEventListener('abort', () => push(options.signal?.reason));
  const events = async function* (): AsyncGenerator<WatchEvent, void> {
    for (;;) {
      while (waiting.length === 0) {
        wake = Promise.withResolvers<void>();
        await wake.promise;
      }
      const entry = waiting.shift();
      if (entry === undefined) return;
      if (entry instanceof Error) throw entry;
      yield entry;
    }
  };
  return {
    events: events(),
    options,
    send: (type, version, annotations) => {
      const metadata = { name: 'a', resourceVersion: version, ...(annotations && { annotations }) };
      push({ type, object: { apiVersion: 'v1', kind: 'Thing', metadata } } as WatchEvent);
    },
    end: push,
  };
}

function listAt(resourceVersion: string, items: KubeObject[] = []): KubeList {
  return { apiVersion: 'v1', kind: 'ThingList', metadata: { resourceVersion }, items };
}

const lost = (): TransportError =>
  new TransportError('lost', { code: 'ECONNRESET', maybeProcessed: true, reusedConnection: false });

test('delays of the reflector grow, have jitter, and respect Retry-After', async () => {
  const { clock, calls, lists, run, stop } = scripted({ random: () => 0.5 });
  const busy = new StatusError({
    code: 429,
    reason: 'TooManyRequests',
    message: 'busy',
    details: { retryAfterSeconds: 10 },
  });
  lists.push(lost(), lost(), busy, listAt('5'));
  const running = run();
  const waits: number[] = [];
  for (let wanted = 2; wanted <= 4; wanted += 1) {
    let waited = 0;
    while (calls.length < wanted) {
      await clock.advance(100);
      waited += 100;
    }
    waits.push(waited);
  }
  assert.deepEqual(waits, [1500, 3000, 10_000]);
  stop();
  await running;
});

test('decreased versions are a new history, also when they have grown again by the time of the list', async () => {
  const { clock, calls, seen, errors, lists, lastWatch, run, stop } = scripted();
  lists.push(listAt('100'));
  const running = run();
  await clock.advance(2000);
  lists.push(listAt('40'), listAt('200'));
  lastWatch().end(lost());
  await clock.advance(10);
  assert.deepEqual(calls, [
    'listAll from=0',
    'watch from=100',
    'list limit=1',
    'listAll from=',
    'watch from=200',
  ]);
  assert.deepEqual(seen, ['replace 0 at 100', 'replace 0 at 200 in a new history']);
  assert.ok(errors.some((error) => error instanceof ResourceVersionRegressedError));
  stop();
  await running;
});

test('a silent watch is checked once, and a bookmark is no silence', async () => {
  const { clock, calls, lists, lastWatch, run, stop } = scripted({ silenceMs: 90_000 });
  lists.push(listAt('100'), listAt('100'));
  const running = run();
  await clock.advance(60_000);
  lastWatch().send('BOOKMARK', '100');
  await clock.advance(200_000);
  assert.deepEqual(calls, ['listAll from=0', 'watch from=100']);
  lastWatch().end();
  await clock.advance(89_000);
  assert.equal(calls.length, 3);
  await clock.advance(100_000);
  assert.deepEqual(calls.slice(2), ['watch from=100', 'list limit=1']);
  stop();
  await running;
});

test('an event that overtakes the check of a silent watch changes nothing', async () => {
  const { clock, calls, seen, lists, lastWatch, run, stop } = scripted({ silenceMs: 90_000 });
  lists.push(listAt('100'));
  const running = run();
  await clock.advance(80_000);
  const late = Promise.withResolvers<KubeList>();
  lists.push(late.promise);
  await clock.advance(10_000);
  lastWatch().send('ADDED', '101');
  await clock.advance(0);
  late.resolve(listAt('100'));
  await clock.advance(0);
  assert.deepEqual(calls, ['listAll from=0', 'watch from=100', 'list limit=1']);
  assert.deepEqual(seen, ['replace 0 at 100', 'ADDED 101']);
  stop();
  await running;
});

test('a silent watch on a restored server is closed', async () => {
  const { clock, calls, seen, lists, run, stop } = scripted({ silenceMs: 90_000 });
  lists.push(listAt('100'), listAt('40'), listAt('41'));
  const running = run();
  await clock.advance(90_000);
  assert.deepEqual(calls.slice(2), ['list limit=1', 'listAll from=', 'watch from=41']);
  assert.deepEqual(seen.at(-1), 'replace 0 at 41 in a new history');
  stop();
  await running;
});

test('a watch that outlives its timeout counts as a dead connection', async () => {
  const { clock, calls, errors, lists, lastWatch, run, stop } = scripted({
    watchTimeoutSeconds: 300,
    silenceMs: 10_000_000,
  });
  lists.push(listAt('100'), listAt('100'));
  const running = run();
  await clock.advance(1000);
  assert.equal(lastWatch().options.timeoutSeconds, 300);
  await clock.advance(328_000);
  assert.equal(calls.length, 2);
  await clock.advance(2000);
  assert.deepEqual(calls.slice(2), ['list limit=1', 'watch from=100']);
  assert.match(String(errors.at(-1)), /outlived its time/);
  stop();
  await running;
});

test('watches that end at once are reopened with delays, and finally the state is listed again', async () => {
  const { clock, calls, lists, lastWatch, run, stop } = scripted();
  lists.push(listAt('100'), listAt('100'));
  const running = run();
  await clock.advance(0);
  const waits: number[] = [];
  for (let watches = 1; watches <= 6; watches += 1) {
    const before = calls.length;
    lastWatch().end();
    let waited = 0;
    await clock.advance(0);
    while (calls.length === before) {
      await clock.advance(100);
      waited += 100;
    }
    waits.push(waited);
  }
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 8000, 8000]);
  assert.deepEqual(calls.slice(7), ['listAll from=100 unpaged', 'watch from=100']);
  stop();
  await running;
});

test('an initial watch that keeps failing is replaced by a list', async () => {
  const { clock, calls, lists, lastWatch, run, stop } = scripted({ watchList: true });
  lists.push(listAt('100'));
  const running = run();
  for (let index = 0; index < 2; index += 1) {
    await clock.advance(0);
    lastWatch().end(new StatusError({ code: 500, message: 'no' }));
    await clock.advance(10_000);
  }
  assert.deepEqual(calls, [
    'watch from= initial',
    'watch from= initial',
    'listAll from=0',
    'watch from=100',
  ]);
  stop();
  await running;
});

test('an initial watch that expires is repeated without a version', async () => {
  const { clock, calls, seen, lastWatch, run, stop } = scripted({ watchList: true });
  const running = run();
  await clock.advance(0);
  const end = { 'k8s.io/initial-events-end': 'true' };
  lastWatch().send('ADDED', '7');
  lastWatch().send('BOOKMARK', '50');
  lastWatch().send('BOOKMARK', '100', end);
  lastWatch().send('MODIFIED', '101');
  await clock.advance(2000);
  lastWatch().end(expired('too old'));
  await clock.advance(0);
  lastWatch().end(expired('too old'));
  await clock.advance(0);
  lastWatch().send('BOOKMARK', '120', end);
  await clock.advance(0);
  assert.deepEqual(calls, ['watch from= initial', 'watch from=101 initial', 'watch from= initial']);
  assert.deepEqual(seen, ['replace 1 at 100', 'MODIFIED 101', 'replace 0 at 120']);
  stop();
  await running;
});

const broken: { name: string; list: KubeList }[] = [
  { name: 'without a version', list: { ...listAt(''), metadata: {} } },
];
for (const { name, list } of broken) {
  test(`a list ${name} is rejected`, async () => {
    const { clock, seen, errors, lists, run, stop } = scripted();
    lists.push(list, listAt('5'));
    const running = run();
    await clock.advance(1000);
    assert.match(String(errors[0]), /without a resourceVersion/);
    assert.deepEqual(seen, ['replace 0 at 5']);
    stop();
    await running;
  });
}

test('versions that are not numbers are never compared', async () => {
  const { clock, seen, lists, lastWatch, run, stop, reflector } = scripted();
  lists.push(listAt('zebra'));
  const running = run();
  await clock.advance(0);
  lastWatch().send('ADDED', 'ant');
  await clock.advance(0);
  assert.deepEqual(seen, ['replace 0 at zebra', 'ADDED ant']);
  assert.equal(reflector.lastSyncResourceVersion, 'ant');
  stop();
  await running;
  assert.equal(clock.pending, 0);
});
