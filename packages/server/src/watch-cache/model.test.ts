/**
 * Random commits, watches, lists, outages and compactions on a real store, checked by a simple model: the whole store
 * copied at every revision. The expected events of a watch are the difference of two adjacent copies, and the expected
 * items of a list are read from one. The last tests break the feed on purpose and require that the checker reports it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ChangeEvent,
  Compacted,
  compareKeys,
  type FeedBatch,
  type ManualClock,
  manualClock,
  openMemoryStorage,
  type Revision,
  type Storage,
  StorageUnavailable,
  type Write,
} from '@tributary/storage';
import fc from 'fast-check';
import { brief, nodes, pathOf, podBytes, pods, replaced } from '../../test/watch-cache-fixture.ts';
import type { WatchCacheLimits } from './limits.ts';
import type { CachedList, ReadWindow, WatchCache, WatchStart } from './types.ts';
import { openWatchCaches } from './watch-caches.ts';

interface Pod {
  readonly path: string;
  readonly app: string;
  readonly node: string;
  readonly revision: number;
}

type Snapshot = ReadonlyMap<string, Pod>;

interface Transition {
  readonly revision: number;
  readonly was: Pod | undefined;
  readonly is: Pod | undefined;
}

/** The store at every revision, and the changes between revisions. */
class Model {
  readonly snapshots = new Map<number, Snapshot>();
  readonly transitions: Transition[] = [];
  now = 1;
  compacted = 0;

  constructor() {
    this.snapshots.set(1, new Map());
  }

  commit(revision: number, writes: readonly PodWrite[]): void {
    const next = new Map(this.snapshots.get(this.now));
    for (const { kind, path, app, node } of writes) {
      const was = next.get(path);
      const is = kind === 'put' ? { path, app, node, revision } : undefined;
      if (is === undefined) next.delete(path);
      else next.set(path, is);
      this.transitions.push({ revision, was, is });
    }
    this.snapshots.set(revision, next);
    this.now = revision;
  }

  at(revision: number, view: View): readonly Pod[] {
    const snapshot = this.snapshots.get(revision);
    assert.ok(snapshot, `there was a revision ${revision}`);
    return [...snapshot.values()]
      .filter((pod) => view.includes(pod))
      .sort((a, b) => compareKeys(a.path, b.path));
  }

  /** The expected events of a watch that starts after a revision. */
  after(revision: number, view: View): readonly { text: string; revision: number }[] {
    return this.transitions
      .filter((transition) => transition.revision > revision)
      .flatMap(({ revision: at, was, is }) => {
        const before = was !== undefined && view.includes(was);
        const after = is !== undefined && view.includes(is);
        const path = (is ?? was)?.path;
        if (after)
          return [{ text: `${before ? 'MODIFIED' : 'ADDED'} ${path}@${at}`, revision: at }];
        return before ? [{ text: `DELETED ${path}@${at}`, revision: at }] : [];
      });
  }
}

interface View {
  readonly name: string;
  readonly window: ReadWindow;
  readonly includes: (pod: Pod) => boolean;
}

const onN1 = { field: 'spec.nodeName', value: 'n1' };
const isWeb: ReadWindow['matches'] = ({ labels }) => labels.app === 'web';
const views: readonly View[] = [
  { name: 'all', window: { path: '' }, includes: () => true },
  { name: 'namespace', window: { path: 'a/' }, includes: ({ path }) => path.startsWith('a/') },
  { name: 'object', window: { path: 'a/x' }, includes: ({ path }) => path === 'a/x' },
  { name: 'label', window: { path: '', matches: isWeb }, includes: ({ app }) => app === 'web' },
  { name: 'field', window: { path: '', where: onN1 }, includes: ({ node }) => node === 'n1' },
  {
    name: 'field and label in a namespace',
    window: { path: 'a/', where: onN1, matches: isWeb },
    includes: ({ path, node, app }) => path.startsWith('a/') && node === 'n1' && app === 'web',
  },
  {
    name: 'label of an object',
    window: { path: 'a/x', matches: isWeb },
    includes: ({ path, app }) => path === 'a/x' && app === 'web',
  },
];

