/** Namespaces that are made, filled, written into and deleted, one after another, as long as the run lasts. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { CoreFollower } from '../../test/faults/core-follower.ts';
import { CORE_KINDS, collectionOf, NAMESPACES_PATH } from '../../test/faults/core-objects.ts';
import { collectionPath, readItem } from '../../test/faults/flunders.ts';
import { checkNamespaces, type NamespaceViolation } from '../../test/faults/namespace-checker.ts';
import { listEnd, seeEnd, storedKeys } from '../../test/faults/namespace-end.ts';
import type { NamespaceHistory } from '../../test/faults/namespace-history.ts';
import { NamespaceRun, type RunCounts, withClient } from '../../test/faults/namespace-run.ts';
import type { Target } from '../../test/faults/target.ts';
import { eventually, SeededRandom } from '../../test/harness/index.ts';

export interface NamespaceChurn {
  readonly counts: Readonly<RunCounts>;
  /** Namespaces that were to go, and of them those that are gone as far as watches have told. */
  readonly doomed: number;
  readonly gone: number;
  readonly events: number;
  /** Lists everything; from then on it is watched, until the signal fires. */
  follow(signal: AbortSignal): Promise<{ readonly done: Promise<unknown> }>;
  run(signal: AbortSignal): Promise<void>;
  /** Asks again for what may not have been heard, and waits until nothing is on its way; gives how long that took. */
  converge(withinMs: number): Promise<number>;
  /** Reads the end through the API; after that the store may be read, without a server. */
  readEnd(): Promise<(dataDir: string) => Promise<NamespaceViolation[]>>;
}

const SAFE = ['safe-0', 'safe-1', 'safe-2'] as const;
/** Of this run: other namespaces have other rules. */
const OWN = /^(doomed-\d+|safe-\d+|fence)$/;
const OBJECTS_EACH = 24;
const FLUNDERS_EACH = 4;
const ROUND_PAUSE_MS = { min: 2_000, max: 5_000 } as const;
/** Of the writer, so that the store grows slowly. */
const PAUSE_MS = { min: 30, max: 90 } as const;
/** How often what is written goes where it is kept: so the store grows, but slowly. */
const SAFE_CHANCE = 0.08;

export function createNamespaceChurn(target: Target, random: SeededRandom): NamespaceChurn {
  const run = new NamespaceRun(target);
  const namespaces = new CoreFollower(target, { plural: 'namespaces', path: NAMESPACES_PATH });
  const objects = CORE_KINDS.map(
    (kind) => new CoreFollower(target, { plural: kind.plural, path: collectionOf(kind) }),
  );
  const followers = [namespaces, ...objects];
  const doomed = new Map<string, string>();
  const onTheirWay = (): string[] => {
    const gone = namespaces.events.filter(({ type }) => type === 'DELETED');
    const uids = new Set(gone.map(({ uid }) => uid));
    return [...doomed].filter(([, uid]) => !uids.has(uid)).map(([name]) => name);
  };
  const make = (name: string): Promise<string> =>
    withClient(target, 'making', (client) => run.makeNamespace(client, name));

  return {
    counts: run.counts,
    get doomed() {
      return doomed.size;
    },
    get gone() {
      return doomed.size - onTheirWay().length;
    },
    get events() {
      return followers.reduce((sum, { events }) => sum + events.length, 0);
    },
    follow: async (signal) => {
      for (const follower of followers) await follower.list();
      return { done: Promise.all(followers.map((follower) => follower.run(signal))) };
    },
    run: async (signal) => {
      for (const name of SAFE) await make(name);
      const own = new SeededRandom(random.int(0, 2 ** 31));
      const writing = write(run, { names: () => [...doomed.keys()], random: own, signal });
      for (let round = 0; !signal.aborted; round += 1) {
        const name = `doomed-${round}`;
        const uid = await make(name);
        doomed.set(name, uid);
        await fill(run, name);
        await withClient(target, 'deleting', (client) => run.deleteNamespace(client, name, uid));
        await pause(random.int(ROUND_PAUSE_MS.min, ROUND_PAUSE_MS.max), signal);
      }
      await writing;
    },
    converge: async (withinMs) => {
      const startedMs = performance.now();
      await withClient(target, 'converging', async (client) => {
        const certain = new Set(
          run.deletions.filter(({ isCertain }) => isCertain).map(({ uid }) => uid),
        );
        for (const [name, uid] of doomed) {
          if (!certain.has(uid)) await run.deleteNamespace(client, name, uid);
        }
      });
      const isOver = () => onTheirWay().length === 0;
      const stuck = (error: unknown): void => assert.ok(error instanceof assert.AssertionError);
      // A namespace that stays is not reported here: the checker says so.
      await eventually('all namespaces are gone', isOver, { withinMs }).catch(stuck);
      return Math.round(performance.now() - startedMs);
    },
    readEnd: async () => {
      await seeEnd(run, { namespaces, objects });
      const listed = await listEnd(run);
      const flunders = await listFlunders(run);
      const history = (keys: readonly string[]): NamespaceHistory =>
        run.history({
          namespaces: namespaces.events.filter(({ name }) => OWN.test(name)),
          objects: objects
            .flatMap(({ events }) => events)
            .filter(({ namespace }) => OWN.test(namespace)),
          final: { ...listed, objects: [...listed.objects, ...flunders], storedKeys: keys },
        });
      return async (dataDir) => checkNamespaces(history(await storedKeys(dataDir)));
    },
  };
}

/** Creates everywhere, mostly where something is going on. */
async function write(
  run: NamespaceRun,
  parts: { names: () => readonly string[]; random: SeededRandom; signal: AbortSignal },
): Promise<void> {
  const { names, random, signal } = parts;
  await withClient(run.target, 'writer', async (client) => {
    for (let at = 0; !signal.aborted; at += 1) {
      const recent = names().slice(-3);
      const isSafe = recent.length === 0 || random.chance(SAFE_CHANCE);
      const namespace = random.pick(isSafe ? [...SAFE, 'never'] : recent);
      await run.create(client, random.pick(CORE_KINDS), { namespace, name: `written-${at}` });
      await pause(random.int(PAUSE_MS.min, PAUSE_MS.max), signal);
    }
  });
}

async function fill(run: NamespaceRun, namespace: string): Promise<void> {
  await withClient(run.target, 'filler', async (client) => {
    for (let at = 0; at < OBJECTS_EACH; at += 1) {
      const kind = CORE_KINDS[at % CORE_KINDS.length];
      if (kind) await run.create(client, kind, { namespace, name: `filled-${at}` });
    }
    for (let at = 0; at < FLUNDERS_EACH; at += 1) {
      const flunder = { metadata: { name: `filled-${at}` }, spec: {} };
      // Whether it was made or not: nothing of it may be left.
      await client.send('POST', collectionPath(namespace), flunder).catch(() => undefined);
    }
  });
}

/** Of another store: only where they are can be compared with what namespaces there are. */
async function listFlunders(run: NamespaceRun): Promise<NamespaceHistory['final']['objects']> {
  return withClient(run.target, 'last', async (client) => {
    const { items } = await run.list(client, collectionPath());
    return items.map((item) => {
      const [namespace = '', name = ''] = readItem(item).key.split('/');
      return { plural: 'flunders', namespace, name, uid: '' };
    });
  });
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined); // The end is no failure.
}
