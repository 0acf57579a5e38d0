/** One run: a server, informers behind bad networks, and random changes; then everything is compared. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type ResourceClient } from '@tributary/client';
import { Target, wardle } from '../faults/target.ts';
import { progress, SeededRandom, type TestScope, temporaryDirectory } from '../harness/index.ts';
import { checkInformer, type InformerLog, type Truth, type Violation } from './checker.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';
import { FLUNDERS, type Flunder, itemOf } from './flunders.ts';
import { type Access, clientConfig, type Follower, type FollowerKind } from './follower.ts';
import { ChangeHistory } from './history.ts';
import { Writer } from './writer.ts';

export interface RunOptions {
  readonly seed: number;
  /** At least so many: they go on until every informer was cut off often enough. */
  readonly changes: number;
  readonly cutsMin: number;
  readonly followers: readonly FollowerKind[];
  /** How often the server is killed in the middle, and started again on its data. */
  readonly kills: number;
  /** How long a connection of an informer lives. */
  readonly connectionMs: { readonly min: number; readonly max: number };
  /** How long informers may take to be like the server, in the beginning and in the end. */
  readonly settleMs: number;
}

/** What became of one informer. */
export interface FollowerResult {
  readonly name: string;
  readonly violations: readonly Violation[];
  readonly complaints: readonly string[];
  /** How often its connection was cut. */
  readonly cuts: number;
  readonly relists: number;
  readonly events: number;
  /** How long after the last change it was like the server. */
  readonly settledMs: number | undefined;
}

export interface RunResult {
  readonly changes: number;
  readonly changesMs: number;
  readonly objects: number;
  readonly followers: readonly FollowerResult[];
}

const WRITERS = 16;
/** Made before the informers come. */
const FIRST_CHANGES = 300;
/** Where an informer is not cut off often enough, how many times as many changes there may be. */
const CHANGES_FACTOR_MAX = 3;
/** In the end: nothing that is wrong may come later. */
const AFTERMATH_MS = 300;
const POLL_MS = 10;

export async function runInformers(t: TestScope, options: RunOptions): Promise<RunResult> {
  const { seed, changes, settleMs } = options;
  const site = await startSite(t, options);
  const history = new ChangeHistory();
  const random = new SeededRandom(seed);
  const writers = createWriters({ site, history, random });
  await makeChanges(writers, () => history.changes >= FIRST_CHANGES);
  history.forgetThePast();
  const start = await listAll(site.flunders);

  const followed = await startFollowers(t, { options, site, random });
  const syncSignal = AbortSignal.timeout(settleMs);
  for (const { follower } of followed) await inTime(follower, syncSignal);
  const beginnings = followed.map(({ follower }) => follower.beginnings);

  const startedMs = performance.now();
  const killing = killServer({ site, history, options });
  const enough = (): boolean => {
    const isCut = followed.every(({ proxy }) => proxy.cuts >= options.cutsMin);
    return history.changes >= (isCut ? changes : changes * CHANGES_FACTOR_MAX);
  };
  await Promise.race([makeChanges(writers, enough), site.target.died]);
  await killing;
  const changesMs = performance.now() - startedMs;
  for (const { proxy } of followed) proxy.calm();

  const { items } = await listAll(site.flunders);
  const settled = await Promise.all(
    followed.map(({ follower }) => settle(follower, { items, settleMs })),
  );
  await sleep(AFTERMATH_MS);
  const results: FollowerResult[] = [];
  for (const [index, { follower, proxy }] of followed.entries()) {
    const relists = follower.beginnings - (beginnings[index] ?? 0);
    const truth = truthFor(follower, { history, start: start.version, items });
    const log = await logOf(follower, relists);
    results.push({
      name: follower.name,
      violations: checkInformer(log, truth),
      complaints: [...follower.complaints],
      cuts: proxy.cuts,
      relists,
      events: log.events.length,
      settledMs: settled[index],
    });
  }
  return { changes: history.changes, changesMs, objects: items.length, followers: results };
}

export function describeRun({ changes, changesMs, objects, followers }: RunResult): string {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const lines = followers.map(({ name, cuts, relists, events, settledMs }) => {
    const end = settledMs === undefined ? 'did not settle' : `settled after ${seconds(settledMs)}`;
    return `${name}: ${events} events, ${cuts} cuts, ${relists} lists again, ${end}`;
  });
  return [`${changes} changes in ${seconds(changesMs)}, ${objects} objects left`, ...lines].join(
    '\n',
  );
}

/** The server, and the way of the writers to it, which nobody cuts. */
interface Site {
  readonly target: Target;
  readonly access: Access;
  readonly flunders: ResourceClient<Flunder>;
  readonly port: () => number | undefined;
  killAndStart(): Promise<void>;
}

