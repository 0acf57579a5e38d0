import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { StatusError } from '@tributary/apimachinery';
import {
  Compacted,
  FutureRevision,
  manualClock,
  openMemoryStorage,
  type Revision,
  type Storage,
  StorageUnavailable,
} from '@tributary/storage';
import {
  deletePod,
  never,
  nodes,
  pathOf,
  podBytes,
  pods,
  putNode,
  putPod,
  Recorder,
  replaced,
  settled,
  textOf,
} from '../../test/watch-cache-fixture.ts';
import type { WatchCacheLimits } from './limits.ts';
import type { CachedList, CacheEvent, Freshness, ListRequest, WatchCache } from './types.ts';
import { openWatchCaches } from './watch-caches.ts';
import type { WatchEnd } from './watch-stream.ts';

const any: Freshness = { kind: 'any' };
const latest: Freshness = { kind: 'latest' };
const notOlderThan = (revision: number): Freshness => ({
  kind: 'notOlderThan',
  revision: revision as Revision,
});

function setup(
  t: TestContext,
  options: { limits?: Partial<WatchCacheLimits>; wrap?: (storage: Storage) => Storage } = {},
) {
  const storage = openMemoryStorage();
  const seenBy = options.wrap?.(storage) ?? storage;
  const clock = manualClock();
  const ends: WatchEnd[] = [];
  const failures: unknown[] = [];
  const caches = openWatchCaches(seenBy, {
    clock,
    limits: { ...options.limits },
    metrics: {
      watchEnded: (reason) => ends.push(reason),
      feedFailed: (error) => failures.push(error),
    },
  });
  t.after(async () => {
    await caches.close();
    await storage.close();
  });
  return { storage, clock, caches, cache: caches.cache(pods), ends, failures };
}

async function list(cache: WatchCache, request: Partial<ListRequest> = {}): Promise<CachedList> {
  return cache.list({ path: '', freshness: latest, signal: never, ...request });
}

function paths({ items }: CachedList): string[] {
  return items.map(pathOf);
}

/** The storage with lists that wait for the gate. */
function held(storage: Storage, gate: Promise<unknown>): Storage {
  return replaced(storage, {
    list: async (...args) => {
      await gate;
      return storage.list(...args);
    },
  });
}

function assertStatus(error: unknown, code: number, message: RegExp): boolean {
  assert.ok(error instanceof StatusError, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, message);
  return true;
}

test('a get returns the stored bytes with their revision', async (t) => {
  const { storage, cache } = setup(t);
  const revision = await putPod(storage, 'eu/a', { labels: { app: 'web' }, node: 'n1' });
  await cache.ready({ signal: never });
  const object = await cache.get('eu/a', any, { signal: never });
  assert.ok(object);
  assert.equal(object.revision, revision);
  assert.equal(
    textOf(object),
    `{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"${revision}","name":"a","namespace":"eu","labels":{"app":"web"}},"spec":{"nodeName":"n1"}}`,
  );
  assert.deepEqual({ ...object.labels }, { app: 'web' });
  assert.deepEqual(object.fields, {
    'metadata.name': 'a',
    'metadata.namespace': 'eu',
    'spec.nodeName': 'n1',
  });
  assert.equal(object.object().metadata.name, 'a');
  assert.equal(object.object(), object.object());
  assert.equal(await cache.get('eu/b', any, { signal: never }), undefined);
});

test('a get before the cache is filled goes to the store', async (t) => {
  const gate = Promise.withResolvers<void>();
  const { storage, cache } = setup(t, { wrap: (inner) => held(inner, gate.promise) });
  const revision = await putPod(storage, 'eu/a');
  for (const freshness of [any, latest, notOlderThan(revision)]) {
    const object = await cache.get('eu/a', freshness, { signal: never });
    assert.equal(object?.revision, revision);
  }
  await assert.rejects(cache.get('eu/a', notOlderThan(revision + 1), { signal: never }), (error) =>
    assertStatus(error, 504, /^Timeout: Too large resource version: 3, current: 2$/),
  );
  gate.resolve();
});

test('a latest read sees every write acknowledged before it', async (t) => {
  const { storage, cache } = setup(t);
  await cache.ready({ signal: never });
  for (let n = 0; n < 50; n += 1) {
    const revision = await putPod(storage, `eu/p${n % 7}`);
    const reading = cache.get(`eu/p${n % 7}`, latest, { signal: never });
    const page = await list(cache);
    const object = await reading;
    assert.equal(object?.revision, revision);
    assert.equal(page.revision, revision);
  }
});

test('a read not older than a revision waits for it, three seconds at most', async (t) => {
  const { storage, cache, clock } = setup(t);
  await cache.ready({ signal: never });
  const early = list(cache, { freshness: notOlderThan(2) });
  await settled();
  await putPod(storage, 'eu/a');
  assert.deepEqual(paths(await early), ['eu/a']);

  const late = cache.get('eu/a', notOlderThan(99), { signal: never });
  const outcome = assert.rejects(late, (error) => {
    assert.ok(error instanceof StatusError);
    assert.deepEqual(error.status.details, {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    });
    return assertStatus(error, 504, /^Timeout: Too large resource version: 99, current: 2$/);
  });
  await settled();
  clock.advance(3000);
  await outcome;
});

test('a latest read falls back to the store when the feed does not catch up', async (t) => {
  const { storage, cache, clock } = setup(t, {
    wrap: (inner) =>
      replaced(inner, {
        async *feed(_after, { signal }) {
          yield { events: [], progress: 1 as Revision };
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        },
      }),
  });
  await cache.ready({ signal: never });
  const revision = await putPod(storage, 'eu/a');
  const page = list(cache);
  const object = cache.get('eu/a', latest, { signal: never });
  await settled();
  clock.advance(3000);
  assert.deepEqual(paths(await page), ['eu/a']);
  assert.equal((await page).revision, revision);
  assert.equal((await object)?.revision, revision);
  assert.deepEqual(paths(await list(cache, { freshness: any })), []);
});

