/** One run: a site, informers behind bad networks, and random changes; then everything is compared. */
import { createClient, type ResourceClient } from '@tributary/client';
import { defer, SeededRandom, type TestScope } from '../harness/index.ts';
import { changeAndKill, makeChanges } from './changes.ts';
import { checkInformer, checkStore, type InformerLog, type Truth } from './checker.ts';
import {
  ALL_WAYS,
  type CuttingProxy,
  type LifeChanges,
  startCuttingProxy,
} from './cutting-proxy.ts';
import { FLUNDERS, type Flunder, itemOf } from './flunders.ts';
import { clientConfig, type Follower, type FollowerKind } from './follower.ts';
import { ChangeHistory } from './history.ts';
import type { FollowerResult, ListResult, RunResult } from './run-result.ts';
import type { Site } from './site.ts';
import { inTime, waitUntilQuiet } from './wait-until-quiet.ts';
import { clearFlunders, Writer } from './writer.ts';

export interface RunOptions {
  readonly site: Site;
  readonly seed: number;
  /** At least so many: they go on until every informer was cut off often enough, and what was killed is back. */
  readonly changes: number;
  readonly cutsMin: number;
  /** One of each at every entrance of the site. */
  readonly followers: readonly FollowerKind[];
  /** How often a victim of the site is killed in the middle. */
  readonly kills: number;
  /** How long a connection of an informer lives. */
  readonly connectionLife: LifeChanges;
  /** How long a connection from another server to the first one lives; absent: for ever. */
  readonly linkLife?: LifeChanges;
  /** The name of an entrance where informers may never be like the server, and how long they are waited for. */
  readonly faulty?: { readonly entrance: string; readonly quietMs: number } | undefined;
}

const WRITERS = 16;
/** Made before the informers come. */
const FIRST_CHANGES = 300;
/** Made in the end, when all connections stay: informers get them without another list. */
const CALM_CHANGES = 100;
/** How long informers may take to be like the server. A reflector of client-go that was cut off often waits for up to a minute. */
const QUIET_MS = 180_000;

export async function runInformers(t: TestScope, options: RunOptions): Promise<RunResult> {
  const { site, seed, faulty } = options;
  const history = new ChangeHistory();
  const random = new SeededRandom(seed);
  const ways = await openWays(t, site);
  await clearFlunders(ways[0].flunders);
  const writers = createWriters({
    ways,
    history,
    random,
    startsAnonymous: site.startsAnonymous === true,
  });
  await makeChanges(writers, () => history.changes >= FIRST_CHANGES);
  history.forgetThePast();
  const start = await listAll(ways[0].flunders);

  const followed = await startFollowers(t, { options, history, random });
  const syncSignal = AbortSignal.timeout(QUIET_MS);
  for (const { follower } of followed) await inTime(follower, syncSignal);
  const beginnings = followed.map(({ follower }) => follower.beginnings);

  const proxies = followed.map(({ proxy }) => proxy);
  const startedMs = performance.now();
  stirLinks(options, { history, random });
  const killed = await changeAndKill({ writers, history, proxies, options });
  const changesMs = performance.now() - startedMs;
  for (const proxy of [...proxies, ...site.links]) proxy.calm();

  const { changes } = history;
  const waitUntilAllQuiet = async (those: readonly Followed[]): Promise<(number | undefined)[]> => {
    const { items } = await listAll(ways[0].flunders);
    return Promise.all(
      those.map(({ follower, entrance }) => {
        const quietMs = entrance === faulty?.entrance ? faulty.quietMs : QUIET_MS;
        return waitUntilQuiet(follower, { items, quietMs });
      }),
    );
  };
  const settled = await waitUntilAllQuiet(followed);
  const sound = followed.filter((_, index) => settled[index] !== undefined);
  const calmChanges = async (): Promise<void> => {
    const wanted = history.changes + CALM_CHANGES;
    await makeChanges(writers, () => history.changes >= wanted);
    await waitUntilAllQuiet(sound);
  };
  // The informer cut off last may have everything and still be about to list. After these changes it has received an
  // event since.
  await calmChanges();
  const calmBeginnings = followed.map(({ follower }) => follower.beginnings);
  await calmChanges();
  const { items } = await listAll(ways[0].flunders);

  const results: FollowerResult[] = [];
  for (const [index, { follower, proxy, entrance }] of followed.entries()) {
    const relists = follower.beginnings - (beginnings[index] ?? 0);
    const calmRelists = follower.beginnings - (calmBeginnings[index] ?? 0);
    const truth = truthFor(follower, { history, start: start.version, items });
    const log = await logOf(follower, relists);
    results.push({
      name: `${follower.name}, ${entrance}`,
      violations: checkInformer(log, truth),
      complaints: [...follower.complaints],
      cuts: proxy.cuts,
      relists,
      calmRelists,
      events: log.events.length,
      settledMs: settled[index],
    });
  }
  const lists = await compareLists(ways, items);
  return { changes, changesMs, objects: items.length, killed, followers: results, lists };
}

