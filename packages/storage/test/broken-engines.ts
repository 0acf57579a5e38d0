import { setImmediate as turn } from 'node:timers/promises';
import {
  ABSENT,
  type Change,
  type ChangeEvent,
  type CommitResult,
  Compacted,
  compareKeys,
  type FeedBatch,
  type FeedOptions,
  type ListOptions,
  openMemoryStorage,
  type Page,
  type Revision,
  type Storage,
  type Stored,
} from '@tributary/storage';

/** An engine broken on purpose, and the tests of the contract that must fail. */
export interface BrokenEngine {
  readonly fault: string;
  readonly noticedBy: readonly string[];
  readonly open: () => Storage;
}

type Methods = { -readonly [Name in keyof Storage]?: Storage[Name] };

/** The memory engine with some methods replaced. */
export function broken(replace: (inner: Storage) => Methods): () => Storage {
  return () => {
    const inner = openMemoryStorage();
    const methods = replace(inner);
    return new Proxy(inner, {
      get(target, name: keyof Storage) {
        return methods[name] ?? target[name]?.bind(target);
      },
    });
  };
}

type Feed = (after: Revision, options: FeedOptions) => AsyncIterable<FeedBatch>;

/** Changes the batches of a feed. */
function feedWith(
  inner: Storage,
  change: (batch: FeedBatch) => readonly FeedBatch[] | Promise<readonly FeedBatch[]>,
): Feed {
  return async function* (after, options) {
    for await (const batch of inner.feed(after, options)) yield* await change(batch);
  };
}

/** Changes the events of a feed over the whole life of the store. */
function eventsWith(
  change: (event: ChangeEvent, at: number) => readonly ChangeEvent[],
): () => Storage {
  return broken((inner) => {
    return {
      feed: (after, options) => {
        let at = 0;
        return feedWith(inner, ({ events, progress }) => {
          const changed = events.flatMap((event) => change(event, at++));
          return [{ events: changed, progress }];
        })(after, options);
      },
    };
  });
}

function listWith(
  change: (
    page: Page,
    prefix: string,
    options: ListOptions,
    inner: Storage,
  ) => Page | Promise<Page>,
): () => Storage {
  return broken((inner) => ({
    list: async (prefix, options = {}) =>
      change(await inner.list(prefix, options), prefix, options, inner),
  }));
}

function commitWith(
  commit: (change: Change, inner: Storage) => Promise<CommitResult>,
): () => Storage {
  return broken((inner) => ({ commit: (change) => commit(change, inner) }));
}

const deletes = (change: Change) => change.writes.filter(({ kind }) => kind === 'delete');
const writesKey = ({ writes }: Change, key: string) => writes.some((write) => write.key === key);