test('a read ends when its signal fires', async (t) => {
  const { cache } = setup(t);
  await cache.ready({ signal: never });
  const stop = new AbortController();
  const read = cache.get('eu/a', notOlderThan(99), { signal: stop.signal });
  const outcome = assert.rejects(read, /gone/);
  stop.abort(new Error('gone'));
  await outcome;
});

test('lists are in key order, within a namespace, after a path', async (t) => {
  const { storage, cache } = setup(t);
  for (const path of ['a/x', 'a-b/x', 'b/y', 'b/x', 'a/ü']) await putPod(storage, path);
  assert.deepEqual(paths(await list(cache)), ['a-b/x', 'a/x', 'a/ü', 'b/x', 'b/y']);
  assert.deepEqual(paths(await list(cache, { path: 'a/' })), ['a/x', 'a/ü']);
  assert.deepEqual(paths(await list(cache, { path: 'b/x' })), ['b/x']);
  assert.deepEqual(paths(await list(cache, { path: 'b/', after: 'b/x' })), ['b/y']);
  assert.deepEqual(paths(await list(cache, { path: 'c/' })), []);
  assert.equal((await list(cache, { path: 'c/' })).revision, await storage.currentRevision());
});

test('a list of everything is shared until something changes', async (t) => {
  const { storage, cache } = setup(t);
  await putPod(storage, 'eu/a');
  await cache.ready({ signal: never });
  const [first, second] = [await list(cache), await list(cache)];
  assert.equal(first.items, second.items);
  await putPod(storage, 'eu/b');
  assert.deepEqual(paths(await list(cache)), ['eu/a', 'eu/b']);
  assert.deepEqual(paths(first), ['eu/a'], 'what was handed out does not change');
});

const pageRoutes = [
  { name: 'from memory', move: false },
  { name: 'from the store', move: true },
];
for (const { name, move } of pageRoutes) {
  test(`pages ${name} continue at one revision`, async (t) => {
    const { storage, cache } = setup(t);
    for (let n = 0; n < 7; n += 1)
      await putPod(storage, `eu/p${n}`, { labels: { odd: `${n % 2}` } });
    await cache.ready({ signal: never });
    const first = await list(cache, { path: 'eu/', limit: 3 });
    assert.deepEqual(paths(first), ['eu/p0', 'eu/p1', 'eu/p2']);
    assert.equal(first.next, 'eu/p2');
    assert.equal(first.remaining, 4);
    if (move) {
      await deletePod(storage, 'eu/p4');
      await putPod(storage, 'eu/p55');
    }
    // Progress of another resource alone does not change the cache's state.
    await putNode(storage, 'n1');
    const exact = { kind: 'exact', revision: first.revision } as const;
    const second = await list(cache, { path: 'eu/', limit: 3, after: 'eu/p2', freshness: exact });
    assert.deepEqual(paths(second), ['eu/p3', 'eu/p4', 'eu/p5']);
    assert.equal(second.revision, first.revision);
    assert.equal(second.remaining, 1);
    const third = await list(cache, { path: 'eu/', limit: 3, after: 'eu/p5', freshness: exact });
    assert.deepEqual(paths(third), ['eu/p6']);
    assert.equal(third.next, undefined);
    assert.equal(third.remaining ?? 0, 0);

    const matches = ({ labels }: { labels: Readonly<Record<string, string>> }) =>
      labels.odd === '1';
    const odd = await list(cache, { limit: 2, matches, freshness: exact });
    assert.deepEqual(paths(odd), ['eu/p1', 'eu/p3']);
    assert.equal(odd.next, 'eu/p3');
    assert.equal(odd.remaining, undefined);
    const rest = await list(cache, { limit: 2, matches, freshness: exact, after: 'eu/p3' });
    assert.deepEqual(paths(rest), ['eu/p5']);
    assert.deepEqual(paths(await list(cache, { matches, freshness: exact })), [
      'eu/p1',
      'eu/p3',
      'eu/p5',
    ]);
    assert.deepEqual(paths(await list(cache, { path: 'eu/p4', freshness: exact })), ['eu/p4']);
    assert.deepEqual(paths(await list(cache, { path: 'eu/p5', freshness: exact })), ['eu/p5']);
  });
}

test('a page with selectors reads on until it is full', async (t) => {
  const { storage, cache } = setup(t, { limits: { pageObjectsMax: 8 } });
  for (let n = 0; n < 100; n += 1) {
    await putPod(storage, `eu/p${String(n).padStart(3, '0')}`, { labels: { tens: `${n % 10}` } });
  }
  await cache.ready({ signal: never });
  const { revision } = await list(cache);
  await putPod(storage, 'eu/z');
  const matches: ListRequest['matches'] = ({ labels }) => labels.tens === '7';
  for (const freshness of [latest, { kind: 'exact', revision } as const]) {
    const page = await list(cache, { freshness, matches, limit: 4 });
    assert.deepEqual(paths(page), ['eu/p007', 'eu/p017', 'eu/p027', 'eu/p037']);
    assert.equal(page.next, 'eu/p037');
  }
});

test('a page with selectors is correct beyond the first thousand objects', async (t) => {
  const { storage, cache } = setup(t);
  const name = (n: number) => `eu/p${String(n).padStart(4, '0')}`;
  for (let n = 0; n < 2500; n += 1)
    await putPod(storage, name(n), { labels: { last: `${n >= 990}` } });
  await cache.ready({ signal: never });
  const matches: ListRequest['matches'] = ({ labels }) => labels.last === 'true';
  const names = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => name(from + n));
  const first = await list(cache, { matches, limit: 20 });
  assert.deepEqual(paths(first), names(990, 1010));
  assert.equal(first.next, name(1009));
  const rest = await list(cache, { matches, limit: 5000, after: first.next as string });
  assert.deepEqual(paths(rest), names(1010, 2500));
  assert.equal(rest.next, undefined);
  const exact = await list(cache, { matches, limit: 1490, after: first.next as string });
  assert.equal(exact.next, undefined);
});

