/** One run: writers and watchers on a server to which something happens; answers the history. */
import assert from 'node:assert/strict';
import { eventually, SeededRandom } from '../harness/index.ts';
import { ApiClient } from './api-client.ts';
import {
  COLOURS,
  type Colour,
  makeToken,
  selectColours,
  selectEverything,
  selectNamespace,
  selectNamespaceField,
  selectOtherNames,
} from './flunders.ts';
import type { History, Item, List } from './history.ts';
import { type Counts, Recorder } from './recorder.ts';
import type { Target } from './target.ts';
import { Watcher, type WatcherOptions } from './watcher.ts';
import { NAMESPACES, Writer } from './writer.ts';

/** Disturbs the server while clients use it. It runs before and after. */
export type Disturbance = (run: {
  readonly target: Target;
  readonly recorder: Recorder;
  readonly random: SeededRandom;
  /** Fires when the run has failed. */
  readonly signal: AbortSignal;
}) => Promise<void>;

export interface AttackOptions {
  readonly seed: number;
  readonly writers: number;
  readonly disturb: Disturbance;
  /** After the last write, the server is killed and started once again. */
  readonly restart: boolean;
  /** How long a watcher that misses an event is waited for in the end. */
  readonly catchUpMs?: number;
}

export interface Figures extends Counts {
  /** Of the server, the first included. */
  readonly starts: number;
  readonly events: number;
  readonly bookmarks: number;
  readonly sessions: number;
  /** How often a watcher was told that it is too late and had to list again. */
  readonly expired: number;
  readonly seconds: number;
}

/** A server with a fault may refuse one. */
const FENCE_ATTEMPTS = 5;
const CATCH_UP_MS = 120_000;

const WATCHERS: readonly Omit<WatcherOptions, 'name'>[] = [
  { selection: selectEverything(), http: '1.1', bookmarks: false, sleepy: false },
  { selection: selectEverything(), http: '2', bookmarks: true, sleepy: false },
  { selection: selectNamespace('north'), http: '2', bookmarks: false, sleepy: false },
  { selection: selectNamespaceField('east'), http: '1.1', bookmarks: true, sleepy: false },
  { selection: selectOtherNames('hot-0'), http: '2', bookmarks: false, sleepy: true },
  { selection: selectColours(['red']), http: '1.1', bookmarks: false, sleepy: false },
  { selection: selectColours(['red', 'blue'], 'south'), http: '2', bookmarks: true, sleepy: true },
];

/** In the end the target runs, without writers. */
export async function attack(
  target: Target,
  { seed, writers: writersCount, disturb, restart, catchUpMs = CATCH_UP_MS }: AttackOptions,
): Promise<{ history: History; figures: Figures }> {
  const startedMs = performance.now();
  const random = new SeededRandom(seed);
  const recorder = new Recorder();
  const part = () => ({ target, recorder, random: new SeededRandom(random.int(0, 2 ** 31)) });
  const writers = Array.from({ length: writersCount }, (_, at) => new Writer(`w${at}`, part()));
  const watchers = WATCHERS.map((each, at) => {
    const name = `watcher ${at} of ${each.selection.scope.name}`;
    return new Watcher({ name, ...each }, part());
  });
  const writing = new AbortController();
  const watching = new AbortController();
  const ending = new AbortController();
  const failures = Promise.withResolvers<never>();
  const own = async (work: Promise<void>): Promise<void> => {
    await work.catch((error) => failures.reject(error));
  };
  await target.start();
  const watched = watchers.map((watcher) => own(watcher.run(watching.signal)));
  const written = writers.map((writer) => own(writer.run(writing.signal)));
  const body = async (): Promise<List> => {
    await disturb({ target, recorder, random, signal: ending.signal });
    writing.abort();
    await Promise.all(written);
    if (restart) {
      await target.kill();
      await target.start();
    }
    return finish(target, { recorder, watchers, catchUpMs });
  };
  try {
    const final = await Promise.race([body(), failures.promise, target.died]);
    watching.abort();
    await Promise.all(watched);
    const history = recorder.history({ watches: watchers.map(({ log }) => log), final });
    return { history, figures: figuresOf({ target, recorder, watchers, startedMs }) };
  } finally {
    for (const control of [writing, watching, ending]) control.abort();
  }
}

/**
 * Reads the end. Each watcher is first given a last event that it must see: when it has seen that,
 * nothing that came before can still be on its way to it.
 */
async function finish(
  target: Target,
  run: { recorder: Recorder; watchers: readonly Watcher[]; catchUpMs: number },
): Promise<List> {
  const { recorder, watchers, catchUpMs } = run;
  const client = new ApiClient('last', target);
  try {
    const fences: Item[] = [];
    for (const namespace of NAMESPACES) {
      for (const colour of COLOURS)
        fences.push(await writeFence({ client, namespace, colour, recorder }));
    }
    const final = await recorder.list(client, selectEverything());
    if (final === undefined) throw new Error('the last list failed');
    await Promise.all(
      watchers.map((watcher) => {
        const own = fences.filter(({ key, token }) => watcher.selects(key, token));
        return caughtUp(watcher, { revision: own.at(-1)?.revision ?? 0, catchUpMs });
      }),
    );
    return final;
  } finally {
    client.close();
  }
}

async function writeFence(place: {
  client: ApiClient;
  namespace: string;
  colour: Colour;
  recorder: Recorder;
}): Promise<Item> {
  const { client, namespace, colour, recorder } = place;
  for (let attempt = 0; attempt < FENCE_ATTEMPTS; attempt += 1) {
    const name = `fence-${colour}-${attempt}`;
    const writer = `${client.name}-${namespace}`;
    const token = makeToken({ writer, number: attempt, colour, paddingBytes: 0 });
    const written = await recorder.create(client, `${namespace}/${name}`, token);
    if (written !== undefined && written !== 'absent') return written;
  }
  throw new Error('the last writes failed');
}

/** A watcher that does not get there is not reported here: the checker says what it has missed. */
async function caughtUp(
  watcher: Watcher,
  { revision, catchUpMs }: { revision: number; catchUpMs: number },
): Promise<void> {
  watcher.stayAwake();
  const isThere = () => watcher.place >= revision;
  const missed = (error: unknown): void => assert.ok(error instanceof assert.AssertionError);
  await eventually('the last event', isThere, { withinMs: catchUpMs }).catch(missed);
}

function figuresOf(run: {
  target: Target;
  recorder: Recorder;
  watchers: readonly Watcher[];
  startedMs: number;
}): Figures {
  const { target, recorder, watchers, startedMs } = run;
  const sessions = watchers.flatMap(({ log }) => log.sessions);
  return {
    starts: target.starts,
    ...recorder.counts,
    events: watchers.reduce((sum, { events }) => sum + events, 0),
    bookmarks: watchers.reduce((sum, { bookmarks }) => sum + bookmarks, 0),
    sessions: sessions.length,
    expired: sessions.filter(({ end }) => end === 'expired').length,
    seconds: Math.round((performance.now() - startedMs) / 100) / 10,
  };
}

export function describeFigures(figures: object): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