const reads: readonly BrokenEngine[] = [
  {
    fault: 'returns the first value of a key',
    noticedBy: ['get returns the last value and the revision that wrote it'],
    open: broken((inner) => {
      const first = new Map<string, Stored>();
      return {
        get: async (key) => {
          const stored = first.get(key) ?? (await inner.get(key));
          if (stored !== undefined) first.set(key, stored);
          return stored;
        },
      };
    }),
  },
  {
    fault: 'cuts values at their first zero byte',
    noticedBy: ['values are read as they were written'],
    open: broken((inner) => ({
      get: async (key) => {
        const stored = await inner.get(key);
        const end = stored?.value.indexOf(0) ?? -1;
        return stored && end >= 0 ? { ...stored, value: stored.value.subarray(0, end) } : stored;
      },
    })),
  },
  {
    fault: 'begins at revision 0',
    noticedBy: ['an empty store has a revision above 0 and nothing in it'],
    open: broken((inner) => ({
      currentRevision: async () => ((await inner.currentRevision()) - 1) as Revision,
    })),
  },
  {
    fault: 'sorts by UTF-16 units',
    noticedBy: ['list is in bytewise order of the keys'],
    open: listWith((page) => ({
      ...page,
      items: page.items.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    })),
  },
  {
    fault: 'leaks the siblings of a prefix',
    noticedBy: ['list and count take exactly the keys that begin with the prefix'],
    open: listWith(async (_page, prefix, options, inner) => {
      return inner.list(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix, options);
    }),
  },
  {
    fault: 'counts the siblings of a prefix',
    noticedBy: ['list and count take exactly the keys that begin with the prefix'],
    open: broken((inner) => ({ count: (prefix) => inner.count(prefix.replace(/\/$/, '')) })),
  },
  {
    fault: 'repeats the last key of a page on the next',
    noticedBy: [
      'pages of every size join to the whole list',
      'after is exclusive and may stand outside the prefix',
    ],
    open: listWith(async (page, prefix, { after }, inner) => {
      const repeated = after === undefined ? undefined : await inner.get(after);
      const leaks = repeated?.key.startsWith(prefix) ? [repeated] : [];
      return { ...page, items: [...leaks, ...page.items] };
    }),
  },
  {
    fault: 'counts the page itself as remaining',
    noticedBy: ['remaining counts the keys behind the page'],
    open: listWith((page, _prefix, { limit }) => ({
      ...page,
      remaining: limit === undefined ? 0 : page.remaining + page.items.length,
    })),
  },
  {
    fault: 'lists the current values for an earlier revision',
    noticedBy: [
      'a list is true at the revision it names',
      'reads at every retained revision return the values of that revision',
      'paged lists stay at their revision while others write',
    ],
    open: listWith(async (page, prefix, { revision: _, ...options }, inner) => {
      return { ...(await inner.list(prefix, options)), revision: page.revision };
    }),
  },
];

const commits: readonly BrokenEngine[] = [
  {
    fault: 'returns the revision before a commit',
    noticedBy: ['revisions grow with every commit'],
    open: commitWith(async (change, inner) => {
      const result = await inner.commit(change);
      if (result.outcome === 'conflict') return result;
      return { outcome: 'written', revision: (result.revision - 1) as Revision };
    }),
  },
  {
    fault: 'makes a commit of every write',
    noticedBy: [
      'the writes of a commit share its revision',
      'a commit that fails writes nothing at all',
    ],
    open: commitWith(async ({ require, writes }, inner) => {
      let result = await inner.commit({ require, writes: writes.slice(0, 1) });
      for (const write of writes.slice(1)) {
        if (result.outcome === 'written')
          result = await inner.commit({ require: [], writes: [write] });
      }
      return result;
    }),
  },
  {
    fault: 'creates over what exists',
    noticedBy: ['ABSENT requires that a key does not exist'],
    open: commitWith(({ require, writes }, inner) =>
      inner.commit({ require: require.filter(({ revision }) => revision !== ABSENT), writes }),
    ),
  },
  {
    fault: 'requires only that a key exists',
    noticedBy: ['a requirement holds for exactly one revision'],
    open: commitWith(async ({ require, writes }, inner) => {
      const loose = require.map(async ({ key, revision }) => {
        const found = await inner.get(key);
        return { key, revision: revision === ABSENT ? revision : (found?.revision ?? revision) };
      });
      return inner.commit({ require: await Promise.all(loose), writes });
    }),
  },
  {
    fault: 'lets requirements of other keys pass',
    noticedBy: [
      'requirements may name keys that are not written',
      'nothing is created under a key whose required revision moved',
    ],
    open: commitWith((change, inner) =>
      inner.commit({
        ...change,
        require: change.require.filter(({ key }) => writesKey(change, key)),
      }),
    ),
  },
  {
    fault: 'looks at requirements of other keys before the commit, not in it',
    noticedBy: ['nothing is created under a key whose required revision moved'],
    open: commitWith(async (change, inner) => {
      for (const { key, revision } of change.require) {
        const current = await inner.get(key);
        if ((current?.revision ?? ABSENT) !== revision)
          return { outcome: 'conflict', key, current };
      }
      if (change.require.some(({ key }) => !writesKey(change, key))) await turn();
      const own = change.require.filter(({ key }) => writesKey(change, key));
      return inner.commit({ ...change, require: own });
    }),
  },
  {
    fault: 'reports the last conflict',
    noticedBy: ['a conflict names the first requirement that does not hold'],
    open: commitWith(({ require, writes }, inner) =>
      inner.commit({ require: require.toReversed(), writes }),
    ),
  },
  {
    fault: 'deletes what does not exist',
    noticedBy: ['deleting a missing key is a conflict'],
    open: commitWith(async (change, inner) => {
      const result = await inner.commit(change);
      if (result.outcome === 'conflict' && deletes(change).length === change.writes.length) {
        return { outcome: 'written', revision: await inner.currentRevision() };
      }
      return result;
    }),
  },
  {
    fault: 'never replaces without a requirement',
    noticedBy: ['a put without requirements replaces any value'],
    open: commitWith(({ require, writes }, inner) => {
      const implied = require.length > 0 ? [] : writes.filter(({ kind }) => kind === 'put');
      const absent = implied.map(({ key }) => ({ key, revision: ABSENT }));
      return inner.commit({ require: [...require, ...absent], writes });
    }),
  },
  {
    fault: 'skips a write that changes nothing',
    noticedBy: ['the same bytes again are a commit like others'],
    open: commitWith(async (change, inner) => {
      const [write] = change.writes;
      const current = write && (await inner.get(write.key));
      if (write?.kind === 'put' && current && Buffer.compare(write.value, current.value) === 0) {
        return { outcome: 'written', revision: current.revision };
      }
      return inner.commit(change);
    }),
  },
  {
    fault: 'takes the last of two writes of one key',
    noticedBy: ['an invalid change rejects with a TypeError'],
    open: commitWith(({ require, writes }, inner) => {
      const last = new Map(writes.map((write) => [write.key, write]));
      return inner.commit({ require, writes: [...last.values()] });
    }),
  },
];