test('a field that an object lacks compares as empty', async (t) => {
  const { storage, cache } = setup(t);
  await putPod(storage, 'eu/a');
  const where = (value: string) => ({ where: { field: 'spec.other', value } });
  assert.deepEqual(paths(await list(cache, where(''))), ['eu/a']);
  assert.deepEqual(paths(await list(cache, where('x'))), []);
});

test('exact reads reach back to the compacted revision of the store', async (t) => {
  const { storage, cache } = setup(t);
  const history: Revision[] = [];
  for (let n = 0; n < 20; n += 1) history.push(await putPod(storage, `eu/p${n}`));
  await cache.ready({ signal: never });
  for (const [n, revision] of history.entries()) {
    const page = await list(cache, { freshness: { kind: 'exact', revision } });
    assert.equal(page.items.length, n + 1);
    assert.equal(page.revision, revision);
  }
  const now = history.at(-1) as Revision;
  await storage.compact(history[10] as Revision);
  const exact = (revision: number) =>
    list(cache, { freshness: { kind: 'exact', revision: revision as Revision } });
  assert.equal((await exact(history[10] as Revision)).items.length, 11);
  await assert.rejects(exact(history[9] as Revision), Compacted);
  await assert.rejects(exact(now + 1), FutureRevision);
});

test('an indexed field is served from its index', async (t) => {
  const { storage, cache } = setup(t);
  for (let n = 0; n < 10; n += 1) await putPod(storage, `ns${n % 2}/p${n}`, { node: `n${n % 3}` });
  await putPod(storage, 'ns0/none');
  const on = (value: string) => ({ where: { field: 'spec.nodeName', value } });
  await cache.ready({ signal: never });
  assert.deepEqual(paths(await list(cache, on('n1'))), ['ns0/p4', 'ns1/p1', 'ns1/p7']);
  assert.deepEqual(paths(await list(cache, { ...on('n1'), path: 'ns1/' })), ['ns1/p1', 'ns1/p7']);
  assert.deepEqual(paths(await list(cache, on(''))), ['ns0/none']);
  assert.deepEqual(paths(await list(cache, on('n9'))), []);
  assert.deepEqual(paths(await list(cache, { ...on('n1'), limit: 2 })), ['ns0/p4', 'ns1/p1']);
  await putPod(storage, 'ns0/p4', { node: 'n2' });
  await deletePod(storage, 'ns1/p7');
  assert.deepEqual(paths(await list(cache, on('n1'))), ['ns1/p1']);
  assert.deepEqual(paths(await list(cache, on('n2'))), ['ns0/p2', 'ns0/p4', 'ns0/p8', 'ns1/p5']);
});

test('changes while the cache is filled are neither lost nor reverted', async (t) => {
  const gate = Promise.withResolvers<void>();
  const { storage, cache } = setup(t, {
    limits: { pageObjectsMax: 2 },
    wrap: (inner) =>
      replaced(inner, {
        list: async (prefix, options) => {
          const page = await inner.list(prefix, options);
          if (options?.after?.endsWith('b')) await gate.promise;
          return page;
        },
      }),
  });
  for (const name of ['a', 'b', 'c', 'd', 'e']) await putPod(storage, `eu/${name}`);
  const ready = cache.ready({ signal: never });
  await settled();
  await deletePod(storage, 'eu/a');
  await deletePod(storage, 'eu/d');
  await putPod(storage, 'eu/c', { note: 'new' });
  await putPod(storage, 'eu/aa');
  await putPod(storage, 'eu/f');
  await deletePod(storage, 'eu/f');
  gate.resolve();
  await ready;
  const page = await list(cache, { freshness: any });
  assert.deepEqual(paths(page), ['eu/aa', 'eu/b', 'eu/c', 'eu/e']);
  assert.equal(page.revision, await storage.currentRevision());
  assert.match(textOf((await cache.get('eu/c', any, { signal: never })) as never), /"note":"new"/);
});

test('a list of an unfilled cache waits for it, and pages without selectors do not', async (t) => {
  const gate = Promise.withResolvers<void>();
  let lists = 0;
  const { storage, cache, clock } = setup(t, {
    wrap: (inner) =>
      replaced(inner, {
        list: async (prefix, options) => {
          lists += 1;
          if (lists === 1) await gate.promise;
          return inner.list(prefix, options);
        },
      }),
  });
  await putPod(storage, 'eu/a');
  const whole = list(cache);
  await settled();
  assert.deepEqual(paths(await list(cache, { limit: 5 })), ['eu/a']);
  const tooLong = assert.rejects(list(cache, { freshness: any }), (error) => {
    assert.ok(error instanceof StatusError);
    assert.equal(error.status.details?.retryAfterSeconds, 1);
    return assertStatus(error, 429, /^storage is \(re\)initializing$/);
  });
  const alsoTooLong = assert.rejects(whole, StatusError);
  await settled();
  clock.advance(3000);
  await tooLong;
  await alsoTooLong;
  gate.resolve();
  assert.deepEqual(paths(await list(cache)), ['eu/a']);
});

test('an object that cannot be decoded fails only its own reads', async (t) => {
  const { storage, cache } = setup(t);
  await putPod(storage, 'eu/a');
  await storage.commit({
    require: [],
    writes: [{ kind: 'put', key: `${pods.prefix}eu/bad`, value: Buffer.from('\0not json') }],
  });
  await cache.ready({ signal: never });
  assert.equal((await cache.get('eu/a', latest, { signal: never }))?.object().kind, 'Pod');
  const bad = await cache.get('eu/bad', latest, { signal: never });
  assert.throws(
    () => bad?.bytes,
    (error) => assertStatus(error, 500, /unable to read the stored object/),
  );
  const page = await list(cache, { where: { field: 'spec.nodeName', value: '' } });
  assert.deepEqual(paths(page), ['eu/a']);
});