async function startSite(t: TestScope, { kills }: RunOptions): Promise<Site> {
  const dataDir = join(await temporaryDirectory(t, 'informers-'), 'data');
  const target = await Target.create(t, { dataDir, program: wardle(dataDir) });
  let port: number | undefined;
  const start = async (): Promise<void> => {
    await target.start();
    port = Number(new URL(await target.url()).port);
  };
  await start();
  const proxy = await startCuttingProxy(t, { backend: () => port });
  const { ca, cert, key } = target.credentials;
  const access = { url: proxy.url, ca, user: { cert, key } };
  const client = createClient(clientConfig(access));
  t.after(() => client.close());
  return {
    target,
    access,
    flunders: client.resource<Flunder>(FLUNDERS),
    port: () => port,
    killAndStart: async () => {
      port = undefined;
      await target.kill();
      await start();
      progress(`the server was killed and is back (${target.starts - 1} of ${kills})`);
    },
  };
}

function createWriters(parts: {
  site: Site;
  history: ChangeHistory;
  random: SeededRandom;
}): Writer[] {
  const { site, history, random } = parts;
  return Array.from({ length: WRITERS }, (_, index) => {
    const own = new SeededRandom(random.int(0, 2 ** 31));
    return new Writer({ name: `w${index}`, flunders: site.flunders, history, random: own });
  });
}

async function makeChanges(writers: readonly Writer[], enough: () => boolean): Promise<void> {
  const failed = new AbortController();
  const running = writers.map(async (writer) => {
    try {
      await writer.run(() => failed.signal.aborted || enough(), failed.signal);
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  });
  await Promise.allSettled(running); // None writes any more when one is reported.
  await Promise.all(running);
}

/** Kills at even distances, under load. */
async function killServer(work: {
  site: Site;
  history: ChangeHistory;
  options: RunOptions;
}): Promise<void> {
  const { site, history, options } = work;
  for (let kill = 1; kill <= options.kills; kill += 1) {
    const at = (options.changes * kill) / (options.kills + 1);
    while (history.changes < at) await sleep(POLL_MS);
    await site.killAndStart();
  }
}

interface Followed {
  readonly follower: Follower;
  readonly proxy: CuttingProxy;
}

async function startFollowers(
  t: TestScope,
  parts: { options: RunOptions; site: Site; random: SeededRandom },
): Promise<Followed[]> {
  const { options, site, random } = parts;
  const followed: Followed[] = [];
  for (const { start, ways } of options.followers) {
    const own = new SeededRandom(random.int(0, 2 ** 31));
    const proxy = await startCuttingProxy(t, {
      backend: site.port,
      cutting: { random: own, lifeMs: options.connectionMs, ways },
    });
    const follower = await start(t, { ...site.access, url: proxy.url });
    followed.push({ follower, proxy });
  }
  return followed;
}

async function inTime(follower: Follower, signal: AbortSignal): Promise<void> {
  const late = Promise.withResolvers<never>();
  const reject = (): void => late.reject(new Error(`${follower.name} did not sync in time`));
  signal.addEventListener('abort', reject, { once: true });
  try {
    await Promise.race([follower.whenSynced(signal), late.promise]);
  } finally {
    signal.removeEventListener('abort', reject);
  }
}

async function listAll(
  flunders: ResourceClient<Flunder>,
): Promise<{ version: number; items: readonly Flunder[] }> {
  const { metadata, items } = await flunders.listAll();
  return { version: Number(metadata.resourceVersion), items };
}

/** Waits until an informer has what the server has, and has told it; gives the time that took. */
async function settle(
  follower: Follower,
  { items, settleMs }: { items: readonly Flunder[]; settleMs: number },
): Promise<number | undefined> {
  const startedMs = performance.now();
  const wanted = fingerprint(items.map((item) => itemOf(item)));
  while (performance.now() - startedMs < settleMs) {
    if (fingerprint(await follower.store()) === wanted && fingerprint(told(follower)) === wanted) {
      return performance.now() - startedMs;
    }
    await sleep(POLL_MS * 10);
  }
  return undefined;
}

function told({ events }: Follower): Iterable<{ key: string; version: number }> {
  const view = new Map<string, { key: string; version: number }>();
  for (const event of events) {
    if (event.kind === 'delete') view.delete(event.key);
    else view.set(event.key, event);
  }
  return view.values();
}

function fingerprint(objects: Iterable<{ key: string; version: number }>): string {
  return [...objects]
    .map(({ key, version }) => `${key}@${version}`)
    .sort()
    .join();
}

function truthFor(
  follower: Follower,
  parts: { history: ChangeHistory; start: number; items: readonly Flunder[] },
): Truth {
  const { history, start, items } = parts;
  const list = items.map((object) => itemOf(object, follower.part));
  return { lives: history.lives, start, list };
}

async function logOf(follower: Follower, relists: number): Promise<InformerLog> {
  const { events, beginnings, replacesByUpdate } = follower;
  const store = await follower.store();
  return { events: [...events], store, relists, beginnings, replacesByUpdate };
}