const races: readonly BrokenEngine[] = [
  {
    fault: 'acknowledges a compare-and-set that was lost',
    noticedBy: ['compare-and-set is linearizable under 32 writers'],
    open: broken((inner) => {
      let conflicts = 0;
      return {
        commit: async (change) => {
          const result = await inner.commit(change);
          if (result.outcome === 'written' || ++conflicts % 50 !== 0) return result;
          return { outcome: 'written', revision: await inner.currentRevision() };
        },
      };
    }),
  },
  {
    fault: 'compares first and sets later',
    noticedBy: [
      'compare-and-set is linearizable under 32 writers',
      'one of many creators wins, the others see the winner',
    ],
    open: commitWith(async ({ require, writes }, inner) => {
      for (const { key, revision } of require) {
        const current = await inner.get(key);
        if ((current?.revision ?? ABSENT) !== revision)
          return { outcome: 'conflict', key, current };
      }
      await turn();
      return inner.commit({ require: [], writes });
    }),
  },
  {
    fault: 'reads behind the commits',
    noticedBy: ['reads see every commit acknowledged before them'],
    open: broken((inner) => {
      const lagging = new Map<string, Stored | undefined>();
      return {
        get: async (key) => {
          const result = lagging.get(key) ?? (await inner.get(key));
          lagging.set(key, await inner.get(key));
          return result;
        },
      };
    }),
  },
  {
    fault: 'thinks that it knows the revision',
    noticedBy: ['currentRevision is fresh for each of many callers'],
    open: broken((inner) => ({
      acknowledgedRevision: () => ((inner.acknowledgedRevision?.() ?? 1) - 1) as Revision,
    })),
  },
  {
    fault: 'shares a result that is older than the call',
    noticedBy: ['currentRevision is fresh for each of many callers'],
    open: broken((inner) => {
      let shared: Promise<Revision> | undefined;
      return {
        currentRevision: () => {
          shared ??= inner.currentRevision().finally(() => {
            setTimeout(() => {
              shared = undefined;
            }, 2);
          });
          return shared;
        },
      };
    }),
  },
  {
    fault: 'lists in two halves at two revisions',
    noticedBy: ['lists under concurrent writes are of one revision'],
    open: listWith(async (page, prefix, options, inner) => {
      if (options.revision !== undefined) return page;
      await turn();
      const later = await inner.list(prefix, options);
      const half = page.items.length >> 1;
      return { ...page, items: [...page.items.slice(0, half), ...later.items.slice(half)] };
    }),
  },
];