test('bytes of an older version are upgraded before the revision is inserted', async (t) => {
  const { storage, caches } = setup(t);
  const upgraded = caches.cache({
    ...pods,
    upgrade: (stored) => Buffer.from(Buffer.from(stored).toString().replace('"v1alpha1"', '"v1"')),
  });
  const value = Buffer.from(Buffer.from(podBytes('eu/a')).toString().replace('"v1"', '"v1alpha1"'));
  await storage.commit({
    require: [],
    writes: [{ kind: 'put', key: `${pods.prefix}eu/a`, value }],
  });
  const object = await upgraded.get('eu/a', latest, { signal: never });
  assert.equal(object?.object().apiVersion, 'v1');
});

test('a watch after a revision sends exactly the later changes', async (t) => {
  const { storage, cache } = setup(t);
  const first = await putPod(storage, 'eu/a');
  await putPod(storage, 'eu/b');
  await cache.ready({ signal: never });
  await putPod(storage, 'eu/a');
  await deletePod(storage, 'eu/b');
  const watch = new Recorder(cache, { path: '', start: { kind: 'after', revision: first } });
  await watch.until(3);
  await putPod(storage, 'eu/c');
  assert.deepEqual(await watch.until(4), [
    'ADDED eu/b@3',
    'MODIFIED eu/a@4',
    'DELETED eu/b@5',
    'ADDED eu/c@6',
  ]);
  const resumed = new Recorder(cache, {
    path: '',
    start: { kind: 'after', revision: 5 as Revision },
  });
  assert.deepEqual(await resumed.until(1), ['ADDED eu/c@6']);
  watch.stop();
  assert.equal(await watch.done, 'ended');
});

test('a watch that begins with the objects has them in key order, then the bookmark', async (t) => {
  const { storage, cache } = setup(t);
  for (const path of ['eu/b', 'eu/a', 'us/a']) await putPod(storage, path);
  await putNode(storage, 'n1');
  const start = { kind: 'initial', freshness: latest } as const;
  const watch = new Recorder(cache, { path: 'eu/', start, bookmarks: true });
  await watch.until(3);
  await putPod(storage, 'eu/c');
  assert.deepEqual(await watch.until(4), [
    'ADDED eu/a@3',
    'ADDED eu/b@2',
    'END @5',
    'ADDED eu/c@6',
  ]);
  const silent = new Recorder(cache, { path: 'eu/', start });
  assert.deepEqual(await silent.until(3), ['ADDED eu/a@3', 'ADDED eu/b@2', 'ADDED eu/c@6']);
});

test('a watch from now sends only later changes', async (t) => {
  const { storage, cache } = setup(t);
  await putPod(storage, 'eu/a');
  const watch = new Recorder(cache, {
    path: '',
    start: { kind: 'now', freshness: latest },
    bookmarks: true,
  });
  await settled();
  await putPod(storage, 'eu/a');
  assert.deepEqual(await watch.until(1), ['MODIFIED eu/a@3']);
});

test('a watch after a future revision is silent until that revision', async (t) => {
  const { storage, cache, clock } = setup(t);
  const start = { kind: 'after', revision: 4 as Revision } as const;
  const watch = new Recorder(cache, { path: '', start, bookmarks: true });
  await cache.ready({ signal: never });
  await settled();
  await putPod(storage, 'eu/a');
  await putPod(storage, 'eu/b');
  await settled();
  clock.advance(61_000);
  await settled();
  assert.deepEqual(watch.seen, []);
  await putPod(storage, 'eu/c');
  await putPod(storage, 'eu/d');
  assert.deepEqual(await watch.until(1), ['ADDED eu/d@5']);
});

test('a watch that waits for a revision too far ahead fails with a timeout', async (t) => {
  const { cache, clock } = setup(t);
  const start = { kind: 'initial', freshness: notOlderThan(99) } as const;
  const watch = new Recorder(cache, { path: '', start });
  await cache.ready({ signal: never });
  await settled();
  clock.advance(3000);
  assertStatus(await watch.done, 504, /Too large resource version: 99/);
});

test('watches get the changes of their namespace, object, field or labels', async (t) => {
  const { storage, cache } = setup(t);
  await cache.ready({ signal: never });
  const start = { kind: 'now', freshness: any } as const;
  const watches = {
    namespace: new Recorder(cache, { path: 'eu/', start }),
    object: new Recorder(cache, { path: 'eu/a', start }),
    field: new Recorder(cache, { path: '', start, where: { field: 'spec.nodeName', value: 'n1' } }),
    fieldInNamespace: new Recorder(cache, {
      path: 'us/',
      start,
      where: { field: 'spec.nodeName', value: 'n1' },
    }),
    labels: new Recorder(cache, { path: '', start, matches: ({ labels }) => labels.app === 'web' }),
  };
  await settled();
  await putPod(storage, 'eu/a', { node: 'n1' }); // 2
  await putPod(storage, 'eu/ab', { labels: { app: 'web' } }); // 3
  await putPod(storage, 'us/a', { node: 'n1', labels: { app: 'web' } }); // 4
  await putPod(storage, 'eu/a', { node: 'n2', labels: { app: 'web' } }); // 5
  await putPod(storage, 'us/a', { node: 'n1', labels: { app: 'db' } }); // 6
  await deletePod(storage, 'us/a'); // 7
  await deletePod(storage, 'eu/a'); // 8
  await settled();
  assert.deepEqual(
    Object.fromEntries(Object.entries(watches).map(([name, { seen }]) => [name, seen])),
    {
      namespace: ['ADDED eu/a@2', 'ADDED eu/ab@3', 'MODIFIED eu/a@5', 'DELETED eu/a@8'],
      object: ['ADDED eu/a@2', 'MODIFIED eu/a@5', 'DELETED eu/a@8'],
      field: [
        'ADDED eu/a@2',
        'ADDED us/a@4',
        'DELETED eu/a@5',
        'MODIFIED us/a@6',
        'DELETED us/a@7',
      ],
      fieldInNamespace: ['ADDED us/a@4', 'MODIFIED us/a@6', 'DELETED us/a@7'],
      labels: ['ADDED eu/ab@3', 'ADDED us/a@4', 'ADDED eu/a@5', 'DELETED us/a@6', 'DELETED eu/a@8'],
    },
  );
});

