/**
 * Stores with one fault each, as wrappers of a good one. The faults of the feed agree with
 * themselves: the server refuses a feed in which a change replaces what it has not seen, so a lie
 * that clients can see must be told well.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Change,
  type ChangeEvent,
  type CommitResult,
  type FeedBatch,
  findConflict,
  type Page,
  type Revision,
  type Storage,
  type Stored,
} from '@tributary/storage';
import { turns } from '../harness/index.ts';
import type { Rule } from './checker.ts';

export interface Mutant {
  readonly name: string;
  /** The rules that detect it; with none, no rule may object. */
  readonly rules: readonly Rule[];
  /** Whether it takes a kill to show. */
  readonly kills: number;
  open(inner: Storage, dataDir: string): Storage | Promise<Storage>;
}

/** A fault happens once in so many times. */
const RARELY = 40;

export const mutants: readonly Mutant[] = [
  {
    name: 'none',
    rules: [],
    kills: 2,
    open: (inner) => delegate(inner, {}),
  },
  {
    name: 'acknowledges before it commits',
    rules: ['lost', 'overwrote', 'revision-back', 'revision-reused', 'stale'],
    kills: 3,
    open: acknowledgeEarly,
  },
  {
    name: 'drops an event',
    rules: ['watch-missed'],
    kills: 0,
    open: (inner) =>
      withEvents(
        inner,
        once((event) => (event.kind === 'put' ? [] : undefined)),
      ),
  },
  {
    name: 'repeats an event',
    rules: ['watch-repeated'],
    kills: 0,
    open: (inner) =>
      withEvents(
        inner,
        once((event) => [event, event]),
      ),
  },
  {
    name: 'swaps two events',
    rules: ['watch-wrong'],
    kills: 0,
    open: swapEvents,
  },
  {
    name: 'lets a lost compare-and-set succeed',
    rules: ['overwrote'],
    kills: 0,
    open: (inner) => delegate(inner, { commit: (change) => commitAnyway(inner, change) }),
  },
  {
    name: 'counts revisions from below after a restart',
    rules: ['revision-back', 'revision-reused', 'stale'],
    kills: 1,
    open: (inner, dataDir) => shiftRevisions(inner, startNumber(dataDir) * 10 - 1000),
  },
  {
    name: 'says conflict and writes',
    rules: ['unexplained'],
    kills: 0,
    open: (inner) => delegate(inner, { commit: sayConflict(inner) }),
  },
  {
    name: 'writes twice',
    rules: ['applied-twice'],
    kills: 0,
    open: (inner) => delegate(inner, { commit: writeTwice(inner) }),
  },
  {
    name: 'reads what was true a moment ago',
    rules: ['stale'],
    kills: 0,
    open: readBehind,
  },
];

/** A store that differs from another in a few methods. */
export function delegate(inner: Storage, changed: Partial<Storage>): Storage {
  return {
    get: (...args) => inner.get(...args),
    list: (...args) => inner.list(...args),
    count: (...args) => inner.count(...args),
    commit: (...args) => inner.commit(...args),
    feed: (...args) => inner.feed(...args),
    currentRevision: (...args) => inner.currentRevision(...args),
    compact: (...args) => inner.compact(...args),
    stats: (...args) => inner.stats(...args),
    close: () => inner.close(),
    [Symbol.asyncDispose]: () => inner.close(),
    ...changed,
  };
}

/** Turns of the server's event loop, under load. */
const WRITE_BEHIND_TURNS = 300;

/**
 * Evaluates a change against the stored and the pending state, resolves at once, and commits a little later.
 * Undetectable until the process is killed in between.
 */
async function acknowledgeEarly(inner: Storage): Promise<Storage> {
  let revision = await inner.currentRevision();
  const waiting: Change[] = [];
  const overlay = new Map<string, Stored | undefined>();
  let turn: Promise<unknown> = Promise.resolve();
  let writing: Promise<void> | undefined;

  const get = async (key: string): Promise<Stored | undefined> =>
    overlay.has(key) ? overlay.get(key) : inner.get(key);
  const writeBehind = async (): Promise<void> => {
    await turns(WRITE_BEHIND_TURNS);
    for (let change = waiting.shift(); change; change = waiting.shift()) {
      await inner.commit({ require: [], writes: change.writes });
    }
    writing = undefined;
  };
  const evaluate = async (change: Change): Promise<CommitResult> => {
    const found = new Map<string, Stored | undefined>();
    const keys = [...change.require, ...change.writes].map(({ key }) => key);
    for (const key of keys) found.set(key, await get(key));
    const conflict = findConflict(change, (key) => found.get(key));
    if (conflict !== undefined) return conflict;
    revision = (revision + 1) as Revision;
    for (const write of change.writes) {
      const { key } = write;
      overlay.set(key, write.kind === 'put' ? { key, value: write.value, revision } : undefined);
    }
    waiting.push(change);
    writing ??= writeBehind();
    return { outcome: 'written', revision };
  };
  return delegate(inner, {
    get,
    commit: (change) => {
      const result = turn.then(() => evaluate(change));
      turn = result.catch(() => undefined);
      return result;
    },
    currentRevision: async () => revision,
    list: async (prefix, options) => {
      while (writing !== undefined) await writing;
      return inner.list(prefix, options);
    },
  });
}

type ChangeEvents = (event: ChangeEvent) => readonly ChangeEvent[];