const feeds: readonly BrokenEngine[] = [
  {
    fault: 'drops one event',
    noticedBy: [
      'a feed from every retained revision has each change once, in order',
      'a live feed has the commits of concurrent writers',
      'a slow consumer blocks no writer and misses no change without an error',
    ],
    open: eventsWith((event, at) => (at === 17 ? [] : [event])),
  },
  {
    fault: 'repeats one event',
    noticedBy: ['a feed from every retained revision has each change once, in order'],
    open: eventsWith((event, at) => (at === 17 ? [event, event] : [event])),
  },
  {
    fault: 'swaps two events',
    noticedBy: ['a feed from every retained revision has each change once, in order'],
    open: broken((inner) => ({
      feed: feedWith(inner, ({ events, progress }) => {
        const [first, second, ...rest] = events;
        return [{ events: first && second ? [second, first, ...rest] : events, progress }];
      }),
    })),
  },
  {
    fault: 'tells the writes of a commit in the order of their keys',
    noticedBy: ['the writes of a commit share its revision'],
    open: broken((inner) => ({
      feed: feedWith(inner, ({ events, progress }) => {
        const sorted = events.toSorted(
          (a, b) => a.revision - b.revision || compareKeys(a.key, b.key),
        );
        return [{ events: sorted, progress }];
      }),
    })),
  },
  {
    fault: 'forgets what an update replaced',
    noticedBy: ['a feed has the value that each change replaced'],
    open: eventsWith((event) => [event.kind === 'put' ? { ...event, previous: undefined } : event]),
  },
  {
    fault: 'tells the previous value with the wrong revision',
    noticedBy: ['a feed has the value that each change replaced'],
    open: eventsWith((event) => {
      if (event.previous === undefined) return [event];
      const previous = { ...event.previous, revision: (event.previous.revision - 1) as Revision };
      return [{ ...event, previous }];
    }),
  },
  {
    fault: 'says nothing when there is nothing to say',
    noticedBy: ['progress reaches currentRevision without traffic'],
    open: broken((inner) => ({
      feed: feedWith(inner, (batch) => (batch.events.length === 0 ? [] : [batch])),
    })),
  },
  {
    fault: 'begins a future feed at once',
    noticedBy: ['a feed after a future revision is silent until it is passed'],
    open: broken((inner) => ({
      async *feed(after, options) {
        const current = await inner.currentRevision();
        yield* inner.feed(Math.min(after, current) as Revision, options);
      },
    })),
  },
  {
    fault: 'fails a feed whose signal fires',
    noticedBy: ['a signal ends a sleeping feed without an error'],
    open: broken((inner) => ({
      async *feed(after, options) {
        yield* inner.feed(after, options);
        options.signal.throwIfAborted();
      },
    })),
  },
  {
    fault: 'ignores the signal while it sleeps',
    noticedBy: ['a signal ends a sleeping feed without an error'],
    open: broken((inner) => ({
      feed: (after) => inner.feed(after, { signal: new AbortController().signal }),
    })),
  },
  {
    fault: 'ends all feeds when one consumer leaves',
    noticedBy: ['a consumer that leaves ends its feed and no other'],
    open: broken((inner) => {
      const all = new AbortController();
      return {
        async *feed(after, { signal }) {
          try {
            yield* inner.feed(after, { signal: AbortSignal.any([signal, all.signal]) });
          } finally {
            all.abort();
          }
        },
      };
    }),
  },
  {
    fault: 'makes writers wait for consumers',
    noticedBy: ['a slow consumer blocks no writer and misses no change without an error'],
    open: broken((inner) => {
      let read = Promise.resolve();
      return {
        async *feed(after, options) {
          for await (const batch of inner.feed(after, options)) {
            const gate = Promise.withResolvers<void>();
            read = gate.promise;
            yield batch;
            gate.resolve();
          }
        },
        commit: async (change) => {
          await read;
          return inner.commit(change);
        },
      };
    }),
  },
  {
    fault: 'drops what a slow consumer has not read',
    noticedBy: ['a slow consumer blocks no writer and misses no change without an error'],
    open: broken((inner) => ({
      feed: feedWith(inner, ({ events, progress }) => [{ events: events.slice(-100), progress }]),
    })),
  },
  {
    fault: 'splits commits over batches',
    noticedBy: ['a commit is not split over two batches'],
    open: broken((inner) => ({
      feed: feedWith(inner, ({ events, progress }) => {
        const cut = events.length >> 1;
        const before = ((events[cut]?.revision ?? 1) - 1) as Revision;
        return [
          { events: events.slice(0, cut), progress: before },
          { events: events.slice(cut), progress },
        ];
      }),
    })),
  },
  {
    fault: 'ends every feed at a compaction',
    noticedBy: ['compaction behind a feed does not disturb it'],
    open: broken((inner) => {
      let compacted = ABSENT;
      return {
        feed: feedWith(inner, (batch) => {
          if (compacted > 0) throw new Compacted(compacted, compacted);
          return [batch];
        }),
        compact: (revision) => {
          compacted = revision;
          return inner.compact(revision);
        },
      };
    }),
  },
];