test('an object that leaves the selection of a watch is DELETED in its old state with the revision of the change', async (t) => {
  const { storage, cache } = setup(t);
  await putPod(storage, 'eu/a', { labels: { app: 'web' }, note: 'old' });
  const start = { kind: 'initial', freshness: latest } as const;
  const watch = new Recorder(cache, {
    path: '',
    start,
    matches: ({ labels }) => labels.app === 'web',
  });
  await watch.until(1);
  await putPod(storage, 'eu/a', { labels: { app: 'db' }, note: 'new' });
  assert.deepEqual(await watch.until(2), ['ADDED eu/a@2', 'DELETED eu/a@3']);
  const last = watch.events.at(-1) as CacheEvent & { type: 'DELETED' };
  assert.match(textOf(last.object), /"resourceVersion":"3".*"app":"web".*"note":"old"/);
});

test('watchers share events and frames', async (t) => {
  const { storage, cache } = setup(t);
  await putPod(storage, 'eu/a');
  const start = { kind: 'initial', freshness: latest } as const;
  const watches = [1, 2, 3].map(() => new Recorder(cache, { path: '', start }));
  for (const watch of watches) await watch.until(1);
  await putPod(storage, 'eu/a');
  await deletePod(storage, 'eu/a');
  for (const watch of watches) await watch.until(3);
  let made = 0;
  const framing = {
    make: (type: string) => {
      made += 1;
      return Buffer.from(type);
    },
  };
  for (const n of [0, 1, 2]) {
    const frames = watches.map(({ events }) => {
      const event = events[n] as CacheEvent & { type: 'ADDED' };
      return event.frame(framing);
    });
    assert.equal(new Set(frames).size, 1);
  }
  assert.equal(made, 3);
});

test('a watch older than the window is replayed from the store, with selectors', async (t) => {
  const { storage, cache } = setup(t, { limits: { historyEventsMin: 2, historyEventsMax: 2 } });
  const matches: ListRequest['matches'] = ({ labels }) => labels.app === 'web';
  await putPod(storage, 'eu/a', { labels: { app: 'web' } }); // 2
  await cache.ready({ signal: never });
  await putPod(storage, 'eu/a', { labels: { app: 'db' } }); // 3
  await putNode(storage, 'n1'); // 4
  await putPod(storage, 'eu/b', { labels: { app: 'web' } }); // 5
  for (let n = 0; n < 10; n += 1) await putPod(storage, `us/p${n}`); // 6 to 15
  await putPod(storage, 'eu/c', { labels: { app: 'web' } }); // 16
  await settled();
  const start = { kind: 'after', revision: 2 as Revision } as const;
  const watch = new Recorder(cache, { path: '', start, matches });
  await watch.until(3);
  await deletePod(storage, 'eu/b');
  assert.deepEqual(await watch.until(4), [
    'DELETED eu/a@3',
    'ADDED eu/b@5',
    'ADDED eu/c@16',
    'DELETED eu/b@17',
  ]);
  assert.match(textOf((watch.events[0] as CacheEvent & { type: 'DELETED' }).object), /"app":"web"/);
});

test('a watch older than the compacted revision fails with Compacted', async (t) => {
  const { storage, cache } = setup(t);
  for (let n = 0; n < 10; n += 1) await putPod(storage, `eu/p${n}`);
  await cache.ready({ signal: never });
  await putPod(storage, 'eu/x'); // 12
  await storage.compact(8 as Revision);
  const watchAfter = (revision: number) =>
    new Recorder(cache, { path: '', start: { kind: 'after', revision: revision as Revision } });
  assert.ok((await watchAfter(7).done) instanceof Compacted);
  assert.equal((await watchAfter(8).until(4)).at(-1), 'ADDED eu/x@12');
  await storage.compact(12 as Revision);
  assert.deepEqual(await watchAfter(11).until(1), ['ADDED eu/x@12'], 'the window remembers more');
});

test('a watcher that is overtaken while it catches up is ended as a slow watcher', async (t) => {
  const { storage, cache, ends } = setup(t, {
    limits: { historyEventsMin: 2, historyEventsMax: 2 },
  });
  for (let n = 0; n < 1200; n += 1) await putPod(storage, `eu/p${n}`);
  const start = { kind: 'initial', freshness: latest } as const;
  const stream = cache
    .watch({ path: '', start, bookmarks: false, signal: never })
    [Symbol.asyncIterator]();
  assert.equal((await stream.next()).value?.length, 500);
  for (let n = 0; n < 10; n += 1) await putPod(storage, 'eu/p0');
  // The cache receives them before the store compacts them: only the watcher is behind.
  await cache.get('eu/p0', latest, { signal: never });
  await storage.compact(await storage.currentRevision());
  await putPod(storage, 'eu/p0');
  await settled();
  assert.equal((await stream.next()).value?.length, 500);
  assert.equal((await stream.next()).value?.length, 200);
  assert.equal((await stream.next()).done, true);
  assert.deepEqual(ends, ['slow']);
});

test('a long replay is sent in order and in batches', async (t) => {
  const { storage, cache } = setup(t);
  await cache.ready({ signal: never });
  const start = await storage.currentRevision();
  for (let n = 0; n < 3000; n += 1) await putPod(storage, `eu/p${n % 50}`);
  const watch = new Recorder(cache, { path: '', start: { kind: 'after', revision: start } });
  await watch.until(3000);
  for (let n = 0; n < 100; n += 1) await putPod(storage, 'eu/p0');
  await watch.until(3100);
  const revisions = watch.events.map(
    (event) => (event as { object: { revision: number } }).object.revision,
  );
  assert.deepEqual(
    revisions,
    Array.from({ length: 3100 }, (_, n) => start + 1 + n),
  );
});