function stirLinks(
  { site, linkLife }: RunOptions,
  { history, random }: { history: ChangeHistory; random: SeededRandom },
): void {
  if (linkLife === undefined) return;
  for (const link of site.links) {
    const own = new SeededRandom(random.int(0, 2 ** 31));
    link.stir({ random: own, history, lifeChanges: linkLife, ways: ALL_WAYS });
  }
}

/** A connection that is never cut. */
interface Way {
  readonly name: string;
  readonly flunders: ResourceClient<Flunder>;
}

/** One for each entrance, in their order. */
async function openWays(t: TestScope, { entrances }: Site): Promise<readonly [Way, ...Way[]]> {
  const open = async ({ name, ca, user, port }: Site['entrances'][0]): Promise<Way> => {
    const { url } = await startCuttingProxy(t, { backend: port });
    const client = createClient(clientConfig({ url, ca, user }));
    defer(t, () => client.close());
    return { name, flunders: client.resource<Flunder>(FLUNDERS) };
  };
  const [first, ...others] = entrances;
  return [await open(first), ...(await Promise.all(others.map(open)))];
}

/** Each has its way, and writers come every way there is. */
function createWriters(parts: {
  ways: readonly [Way, ...Way[]];
  history: ChangeHistory;
  random: SeededRandom;
  startsAnonymous: boolean;
}): Writer[] {
  const { ways, history, random, startsAnonymous } = parts;
  return Array.from({ length: WRITERS }, (_, index) => {
    const own = new SeededRandom(random.int(0, 2 ** 31));
    const { flunders } = ways[index % ways.length] ?? ways[0];
    return new Writer({ name: `w${index}`, flunders, history, random: own, startsAnonymous });
  });
}

interface Followed {
  readonly follower: Follower;
  readonly proxy: CuttingProxy;
  /** The name of the entrance. */
  readonly entrance: string;
}

async function startFollowers(
  t: TestScope,
  parts: { options: RunOptions; history: ChangeHistory; random: SeededRandom },
): Promise<Followed[]> {
  const { options, history, random } = parts;
  const followed: Followed[] = [];
  for (const { name, ca, user, port } of options.site.entrances) {
    for (const { start, ways } of options.followers) {
      const own = new SeededRandom(random.int(0, 2 ** 31));
      const proxy = await startCuttingProxy(t, {
        backend: port,
        cutting: { random: own, history, lifeChanges: options.connectionLife, ways },
      });
      const follower = await start(t, { ca, user, url: proxy.url });
      followed.push({ follower, proxy, entrance: name });
    }
  }
  return followed;
}

async function listAll(
  flunders: ResourceClient<Flunder>,
): Promise<{ version: number; items: readonly Flunder[] }> {
  const { metadata, items } = await flunders.listAll();
  return { version: Number(metadata.resourceVersion), items };
}

/** A list through another server equals the list of the first one. */
async function compareLists(
  [, ...others]: readonly [Way, ...Way[]],
  items: readonly Flunder[],
): Promise<ListResult[]> {
  const wanted = items.map((item) => itemOf(item));
  return Promise.all(
    others.map(async ({ name, flunders }) => {
      const list = (await listAll(flunders)).items.map((item) => itemOf(item));
      return { name: `a list, ${name}`, violations: checkStore(list, wanted) };
    }),
  );
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