const history: readonly BrokenEngine[] = [
  {
    fault: 'returns the current values for a future revision',
    noticedBy: ['a future revision cannot be read'],
    open: broken((inner) => ({
      list: async (prefix, options = {}) => {
        const current = await inner.currentRevision();
        const revision = options.revision ?? current;
        return inner.list(prefix, {
          ...options,
          revision: Math.min(revision, current) as Revision,
        });
      },
    })),
  },
  {
    fault: 'never forgets',
    noticedBy: ['compaction removes older revisions and nothing else'],
    open: broken((inner) => ({ compact: async () => void (await inner.currentRevision()) })),
  },
  {
    fault: 'forgets one revision too many',
    noticedBy: ['compaction removes older revisions and nothing else'],
    open: broken((inner) => ({
      compact: async (revision) => {
        const current = await inner.currentRevision();
        await inner.compact(revision < current ? ((revision + 1) as Revision) : revision);
      },
    })),
  },
  {
    fault: 'fails to compact what is compacted',
    noticedBy: ['compaction to an earlier revision changes nothing'],
    open: broken((inner) => ({
      compact: async (revision) => {
        const { compacted } = await inner.stats();
        if (revision < compacted) throw new Compacted(revision, compacted);
        await inner.compact(revision);
      },
    })),
  },
  {
    fault: 'compacts present values away',
    noticedBy: ['compaction loses no present value'],
    open: broken((inner) => {
      let compacted = ABSENT;
      return {
        compact: async (revision) => {
          compacted = revision;
          await inner.compact(revision);
        },
        get: async (key) => {
          const stored = await inner.get(key);
          return stored && stored.revision < compacted ? undefined : stored;
        },
      };
    }),
  },
  {
    fault: 'jumps over what was compacted',
    noticedBy: ['a feed that compaction overtakes throws Compacted'],
    open: broken((inner) => ({
      async *feed(after, options) {
        for (let from = after; ; ) {
          try {
            for await (const batch of inner.feed(from, options)) {
              from = batch.progress;
              yield batch;
            }
            return;
          } catch (error) {
            if (!(error instanceof Compacted)) throw error;
            from = error.oldest;
            yield { events: [], progress: from };
          }
        }
      },
    })),
  },
];