test('bookmarks are sent once a minute, also when only other resources change', async (t) => {
  const { storage, cache, clock } = setup(t);
  const start = { kind: 'now', freshness: latest } as const;
  const watch = new Recorder(cache, { path: 'eu/', start, bookmarks: true });
  const without = new Recorder(cache, { path: 'eu/', start });
  await cache.ready({ signal: never });
  await settled();
  clock.advance(59_000);
  await settled();
  assert.deepEqual(watch.seen, []);
  clock.advance(2000);
  assert.deepEqual(await watch.until(1), ['BOOKMARK @1']);
  await putNode(storage, 'n1');
  await putPod(storage, 'us/a');
  await settled();
  clock.advance(61_000);
  assert.deepEqual(await watch.until(2), ['BOOKMARK @1', 'BOOKMARK @3']);
  clock.advance(61_000);
  assert.deepEqual(await watch.until(3), ['BOOKMARK @1', 'BOOKMARK @3', 'BOOKMARK @3']);
  assert.deepEqual(without.seen, []);
});

test('a bookmark is sent about two seconds before the deadline', async (t) => {
  const { cache, clock } = setup(t);
  const start = { kind: 'now', freshness: latest } as const;
  const deadline = clock.nowMs() + 30_000;
  const watch = new Recorder(cache, { path: '', start, bookmarks: true, deadline });
  await cache.ready({ signal: never });
  await settled();
  clock.advance(27_000);
  await settled();
  assert.deepEqual(watch.seen, []);
  clock.advance(1500);
  assert.deepEqual(await watch.until(1), ['BOOKMARK @1']);
  clock.advance(1500);
  await settled();
  assert.equal(watch.seen.length, 1);
});

test('no bookmark is sent among the initial objects, however long they take', async (t) => {
  const { storage, cache, clock } = setup(t);
  for (let n = 0; n < 1200; n += 1) await putPod(storage, `eu/p${n}`);
  const start = { kind: 'initial', freshness: latest } as const;
  const watch = cache.watch({ path: '', start, bookmarks: true, signal: never });
  const types: string[] = [];
  for await (const batch of watch) {
    for (const event of batch) {
      types.push(event.type === 'BOOKMARK' && event.initialEventsEnd ? 'END' : event.type);
    }
    if (types.filter((type) => type === 'MODIFIED').length >= 5) break;
    if (!types.includes('END')) clock.advance(61_000);
    await putPod(storage, 'eu/p0');
    await settled();
  }
  const initial = Array.from({ length: 1200 }, () => 'ADDED');
  const changes = Array.from({ length: 5 }, () => 'MODIFIED');
  assert.deepEqual(types, [...initial, 'END', ...changes], 'nor after, about what was before');
});

test('a bookmark that does not fit is dropped, and the watch continues', async (t) => {
  const { storage, cache, clock, ends } = setup(t, { limits: { queueEventsMax: 3 } });
  await cache.ready({ signal: never });
  const start = { kind: 'now', freshness: any } as const;
  const stream = cache
    .watch({ path: '', start, bookmarks: true, signal: never })
    [Symbol.asyncIterator]();
  const first = stream.next();
  await settled();
  for (let n = 0; n < 4; n += 1) {
    await putPod(storage, `eu/p${n}`);
    await settled();
  }
  clock.advance(61_000);
  assert.equal((await first).value?.length, 1);
  const { value } = await stream.next();
  assert.deepEqual(
    value?.map(({ type }: CacheEvent) => type),
    ['ADDED', 'ADDED', 'ADDED'],
  );
  assert.deepEqual(ends, []);
});

test('a slow watcher is ended and others are not affected', async (t) => {
  const { storage, cache, ends, caches } = setup(t, { limits: { queueEventsMax: 10 } });
  await cache.ready({ signal: never });
  const start = { kind: 'now', freshness: any } as const;
  const quick = new Recorder(cache, { path: '', start });
  const slow = cache
    .watch({ path: '', start, bookmarks: false, signal: never })
    [Symbol.asyncIterator]();
  const first = slow.next();
  await settled();
  for (let n = 0; n < 30; n += 1) {
    await putPod(storage, `eu/p${n}`);
    await settled();
  }
  assert.equal((await first).done, false);
  assert.equal((await slow.next()).done, true, 'what it missed is not delivered in part');
  assert.equal((await slow.next()).done, true);
  assert.equal((await quick.until(30)).length, 30);
  assert.deepEqual(ends, ['slow']);
  assert.equal(caches.memory().watchers, 1);
});

test('the queue of a watcher is bounded in bytes too', async (t) => {
  const { storage, cache, ends } = setup(t, { limits: { queueBytesMax: 20_000 } });
  await cache.ready({ signal: never });
  const start = { kind: 'now', freshness: any } as const;
  const slow = cache
    .watch({ path: '', start, bookmarks: false, signal: never })
    [Symbol.asyncIterator]();
  void slow.next();
  await settled();
  for (let n = 0; n < 4; n += 1) await putPod(storage, 'eu/a', { note: 'x'.repeat(10_000) });
  await settled();
  assert.deepEqual(ends, ['slow']);
});

test('a burst does not end an active watcher', async (t) => {
  const { storage, cache } = setup(t, { limits: { queueEventsMax: 300 } });
  await cache.ready({ signal: never });
  const watch = new Recorder(cache, { path: '', start: { kind: 'now', freshness: any } });
  await settled();
  // The feed receives all of them in one batch.
  await Promise.all(Array.from({ length: 3000 }, (_, n) => putPod(storage, `eu/p${n}`)));
  assert.equal((await watch.until(3000)).length, 3000);
});

test('a selector that throws fails its own watch', async (t) => {
  const { storage, cache, ends } = setup(t);
  await cache.ready({ signal: never });
  const start = { kind: 'now', freshness: any } as const;
  const broken = new Recorder(cache, {
    path: '',
    start,
    matches: () => {
      throw new Error('broken selector');
    },
  });
  const watch = new Recorder(cache, { path: '', start });
  await settled();
  await putPod(storage, 'eu/a');
  assert.match(String(await broken.done), /broken selector/);
  assert.deepEqual(await watch.until(1), ['ADDED eu/a@2']);
  assert.deepEqual(ends, ['failed']);
});