interface PodWrite {
  readonly kind: 'put' | 'delete';
  readonly path: string;
  readonly app: string;
  readonly node: string;
}

type Step =
  | { readonly step: 'commit'; readonly writes: readonly PodWrite[] }
  | { readonly step: 'other' }
  | {
      readonly step: 'watch';
      readonly view: number;
      readonly start: StartKind;
      readonly back: number;
      readonly lag: number;
    }
  | {
      readonly step: 'list';
      readonly view: number;
      readonly read: ReadKind;
      readonly back: number;
      readonly limit: number;
    }
  | { readonly step: 'turns'; readonly count: number }
  | { readonly step: 'time'; readonly ms: number }
  | { readonly step: 'outage' }
  | { readonly step: 'compact'; readonly back: number };

type StartKind = WatchStart['kind'];
type ReadKind = 'any' | 'latest' | 'notOlderThan' | 'exact';

const podWrite: fc.Arbitrary<PodWrite> = fc.record({
  kind: fc.constantFrom('put', 'put', 'put', 'delete'),
  path: fc.constantFrom('a/x', 'a/y', 'a/xy', 'a-b/x', 'b/x', 'b/z'),
  app: fc.constantFrom('web', 'db'),
  node: fc.constantFrom('n1', 'n2', ''),
});

const quietSteps: fc.Arbitrary<Step>[] = [
  fc.record({
    step: fc.constant('commit'),
    writes: fc.uniqueArray(podWrite, { selector: ({ path }) => path, minLength: 1, maxLength: 4 }),
  }),
  fc.constant({ step: 'other' }),
  fc.record({
    step: fc.constant('watch'),
    view: fc.nat(views.length - 1),
    start: fc.constantFrom<StartKind>('after', 'initial', 'now'),
    back: fc.nat(12),
    lag: fc.nat(4),
  }),
  fc.record({
    step: fc.constant('list'),
    view: fc.nat(views.length - 1),
    read: fc.constantFrom<ReadKind>('any', 'latest', 'notOlderThan', 'exact'),
    back: fc.nat(12),
    limit: fc.nat(3),
  }),
  fc.record({ step: fc.constant('turns'), count: fc.nat(6) }),
  fc.record({ step: fc.constant('time'), ms: fc.constantFrom(1000, 30_000, 70_000) }),
];
const roughSteps: fc.Arbitrary<Step>[] = [
  fc.constant({ step: 'outage' }),
  fc.record({ step: fc.constant('compact'), back: fc.nat(6) }),
];

const commit = quietSteps[0] as fc.Arbitrary<Step>;
const calm = fc.array(fc.oneof(commit, commit, commit, ...quietSteps), {
  minLength: 5,
  maxLength: 80,
  size: 'max',
});
const rough = fc.array(fc.oneof(commit, commit, commit, ...quietSteps, ...roughSteps), {
  minLength: 5,
  maxLength: 80,
  size: 'max',
});

/** One uninterrupted stretch of a watch. */
interface Segment {
  readonly start:
    | { readonly kind: 'after'; readonly revision: number }
    | { readonly kind: 'initial' | 'now'; readonly notBefore: number };
  readonly seen: string[];
}

/** Behaves as an informer: when its watch ends it resumes, and when the revision is too old it lists again. */
class Informer {
  readonly view: View;
  readonly segments: Segment[] = [];
  readonly #world: World;
  readonly #lag: number;
  readonly #stop = new AbortController();
  readonly done: Promise<void>;
  #last = 0;

  constructor(world: World, view: View, start: WatchStart, lag: number) {
    this.#world = world;
    this.view = view;
    this.#lag = lag;
    this.done = this.#run(start);
    this.done.catch(() => undefined); // awaited at the end of the run, which reports its rejection
  }

  stop(): void {
    this.#stop.abort();
  }