/** Does it to one event in many, for every consumer alike. */
function once(change: (event: ChangeEvent) => readonly ChangeEvent[] | undefined): ChangeEvents {
  return (event) => (event.revision % RARELY === 0 ? change(event) : undefined) ?? [event];
}

function withEvents(inner: Storage, change: ChangeEvents): Storage {
  return withBatches(inner, (events) => events.flatMap(change));
}

function withBatches(
  inner: Storage,
  change: (events: readonly ChangeEvent[]) => ChangeEvent[],
): Storage {
  return delegate(inner, {
    async *feed(after, options) {
      const reported = new Map<string, Stored | undefined>();
      for await (const { events, progress } of inner.feed(after, options)) {
        yield { events: change(events).flatMap((event) => agreeing(event, reported)), progress };
      }
    },
  });
}

/** Makes an event replace what its consumer was told before, whatever the truth is. */
function agreeing(event: ChangeEvent, reported: Map<string, Stored | undefined>): ChangeEvent[] {
  const { key, revision } = event;
  const previous = reported.has(key) ? reported.get(key) : event.previous;
  reported.set(key, event.kind === 'put' ? { key, revision, value: event.value } : undefined);
  if (event.kind === 'put') return [{ ...event, previous }];
  return previous === undefined ? [] : [{ ...event, previous }];
}

/** Two neighbours of different keys change their places, not their numbers. */
function swapEvents(inner: Storage): Storage {
  return withBatches(inner, (events) => {
    const swapped = [...events];
    for (let at = 0; at + 1 < swapped.length; at += 1) {
      const [first, second] = [swapped[at], swapped[at + 1]];
      if (!first || !second || first.key === second.key || first.revision % 5 !== 0) continue;
      swapped[at] = { ...second, revision: first.revision };
      swapped[at + 1] = { ...first, revision: second.revision };
    }
    return swapped;
  });
}

async function commitAnyway(inner: Storage, change: Change): Promise<CommitResult> {
  const result = await inner.commit(change);
  if (result.outcome === 'written' || result.current === undefined) return result;
  return inner.commit({ require: [], writes: change.writes });
}

function sayConflict(inner: Storage): Storage['commit'] {
  let commits = 0;
  return async (change) => {
    const result = await inner.commit(change);
    const [write] = change.writes;
    commits += 1;
    if (commits % RARELY !== 0 || result.outcome !== 'written' || !write) return result;
    const { key } = write;
    return { outcome: 'conflict', key, current: await inner.get(key) };
  };
}

function writeTwice(inner: Storage): Storage['commit'] {
  let commits = 0;
  return async (change) => {
    const result = await inner.commit(change);
    commits += 1;
    if (commits % RARELY !== 0 || change.writes.some(({ kind }) => kind === 'delete'))
      return result;
    return result.outcome === 'written' ? inner.commit({ ...change, require: [] }) : result;
  };
}

const LAG_TURNS = 300;

/** Tells its changes late, and does not know meanwhile that there is more. */
async function readBehind(inner: Storage): Promise<Storage> {
  let known = await inner.currentRevision();
  return delegate(inner, {
    currentRevision: async () => known,
    async *feed(after, options) {
      for await (const batch of inner.feed(after, options)) {
        await turns(LAG_TURNS);
        known = Math.max(known, batch.progress) as Revision;
        yield batch;
      }
    },
  });
}

/** How often a server was started on a directory before. */
function startNumber(dataDir: string): number {
  const file = join(dataDir, 'starts');
  let starts = 0;
  try {
    starts = Number(readFileSync(file, 'utf8'));
  } catch {
    // The first start.
  }
  writeFileSync(file, String(starts + 1));
  return starts;
}

/** The same store with all its numbers lower, or higher when `by` is negative. */
function shiftRevisions(inner: Storage, by: number): Storage {
  const out = (revision: Revision) => (revision - by) as Revision;
  const into = (revision: Revision) => (revision === 0 ? revision : revision + by) as Revision;
  const stored = <T extends Stored | undefined>(value: T): T =>
    value && { ...value, revision: out(value.revision) };
  const event = (each: ChangeEvent): ChangeEvent => {
    const revision = out(each.revision);
    if (each.kind === 'delete') return { ...each, revision, previous: stored(each.previous) };
    return { ...each, revision, previous: stored(each.previous) };
  };
  return delegate(inner, {
    get: async (...args) => stored(await inner.get(...args)),
    list: async (prefix, options = {}): Promise<Page> => {
      const { revision, ...rest } = options;
      const asked = revision === undefined ? rest : { ...rest, revision: into(revision) };
      const page = await inner.list(prefix, asked);
      return {
        ...page,
        revision: out(page.revision),
        items: page.items.map((item) => stored(item)),
      };
    },
    commit: async ({ require, writes }) => {
      const required = require.map(({ key, revision }) => ({ key, revision: into(revision) }));
      const result = await inner.commit({ require: required, writes });
      if (result.outcome === 'conflict') return { ...result, current: stored(result.current) };
      return { ...result, revision: out(result.revision) };
    },
    async *feed(after, options): AsyncGenerator<FeedBatch> {
      for await (const { events, progress } of inner.feed(into(after), options)) {
        yield { events: events.map(event), progress: out(progress) };
      }
    },
    currentRevision: async (...args) => out(await inner.currentRevision(...args)),
  });
}