test('a watch that its consumer leaves releases all resources', async (t) => {
  const { cache, caches, ends } = setup(t);
  await cache.ready({ signal: never });
  const start = { kind: 'now', freshness: any } as const;
  const stream = cache
    .watch({ path: '', start, bookmarks: false, signal: never })
    [Symbol.asyncIterator]();
  const pending = stream.next();
  await settled();
  assert.equal(caches.memory().watchers, 1);
  await stream.return?.();
  assert.equal((await pending).done, true);
  assert.equal(caches.memory().watchers, 0);
  const aborted = cache.watch({ path: '', start, bookmarks: false, signal: AbortSignal.abort() });
  for await (const _batch of aborted) assert.fail('a watch whose signal has fired has nothing');
  assert.deepEqual(ends, ['left', 'left']);
});

/** A store whose feed can be ended, and which can be unavailable. */
function flaky(inner: Storage) {
  let cut: ((error: Error) => void) | undefined;
  let outage: Error | undefined;
  const guard = <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) => {
    return async (...args: Args): Promise<Result> => {
      if (outage !== undefined) throw outage;
      return call(...args);
    };
  };
  const storage = replaced(inner, {
    get: guard(inner.get.bind(inner)),
    list: guard(inner.list.bind(inner)),
    currentRevision: guard(inner.currentRevision.bind(inner)),
    async *feed(after, { signal }) {
      const { promise, reject } = Promise.withResolvers<never>();
      promise.catch(() => undefined); // awaited below, unless the feed has ended before
      cut = reject;
      const stop = new AbortController();
      const batches = inner
        .feed(after, { signal: AbortSignal.any([signal, stop.signal]) })
        [Symbol.asyncIterator]();
      try {
        for (;;) {
          const next = await Promise.race([batches.next(), promise]);
          if (next.done) return;
          yield next.value;
        }
      } finally {
        stop.abort();
      }
    },
  });
  return {
    storage,
    cut: (error: Error) => cut?.(error),
    goDown: () => {
      outage = new StorageUnavailable('down');
      cut?.(outage);
    },
    comeBack: () => {
      outage = undefined;
    },
  };
}

for (const stateLost of [false, true]) {
  test(`when the feed fails, watches end and reads wait for it (state ${stateLost ? 'lost' : 'retained'})`, async (t) => {
    const inner = openMemoryStorage();
    const store = flaky(inner);
    const clock = manualClock();
    const failures: unknown[] = [];
    const caches = openWatchCaches(store.storage, {
      clock,
      metrics: { feedFailed: (error) => failures.push(error) },
    });
    t.after(() => caches.close());
    const cache = caches.cache(pods);
    await putPod(inner, 'eu/a');
    const start = { kind: 'initial', freshness: latest } as const;
    const watch = new Recorder(cache, { path: '', start, bookmarks: true });
    await watch.until(2);

    if (stateLost) store.cut(new Compacted(1 as Revision, 2 as Revision));
    store.goDown();
    assert.equal(await watch.done, 'ended');
    assert.equal(failures.length, 1);
    await putPod(inner, 'eu/b');
    const refused = (error: unknown) => assertStatus(error, 429, /^storage is \(re\)initializing$/);
    await assert.rejects(list(cache, { freshness: any }), refused);
    await assert.rejects(cache.ready({ signal: never }), refused);
    assertStatus(await new Recorder(cache, { path: '', start }).done, 429, /initializing/);
    await assert.rejects(cache.get('eu/a', any, { signal: never }), StorageUnavailable);
    clock.advance(50_000);
    await settled();
    await assert.rejects(list(cache), (error) => {
      assert.ok(error instanceof StatusError);
      assert.equal(error.status.details?.retryAfterSeconds, 20);
      return true;
    });

    store.comeBack();
    clock.advance(10_000);
    await settled();
    assert.deepEqual(paths(await list(cache)), ['eu/a', 'eu/b']);
    const again = new Recorder(cache, {
      path: '',
      start: { kind: 'after', revision: 2 as Revision },
    });
    await putPod(inner, 'eu/c');
    assert.deepEqual(await again.until(2), ['ADDED eu/b@3', 'ADDED eu/c@4']);
  });
}

test('a feed that contradicts itself makes the cache fill again', async (t) => {
  let fault = true;
  const { storage, cache, failures, clock } = setup(t, {
    wrap: (inner) =>
      replaced(inner, {
        async *feed(after, options) {
          for await (const batch of inner.feed(after, options)) {
            const dropped = fault && batch.events.some(({ key }) => key.endsWith('lost'));
            yield dropped ? { ...batch, events: [] } : batch;
          }
        },
      }),
  });
  await cache.ready({ signal: never });
  const watch = new Recorder(cache, { path: '', start: { kind: 'now', freshness: any } });
  await settled();
  await putPod(storage, 'eu/lost');
  await settled();
  assert.deepEqual(paths(await list(cache)), [], 'nothing shows that a change was lost');
  fault = false;
  await putPod(storage, 'eu/lost');
  assert.equal(await watch.done, 'ended');
  assert.match(String(failures[0]), /FeedInconsistent/);
  await settled();
  clock.advance(100);
  await settled();
  assert.deepEqual(paths(await list(cache)), ['eu/lost']);
});

test('another definition of a resource replaces the first', async (t) => {
  const { storage, cache, caches } = setup(t);
  await putPod(storage, 'eu/a');
  const watch = new Recorder(cache, { path: '', start: { kind: 'initial', freshness: latest } });
  await watch.until(1);
  for (const item of (await list(cache)).items) item.object();
  assert.ok(caches.memory().derivedBytes > 0);
  assert.equal(caches.cache(pods), cache);
  const other = caches.cache({ ...pods, indexed: [] });
  assert.notEqual(other, cache);
  assert.equal(caches.memory().derivedBytes, 0);
  assert.equal(await watch.done, 'ended');
  // Earlier readers are served from the store, and a watch that was about to start ends as if it had started.
  assert.deepEqual(paths(await list(cache)), ['eu/a']);
  const late = new Recorder(cache, { path: '', start: { kind: 'now', freshness: latest } });
  assert.equal(await late.done, 'ended');
  assert.deepEqual(paths(await list(other)), ['eu/a']);
  assert.throws(() => caches.cache({ ...pods, prefix: '/registry/' }), /overlap/);
});

