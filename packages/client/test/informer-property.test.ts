import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { internalError, StatusError } from '@tributary/apimachinery';
import fc from 'fast-check';
import { createPki, createScope, type Pki, turns } from '../../../test/harness/index.ts';
import { createClient, createInformer } from '../src/index.ts';
import {
  FakeApi,
  type HistoryEvent,
  type Snapshot,
  THINGS,
  type Thing,
  tooBusy,
} from './fake-api.ts';
import { assertSameObjects, createHandlerLog, labelOf, waitUntil } from './informer-model.ts';
import { startTestServer } from './test-server.ts';

type Step =
  | { kind: 'put' | 'delete'; name: string }
  | { kind: 'bookmark' | 'end' | 'turn' | 'pause' }
  | { kind: 'cut'; how: 'cut' | 'cutConnection' }
  | { kind: 'cutAfter'; bytes: number }
  | { kind: 'fail'; code: 429 | 500 | 503 }
  | { kind: 'compact' | 'backup' }
  | { kind: 'restore'; puts: number };

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const change: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('put' as const, 'put' as const, 'put' as const, 'delete' as const),
  name,
});
const trouble: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('bookmark', 'end', 'turn', 'pause') }) as fc.Arbitrary<Step>,
  fc.record({
    kind: fc.constant('cut' as const),
    how: fc.constantFrom('cut', 'cutConnection'),
  }) as fc.Arbitrary<Step>,
  fc.record({ kind: fc.constant('cutAfter' as const), bytes: fc.integer({ min: 1, max: 700 }) }),
);
const failure: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('fail' as const),
  code: fc.constantFrom(429, 500, 503),
}) as fc.Arbitrary<Step>;
const disaster: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('compact', 'backup') }) as fc.Arbitrary<Step>,
  fc.record({ kind: fc.constant('restore' as const), puts: fc.integer({ min: 0, max: 3 }) }),
);

const steps = (...kinds: fc.Arbitrary<Step>[]): fc.Arbitrary<Step[]> =>
  fc.array(fc.oneof({ weight: 4, arbitrary: change }, ...kinds), { minLength: 5, maxLength: 40 });

const http = fc.constantFrom('1.1' as const, '2' as const);
const isFull = process.env.TRIBUTARY_FULL === '1';
const BACKOFF = { initialMs: 1, maxMs: 5, factor: 2, jitter: 1, resetMs: 60_000 };

suite('an informer against random histories', () => {
  let pki: Pki;
  before(async () => {
    pki = await createPki();
  });

  test('with broken connections only, handlers get every change once and in order', async (t) => {
    const seed = seedOf(t);
    await fc.assert(
      fc.asyncProperty(steps(trouble), http, fc.boolean(), async (script, protocol, watchList) => {
        await withInformer({ pki, protocol, watchList }, async (run) => {
          const start = run.api.history.length;
          const initial = [...run.api.objects.values()].map((object) => `add ${labelOf(object)}`);
          await run.play(script);
          assert.deepEqual(run.log.lines, [
            ...initial,
            ...expectedLines(run.api, run.api.history.slice(start)),
          ]);
        });
      }),
      { seed, numRuns: isFull ? 40 : 12, endOnFailure: true },
    );
  });

  test('with all faults, handlers never get a contradiction and end with the state of the server', async (t) => {
    const seed = seedOf(t);
    const script = steps(trouble, failure, disaster);
    await fc.assert(
      fc.asyncProperty(script, http, fc.boolean(), async (random, protocol, watchList) => {
        await withInformer({ pki, protocol, watchList, queueMax: 5 }, async (run) => {
          await run.play(random);
        });
      }),
      { seed, numRuns: isFull ? 60 : 18, endOnFailure: true },
    );
  });
});

function seedOf(t: { diagnostic(message: string): void }): number {
  const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);
  t.diagnostic(`seed ${seed}`);
  return seed;
}

interface Run {
  readonly api: FakeApi;
  readonly log: ReturnType<typeof createHandlerLog>;
  /** Plays the script, and returns when the informer and its handlers are idle. */
  play(script: readonly Step[]): Promise<void>;
}