  async #run(first: WatchStart): Promise<void> {
    let start = first;
    while (!this.#stop.signal.aborted) {
      if (this.segments.length > 0 && !this.#world.rough) {
        assert.fail('a watch ended although nothing happened to it');
      }
      const error = await this.#watch(start);
      // A client waits a little before it retries.
      await turns(3);
      if (error instanceof Compacted) {
        assert.ok(start.kind === 'after' && start.revision < this.#world.model.compacted);
        start = { kind: 'initial', freshness: { kind: 'latest' } };
      } else if (this.#last > 0) {
        start = { kind: 'after', revision: this.#last as Revision };
      }
    }
  }

  async #watch(start: WatchStart): Promise<unknown> {
    const notBefore = this.#world.model.now;
    const segment: Segment = {
      start: start.kind === 'after' ? start : { kind: start.kind, notBefore },
      seen: [],
    };
    if (start.kind === 'after') this.#last = start.revision;
    this.segments.push(segment);
    const request = { ...this.view.window, start, bookmarks: true, signal: this.#stop.signal };
    try {
      for await (const batch of this.#world.cache.watch(request)) {
        for (const event of batch) {
          segment.seen.push(brief(event));
          const isInitial =
            start.kind === 'initial' && !segment.seen.some((text) => text.startsWith('END'));
          if (!isInitial)
            this.#last = event.type === 'BOOKMARK' ? event.revision : event.object.revision;
        }
        await turns(this.#lag);
      }
      return undefined;
    } catch (error) {
      if (!this.#world.rough) throw error;
      return error;
    }
  }
}

interface World {
  readonly model: Model;
  readonly cache: WatchCache;
  readonly storage: Storage;
  readonly clock: ManualClock;
  /** Outages, compaction and small queues are part of the run. */
  readonly rough: boolean;
}

/** More turns than any step takes that does not wait for the clock. */
async function quiet(): Promise<void> {
  await turns(100);
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

type Wrap = (storage: Storage) => { storage: Storage; cut: (error: Error) => void };

/** The delays of the store's results, and when the first watch fills the cache. */
interface Pace {
  readonly feedLag: number;
  readonly listLag: number;
  readonly firstWatch: number;
}

const pace: fc.Arbitrary<Pace> = fc.record({
  feedLag: fc.nat(4),
  listLag: fc.nat(4),
  firstWatch: fc.nat(15),
});
const prompt: Pace = { feedLag: 0, listLag: 0, firstWatch: 0 };

/** Runs the steps and checks everything that was observed on the way. */
async function run(
  steps: readonly Step[],
  options: { rough: boolean; limits?: Partial<WatchCacheLimits>; wrap?: Wrap; pace?: Pace },
): Promise<void> {
  const { feedLag, listLag, firstWatch } = options.pace ?? prompt;
  const clock = manualClock();
  const inner = openMemoryStorage({ clock });
  const wrap =
    options.wrap ?? ((storage) => throughFeed(storage, (batches) => late(batches, feedLag)));
  const { storage, cut } = wrap(withSlowLists(inner, listLag));
  const caches = openWatchCaches(storage, { clock, limits: { ...options.limits } });
  const model = new Model();
  const world = { model, cache: caches.cache(pods), storage: inner, clock, rough: options.rough };
  const informers: Informer[] = [];
  const watchEverything = () => {
    const start: WatchStart = { kind: 'initial', freshness: { kind: 'latest' } };
    informers.push(new Informer(world, views[0] as View, start, 0));
  };
  const checks: Promise<void>[] = [];
  try {
    for (const [index, step] of steps.entries()) {
      if (index === firstWatch) watchEverything();
      if (index === 0 && firstWatch === 0) await quiet();
      await take(step, { world, cut, informers, checks });
    }
    if (steps.length <= firstWatch) watchEverything();
    // Enough for a feed that has failed several times to retry.
    for (let round = 0; round < 4; round += 1) {
      await quiet();
      clock.advance(6000);
    }
    await quiet();
    await Promise.all(checks);
    for (const informer of informers) informer.stop();
    await Promise.all(informers.map(({ done }) => done));
    for (const informer of informers) checkInformer(informer, model);
  } finally {
    for (const informer of informers) informer.stop();
    await caches.close();
    await inner.close();
  }
}

interface Run {
  readonly world: World;
  readonly cut: (error: Error) => void;
  readonly informers: Informer[];
  readonly checks: Promise<void>[];
}

async function take(step: Step, { world, cut, informers, checks }: Run): Promise<void> {
  const { model, storage, clock } = world;
  const past = (back: number) => Math.max(1, model.now - back) as Revision;
  switch (step.step) {
    case 'commit':
      return commitPods(world, step.writes);
    case 'other': {
      const value = Buffer.from(`${Buffer.from(nodes.head).toString()}"name":"n"}}`);
      const write: Write = { kind: 'put', key: `${nodes.prefix}n`, value };
      const result = await storage.commit({ require: [], writes: [write] });
      assert.ok(result.outcome === 'written');
      return model.commit(result.revision, []);
    }
    case 'watch': {
      const view = views[step.view] as View;
      const start: WatchStart =
        step.start === 'after'
          ? { kind: 'after', revision: past(step.back) }
          : { kind: step.start, freshness: { kind: 'latest' } };
      informers.push(new Informer(world, view, start, step.lag));
      return;
    }
    case 'list': {
      const check = checkList(world, step, past(step.back));
      check.catch(() => undefined); // awaited at the end, which reports its rejection
      checks.push(check);
      return;
    }
    case 'turns':
      return turns(step.count);
    case 'time':
      await quiet(); // lets operations in progress complete without the clock
      clock.advance(step.ms);
      return;
    case 'outage':
      cut(new StorageUnavailable('cut on purpose'));
      await turns(2);
      clock.advance(100);
      return;
    case 'compact': {
      const revision = past(step.back);
      await storage.compact(revision);
      model.compacted = Math.max(model.compacted, revision);
      return;
    }
    default:
      assert.fail(`not a step: ${JSON.stringify(step satisfies never)}`);
  }
}

async function commitPods({ model, storage }: World, wanted: readonly PodWrite[]): Promise<void> {
  const present = model.snapshots.get(model.now);
  const writes = wanted.filter(({ kind, path }) => kind === 'put' || present?.has(path));
  if (writes.length === 0) return;
  const result = await storage.commit({
    require: [],
    writes: writes.map((write): Write => {
      const { kind, path, app, node } = write;
      const key = pods.prefix + path;
      return kind === 'put'
        ? { kind, key, value: podBytes(path, { labels: { app }, node }) }
        : { kind, key };
    }),
  });
  assert.ok(result.outcome === 'written');
  model.commit(result.revision, writes);
}

async function checkList(
  { model, cache, rough }: World,
  { view: viewIndex, read, limit }: Step & { step: 'list' },
  past: Revision,
): Promise<void> {
  const view = views[viewIndex] as View;
  const before = model.now;
  const freshness =
    read === 'exact' || read === 'notOlderThan'
      ? ({ kind: read, revision: past } as const)
      : ({ kind: read } as const);
  const signal = new AbortController().signal;
  const pods: string[] = [];
  let page: CachedList;
  let after: string | undefined;
  let at = freshness as Parameters<WatchCache['list']>[0]['freshness'];
  try {
    do {
      page = await cache.list({
        ...view.window,
        freshness: at,
        signal,
        ...(limit > 0 && { limit }),
        ...(after !== undefined && { after }),
      });
      pods.push(...page.items.map((item) => `${pathOf(item)}@${item.revision}`));
      after = page.next;
      at = { kind: 'exact', revision: page.revision };
    } while (after !== undefined);
  } catch (error) {
    if (error instanceof Compacted) assert.ok(error.requested < model.compacted);
    else if (!rough) throw error; // an outage refuses reads for a while
    return;
  }
  if (read === 'latest')
    assert.ok(page.revision >= before, 'a latest read is not older than its call');
  if (read === 'notOlderThan') assert.ok(page.revision >= past);
  if (read === 'exact') assert.equal(page.revision, past);
  const want = model.at(page.revision, view).map(({ path, revision }) => `${path}@${revision}`);
  assert.deepEqual(pods, want, `list of ${view.name} at ${page.revision}`);
}

/** Every stretch is a prefix of the expected events, and the last one is all of them. */
function checkInformer({ view, segments }: Informer, model: Model): void {
  for (const [index, segment] of segments.entries()) {
    checkSegment(segment, { view, model, complete: index === segments.length - 1 });
  }
}

function checkSegment(
  { start, seen }: Segment,
  { view, model, complete }: { view: View; model: Model; complete: boolean },
): void {
  let events = seen;
  let from: number | undefined = start.kind === 'after' ? start.revision : undefined;
  if (start.kind === 'initial') {
    const end = seen.findIndex((text) => text.startsWith('END'));
    if (end === -1) {
      assert.ok(!complete, 'the initial objects never ended');
      return;
    }
    from = revisionOf(seen[end]);
    assert.ok(from >= start.notBefore, 'the initial objects are not older than the call');
    const want = model.at(from, view).map(({ path, revision }) => `ADDED ${path}@${revision}`);
    assert.deepEqual(seen.slice(0, end), want, `initial objects of ${view.name} at ${from}`);
    events = seen.slice(end + 1);
  }
  // The start of a watch from now is unknown; its events must fit one possible start.
  from ??= startOfNow(start.kind === 'now' ? start.notBefore : 0, events, {
    view,
    model,
    complete,
  });
  const wanted = model.after(from, view);
  let next = 0;
  let last = from;
  for (const text of events) {
    const revision = revisionOf(text);
    assert.ok(revision >= last, `${text} came after revision ${last}`);
    last = revision;
    if (text.startsWith('BOOKMARK')) {
      const due = wanted.filter((event) => event.revision <= revision).length;
      assert.equal(
        next,
        due,
        `${text} before all that happened until then, in ${view.name}: ${events}`,
      );
    } else {
      assert.equal(text, wanted[next]?.text, `${view.name} after ${from}: ${events}`);
      next += 1;
    }
  }
  if (complete)
    assert.equal(next, wanted.length, `${view.name} after ${from} misses the end: ${events}`);
}

function startOfNow(
  notBefore: number,
  events: readonly string[],
  { view, model, complete }: { view: View; model: Model; complete: boolean },
): number {
  // Before its first event, and not after its first bookmark.
  const [first] = events;
  const event = events.find((text) => !text.startsWith('BOOKMARK'));
  const from = Math.min(
    event === undefined ? Number.POSITIVE_INFINITY : revisionOf(event) - 1,
    first?.startsWith('BOOKMARK') ? revisionOf(first) : Number.POSITIVE_INFINITY,
    complete ? model.now : Number.MAX_SAFE_INTEGER,
  );
  assert.ok(from >= notBefore, `${view.name} from now shows ${events}, older than ${notBefore}`);
  return from;
}

function revisionOf(text: string | undefined): number {
  return Number(text?.split('@').at(-1));
}

/** The feed of a store, with batches changed on their way and an end under the control of the test. */
function throughFeed(
  inner: Storage,
  change: (batches: AsyncIterable<FeedBatch>) => AsyncIterable<FeedBatch>,
): { storage: Storage; cut: (error: Error) => void } {
  const cuts = new Set<(error: Error) => void>();
  async function* feed(after: Revision, { signal }: { signal: AbortSignal }) {
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined); // observed by the race below while the feed runs
    cuts.add(reject);
    const stop = new AbortController();
    const options = { signal: AbortSignal.any([signal, stop.signal]) };
    const batches = change(inner.feed(after, options))[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await Promise.race([batches.next(), promise]);
        if (next.done) return;
        yield next.value;
      }
    } finally {
      cuts.delete(reject);
      stop.abort();
    }
  }
  const storage = replaced(inner, { feed });
  return {
    storage,
    cut: (error) =>
      cuts.forEach((reject) => {
        reject(error);
      }),
  };
}

async function* late(batches: AsyncIterable<FeedBatch>, lag: number): AsyncGenerator<FeedBatch> {
  for await (const batch of batches) {
    await turns(lag);
    yield batch;
  }
}

/** A page is true at its time, and time passes before and after. */
function withSlowLists(inner: Storage, lag: number): Storage {
  const list: Storage['list'] = async (...args) => {
    await turns(lag);
    const page = await inner.list(...args);
    await turns(lag);
    return page;
  };
  return replaced(inner, { list });
}

const runs = Number(process.env.TRIBUTARY_MODEL_RUNS ?? 60);

test('watches and lists agree with the model', async () => {
  await fc.assert(
    fc.asyncProperty(calm, pace, (steps, pace) => run(steps, { rough: false, pace })),
    { numRuns: runs },
  );
});

test('watches and lists agree with the model when the window and pages are tiny', async () => {
  const limits = { historyEventsMin: 2, historyEventsMax: 4, pageObjectsMax: 2 };
  await fc.assert(
    fc.asyncProperty(calm, pace, (steps, pace) => run(steps, { rough: false, limits, pace })),
    { numRuns: runs },
  );
});

test('watches and lists agree with the model during outages, compaction and with slow watchers', async () => {
  const limits = { historyEventsMin: 2, historyEventsMax: 4, pageObjectsMax: 2, queueEventsMax: 3 };
  await fc.assert(
    fc.asyncProperty(rough, pace, (steps, pace) => run(steps, { rough: true, limits, pace })),
    { numRuns: runs },
  );
});

/** Each breaks the third change of a pod; the rest of the run is long enough to notice. */
const faults: readonly {
  name: string;
  break: (events: ChangeEvent[], at: number) => ChangeEvent[];
}[] = [
  { name: 'drops a change', break: (events, at) => events.toSpliced(at, 1) },
  {
    name: 'repeats a change',
    break: (events, at) => events.toSpliced(at, 0, events[at] as ChangeEvent),
  },
  {
    name: 'swaps two changes',
    break: (events, at) => events.toSpliced(at, 2, ...events.slice(at, at + 2).reverse()),
  },
  {
    name: 'sends a change one revision late',
    break: (events, at) =>
      events.with(at, {
        ...events[at],
        revision: (events[at] as ChangeEvent).revision + 1,
      } as ChangeEvent),
  },
  {
    name: 'omits the previous object',
    break: (events, at) => events.with(at, { ...events[at], previous: undefined } as ChangeEvent),
  },
];

function faulty(fault: (typeof faults)[number]): { wrap: Wrap; injected: () => boolean } {
  let pending = true;
  const wrap: Wrap = (inner) =>
    throughFeed(inner, async function* (batches) {
      let count = 0;
      for await (const batch of batches) {
        const events = [...batch.events];
        const at = events.findIndex(({ key }) => key.startsWith(pods.prefix) && ++count === 5);
        if (!pending || at === -1) {
          yield batch;
          continue;
        }
        pending = false;
        yield { ...batch, events: fault.break(events, at) };
      }
    });
  return { wrap, injected: () => !pending };
}

/** Two changes in each commit and several commits before the cache has a turn: batches to break. */
const script: readonly Step[] = Array.from(
  { length: 12 },
  (_, n): Step => ({
    step: 'commit',
    writes: [
      { kind: 'put', path: 'a/x', app: n % 2 === 0 ? 'web' : 'db', node: 'n1' },
      { kind: 'put', path: 'b/x', app: 'web', node: `n${n % 2}` },
    ],
  }),
);

for (const fault of faults) {
  test(`the checker reports a feed that ${fault.name}`, async () => {
    const { wrap, injected } = faulty(fault);
    await assert.rejects(run(script, { rough: false, wrap }), assert.AssertionError);
    assert.ok(injected());
  });
}

/** The same, where the cache's own check of the feed finds no error. */
test('the checker reports a dropped change that nothing contradicts', async () => {
  const last: Step = {
    step: 'commit',
    writes: [{ kind: 'put', path: 'a/y', app: 'web', node: 'n1' }],
  };
  const wrap: Wrap = (inner) =>
    throughFeed(inner, async function* (batches) {
      for await (const batch of batches) {
        yield { ...batch, events: batch.events.filter(({ key }) => !key.endsWith('a/y')) };
      }
    });
  await assert.rejects(run([...script, last], { rough: false, wrap }), /misses the end/);
});

test('the checker accepts the same run with an unbroken feed', async () => {
  await run(script, { rough: false });
});