test('closing the caches ends every watch, and closing twice is harmless', async (t) => {
  const { cache, caches } = setup(t);
  const watch = new Recorder(cache, { path: '', start: { kind: 'now', freshness: latest } });
  await cache.ready({ signal: never });
  await settled();
  await caches.close();
  await caches.close();
  assert.equal(await watch.done, 'ended');
});

test('derived values are shared, counted, and evicted first', async (t) => {
  const { storage, cache, caches, clock } = setup(t, { limits: { derivedBytesMax: 100_000 } });
  let made = 0;
  const row = {
    make: () => {
      made += 1;
      return { cells: [made] };
    },
    bytes: () => 10_000,
  };
  for (let n = 0; n < 20; n += 1) await putPod(storage, `eu/p${String(n).padStart(2, '0')}`);
  await cache.ready({ signal: never });
  const { items } = await list(cache);
  for (const item of items.slice(0, 5)) assert.equal(item.derived(row), item.derived(row));
  assert.equal(made, 5);
  const bytes = caches.memory().derivedBytes;
  assert.ok(bytes >= 50_000 && bytes < 60_000, String(bytes));
  for (const item of items) item.derived(row);
  assert.ok(caches.memory().derivedBytes <= 100_000);
  assert.equal(made, 20);
  items[19]?.derived(row);
  assert.equal(made, 20, 'the youngest are kept');
  items[0]?.derived(row);
  assert.equal(made, 21, 'the oldest are made again');

  for (const item of items) await deletePod(storage, pathOf(item));
  await settled();
  for (let n = 0; n < 400; n += 1) await putPod(storage, 'eu/other');
  await settled();
  clock.advance(80_000);
  await settled();
  assert.equal(
    caches.memory().derivedBytes,
    0,
    'what left the cache and its history is not counted',
  );
});

test('idle resources make room, are served from the store, and return', async (t) => {
  const { storage, cache, caches, clock } = setup(t, {
    limits: { bytesMax: 100_000, historyEventsMin: 10 },
  });
  const nodeCache = caches.cache(nodes);
  for (let n = 0; n < 30; n += 1) await putPod(storage, `eu/p${n}`);
  for (let n = 0; n < 30; n += 1) await putNode(storage, `n${n}`);
  await cache.ready({ signal: never });
  clock.advance(1000);
  await nodeCache.ready({ signal: never });
  const ready = () => caches.memory().resources.map(({ ready: is }) => is);
  assert.deepEqual(ready(), [true, true]);

  const watch = new Recorder(nodeCache, { path: '', start: { kind: 'now', freshness: any } });
  await settled();
  for (let n = 30; n < 90; n += 1) await putNode(storage, `n${n}`);
  await settled();
  clock.advance(1000);
  assert.deepEqual(ready(), [false, true], 'the coldest goes');
  assert.equal((await list(cache)).items.length, 30);
  assert.equal((await list(cache, { freshness: any, matches: () => true })).items.length, 30);
  assert.ok(await cache.get('eu/p1', latest, { signal: never }));
  assert.deepEqual(ready(), [false, true]);
  await assert.rejects(cache.ready({ signal: never }), (error) =>
    assertStatus(error, 429, /no memory left/),
  );
  assert.equal((await watch.until(60)).length, 60, 'the watch of the other goes on');

  for (let n = 0; n < 90; n += 1)
    await storage.commit({
      require: [],
      writes: [{ kind: 'delete', key: `${nodes.prefix}n${n}` }],
    });
  await settled();
  clock.advance(400_000);
  await settled();
  await cache.ready({ signal: never });
  assert.deepEqual(ready(), [true, true]);
});

test('a resource larger than the bound is never cached', async (t) => {
  const { storage, cache, caches } = setup(t, { limits: { bytesMax: 20_000, pageObjectsMax: 10 } });
  for (let n = 0; n < 100; n += 1) await putPod(storage, `eu/p${n}`);
  await assert.rejects(cache.ready({ signal: never }), (error) =>
    assertStatus(error, 429, /no memory left/),
  );
  assert.equal(caches.memory().objects, 0);
  assert.equal((await list(cache, { limit: 10 })).items.length, 10);
  await assert.rejects(list(cache), (error) => assertStatus(error, 429, /no memory left/));
});

test('the number of watches is bounded', async (t) => {
  const { cache, caches } = setup(t, { limits: { watchersMax: 2 } });
  await cache.ready({ signal: never });
  const start = { kind: 'now', freshness: any } as const;
  const [first] = [1, 2].map(() => new Recorder(cache, { path: '', start }));
  await settled();
  await assert.rejects(cache.ready({ signal: never }), (error) =>
    assertStatus(error, 429, /too many watches/),
  );
  assertStatus(await new Recorder(cache, { path: '', start }).done, 429, /too many watches/);
  assert.deepEqual(paths(await list(caches.cache(nodes))), [], 'a list is no watch');
  first?.stop();
  assert.equal(await first?.done, 'ended');
  await cache.ready({ signal: never });
});

test('memory() returns the cached bytes', async (t) => {
  const { storage, cache, caches } = setup(t);
  await putPod(storage, 'eu/a', { note: 'x'.repeat(1000) });
  await cache.ready({ signal: never });
  const before = caches.memory();
  assert.equal(before.objects, 1);
  assert.ok(before.objectBytes > 1000 && before.objectBytes < 3000);
  assert.equal(before.historyBytes, 0);
  await putPod(storage, 'eu/a', { note: 'x'.repeat(1000) });
  await settled();
  const after = caches.memory();
  assert.equal(after.objectBytes, before.objectBytes);
  assert.ok(after.historyBytes > 1000);
});