async function withInformer(
  options: { pki: Pki; protocol: '1.1' | '2'; watchList: boolean; queueMax?: number },
  use: (run: Run) => Promise<void>,
): Promise<void> {
  const api = new FakeApi();
  for (const initial of ['a', 'b']) api.put(initial, 'initial');
  await using scope = createScope('random history');
  const server = await startTestServer(scope, api.handle, {
    pki: options.pki,
    http: options.protocol,
  });
  await using client = createClient(server.config);
  const errors: unknown[] = [];
  await using informer = createInformer<Thing>({
    resource: client.resource<Thing>(THINGS),
    watchList: options.watchList,
    backoff: BACKOFF,
    silenceMs: 100,
    onError: (error) => void errors.push(error),
    ...(options.queueMax !== undefined && { handlerQueueMax: options.queueMax }),
  });
  const log = createHandlerLog();
  const slow = createHandlerLog({ slowTurns: 10 });
  const subscriptions = [log, slow].map(({ handler }) => informer.addHandler(handler));
  const caughtUp = (): Promise<void> =>
    waitUntil(
      () => informer.lastSyncResourceVersion === String(api.revision),
      () =>
        `at ${informer.lastSyncResourceVersion} instead of ${api.revision}: ${errors.map(String).join('; ')}`,
    );
  const play = async (script: readonly Step[]): Promise<void> => {
    await playSteps(api, script, caughtUp);
    api.failures = [];
    api.cutAfterBytes = undefined;
    api.put('sentinel', 'the end');
    await caughtUp();
    await waitUntil(
      () => subscriptions.every(({ pending }) => pending === 0),
      () => 'handlers do not finish',
    );
    await turns();
    assertSameObjects(
      informer.store.list().map((object) => [labelKey(object), object]),
      api.objects,
    );
    for (const { contradictions, view } of [log, slow]) {
      assert.deepEqual(contradictions, []);
      assertSameObjects(view, api.objects);
    }
  };
  informer.start();
  await informer.whenSynced();
  await use({ api, log, play });
}

async function playSteps(
  api: FakeApi,
  script: readonly Step[],
  caughtUp: () => Promise<void>,
): Promise<void> {
  let backup: Snapshot = api.snapshot();
  for (const [index, step] of script.entries()) {
    switch (step.kind) {
      case 'put':
        api.put(step.name, String(index));
        break;
      case 'delete':
        api.delete(step.name);
        break;
      case 'bookmark':
        api.bookmark();
        break;
      case 'end':
        api.endWatches();
        break;
      case 'turn':
        await turns(1);
        break;
      case 'pause':
        await turns();
        break;
      case 'cut':
        api.cutWatches(step.how);
        break;
      case 'cutAfter':
        api.cutAfterBytes = step.bytes;
        api.cutWatches('cut');
        break;
      case 'fail':
        api.failures.push(failureOf(step.code));
        break;
      case 'compact':
        api.compact();
        break;
      case 'backup':
        backup = api.snapshot();
        break;
      case 'restore':
        await caughtUp();
        restore(api, backup, step.puts);
        // When the new history has outgrown the old one before a request, they cannot be distinguished.
        await caughtUp();
        break;
    }
  }
}

function restore(api: FakeApi, backup: Snapshot, puts: number): void {
  const distance = api.revision - backup.revision;
  api.restore(backup);
  for (let index = 0; index < Math.min(puts, distance - 1); index += 1) {
    api.put(['a', 'b', 'c'][index] ?? 'd', `restored ${index}`);
  }
}

function failureOf(code: 429 | 500 | 503): StatusError {
  if (code === 429) return tooBusy();
  if (code === 500) return internalError(new Error('etcd'));
  return new StatusError({ code, message: 'down' });
}

function labelKey({ metadata }: Thing): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** The calls of a handler that misses none of these events. */
function expectedLines(api: FakeApi, events: readonly HistoryEvent[]): string[] {
  const versions = new Map<string, string>();
  for (const { object } of api.history) {
    if (events[0] !== undefined && object === events[0].object) break;
    versions.set(labelKey(object), object.metadata.resourceVersion ?? '');
  }
  return events.map(({ type, object }) => {
    const key = labelKey(object);
    const before = versions.get(key);
    versions.set(key, object.metadata.resourceVersion ?? '');
    if (type === 'ADDED') return `add ${labelOf(object)}`;
    if (type === 'DELETED') return `delete ${labelOf(object)}`;
    return `update ${key}@${before}->${object.metadata.resourceVersion}`;
  });
}