function ttlWith(change: (seconds: number) => number | undefined): () => Storage {
  return commitWith(({ require, writes }, inner) => {
    const changed = writes.map((write) => {
      if (write.kind === 'delete' || write.ttlSeconds === undefined) return write;
      const { ttlSeconds, ...rest } = write;
      const seconds = change(ttlSeconds);
      return seconds === undefined ? rest : { ...rest, ttlSeconds: seconds };
    });
    return inner.commit({ require, writes: changed });
  });
}

const expiry: readonly BrokenEngine[] = [
  {
    fault: 'ends keys early',
    noticedBy: ['a key lives as long as its ttl, then the feed has an ordinary delete'],
    open: ttlWith((seconds) => seconds * 0.9),
  },
  {
    fault: 'never ends a key',
    noticedBy: [
      'a key lives as long as its ttl, then the feed has an ordinary delete',
      'many keys expire, each as a change of its own',
    ],
    open: ttlWith(() => undefined),
  },
  {
    fault: 'ends a key by the first ttl it had',
    noticedBy: ['a later write replaces the ttl of a key'],
    open: broken((inner) => ({
      commit: async (change) => {
        for (const write of change.writes) {
          if (write.kind !== 'put' || write.ttlSeconds === undefined) continue;
          const { key } = write;
          const end = () => inner.commit({ require: [], writes: [{ kind: 'delete', key }] });
          // The store may be closed by then, after the test.
          setTimeout(() => end().catch(() => undefined), write.ttlSeconds * 1000).unref();
        }
        return inner.commit(change);
      },
    })),
  },
];

const lifecycle: readonly BrokenEngine[] = [
  {
    fault: 'does not look at signals',
    noticedBy: ['a fired signal rejects every read with its reason'],
    open: broken((inner) => ({ count: (prefix) => inner.count(prefix) })),
  },
  {
    fault: 'counts the bytes of replaced values',
    noticedBy: ['stats count keys, bytes and revisions'],
    open: broken((inner) => {
      let valueBytes = 0;
      return {
        commit: (change) => {
          for (const write of change.writes) {
            if (write.kind === 'put') valueBytes += write.value.byteLength;
          }
          return inner.commit(change);
        },
        stats: async () => ({ ...(await inner.stats()), valueBytes }),
      };
    }),
  },
  {
    fault: 'closes over commits under way',
    noticedBy: ['closing waits for commits under way'],
    open: commitWith(async (change, inner) => {
      await turn();
      return inner.commit(change);
    }),
  },
  {
    fault: 'serves reads after it is closed',
    noticedBy: ['a closed store rejects everything, closing it again is harmless'],
    open: broken(() => ({ get: async () => undefined })),
  },
  {
    fault: 'does not bear to be closed twice',
    noticedBy: ['a closed store rejects everything, closing it again is harmless'],
    open: broken((inner) => {
      let closed = false;
      return {
        close: async () => {
          if (closed) throw new Error('closed already');
          closed = true;
          await inner.close();
        },
      };
    }),
  },
  {
    fault: 'ends feeds at closing as if there were nothing more',
    noticedBy: ['closing ends feeds with StorageClosed'],
    open: broken((inner) => ({
      async *feed(after, options) {
        try {
          yield* inner.feed(after, options);
        } catch (error) {
          if (error instanceof Compacted) throw error;
        }
      },
    })),
  },
  {
    fault: 'lists no more than 500 objects',
    noticedBy: ['100,000 objects are listed, paged, counted, read and in a feed'],
    open: listWith((page) => ({ ...page, items: page.items.slice(0, 500) })),
  },
];

export const brokenEngines: readonly BrokenEngine[] = [
  ...reads,
  ...commits,
  ...races,
  ...feeds,
  ...history,
  ...expiry,
  ...lifecycle,
];
