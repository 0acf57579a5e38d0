/** One run: namespaces are filled and deleted, others write into all of them, and the server is killed meanwhile. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, SeededRandom } from '../harness/index.ts';
import { CoreFollower, type FollowedEvent } from './core-follower.ts';
import { CORE_KINDS, collectionOf, NAMESPACES_PATH } from './core-objects.ts';
import { isOfRun, listEnd, seeEnd, storedKeys } from './namespace-end.ts';
import type { NamespaceHistory } from './namespace-history.ts';
import { NamespaceRun, type RunCounts, withClient } from './namespace-run.ts';
import type { Target } from './target.ts';

export interface NamespaceAttackOptions {
  readonly seed: number;
  /** Of namespaces that are filled and deleted, one after another. */
  readonly rounds: number;
  readonly objectsEach: number;
  /** Whether the server is killed in every round. */
  readonly kills: boolean;
  /** How long nothing may be left of a namespace that was deleted, in the end. */
  readonly convergeMs?: number;
}

export interface NamespaceFigures extends RunCounts {
  readonly starts: number;
  readonly events: number;
  /** Namespaces that were on their way when a server was killed. */
  readonly interrupted: number;
  readonly reborn: number;
  readonly convergedMs: number;
}

const SAFE = ['safe-0', 'safe-1', 'safe-2'];
const WRITERS = 2;
const FILLERS = 6;
/** The share of a namespace's objects that is deleted, at most, when the server is killed. */
const DELETED_SHARE_MAX = 0.7;
const IN_VAIN_CHANCE = 0.2;
const HELD_EVERY = 25;
const POLL_MS = 50;
const CONVERGE_MS = 120_000;

export async function attackNamespaces(
  target: Target,
  dataDir: string,
  options: NamespaceAttackOptions,
): Promise<{ history: NamespaceHistory; figures: NamespaceFigures }> {
  return new NamespaceAttack(target, options).run(dataDir);
}

class NamespaceAttack {
  readonly #target: Target;
  readonly #options: NamespaceAttackOptions;
  readonly #random: SeededRandom;
  readonly #run: NamespaceRun;
  readonly #followers: readonly CoreFollower[];
  readonly #namespaces: CoreFollower;
  /** The uid of the life that is to end. */
  readonly #doomed = new Map<string, string>();
  readonly #reborn = new Set<string>();
  #releasing = false;
  #interrupted = 0;

  constructor(target: Target, options: NamespaceAttackOptions) {
    this.#target = target;
    this.#options = options;
    this.#random = new SeededRandom(options.seed);
    this.#run = new NamespaceRun(target);
    this.#followers = CORE_KINDS.map(
      (kind) => new CoreFollower(target, { plural: kind.plural, path: collectionOf(kind) }),
    );
    this.#namespaces = new CoreFollower(target, { plural: 'namespaces', path: NAMESPACES_PATH });
  }

  /** In the end the target does not run. */
  async run(dataDir: string): Promise<{ history: NamespaceHistory; figures: NamespaceFigures }> {
    const target = this.#target;
    const writing = new AbortController();
    const watching = new AbortController();
    const failed = Promise.withResolvers<never>();
    const own = (work: Promise<void>) => work.catch((error) => failed.reject(error));
    await target.start();
    const followers = [this.#namespaces, ...this.#followers];
    for (const follower of followers) await follower.list();
    const watched = followers.map((follower) => own(follower.run(watching.signal)));
    const written: Promise<void>[] = [];
    const body = async () => {
      await this.#fillSafe();
      for (let number = 0; number < WRITERS; number += 1) {
        written.push(own(this.#write(number, writing.signal)));
      }
      written.push(own(this.#release(writing.signal)));
      for (let round = 0; round < this.#options.rounds; round += 1) await this.#round(round);
      this.#releasing = true;
      const convergedMs = await this.#converge();
      writing.abort();
      await Promise.all(written);
      if (this.#options.kills) {
        await target.kill();
        await target.start();
      }
      await seeEnd(this.#run, { namespaces: this.#namespaces, objects: this.#followers });
      return { convergedMs, listed: await listEnd(this.#run) };
    };
    try {
      const { convergedMs, listed } = await Promise.race([body(), failed.promise, target.died]);
      watching.abort();
      await Promise.all(watched);
      await target.stop();
      const final = { ...listed, storedKeys: await storedKeys(dataDir) };
      return { history: this.#history(final), figures: this.#figures(convergedMs) };
    } finally {
      writing.abort();
      watching.abort();
    }
  }

  async #fillSafe(): Promise<void> {
    for (const name of SAFE) {
      await withClient(this.#target, 'making', (client) => this.#run.makeNamespace(client, name));
      await this.#fill(name, 0);
    }
  }

  async #round(round: number): Promise<void> {
    const { rounds, kills } = this.#options;
    const name = `doomed-${round}`;
    await withClient(this.#target, 'deleting', async (client) => {
      const uid = await this.#run.makeNamespace(client, name);
      this.#doomed.set(name, uid);
      await this.#fill(name, HELD_EVERY);
      await this.#run.deleteNamespace(client, name, uid);
    });
    await this.#untilDeleted(name);
    // Held objects must be released by servers that did not see their deletion.
    if (round >= rounds / 2) this.#releasing = true;
    if (round % 3 === 2) await this.#bearAgain();
    if (!kills) return;
    await this.#target.kill();
    this.#interrupted += this.#onTheirWay().length;
    if (this.#random.chance(IN_VAIN_CHANCE)) await this.#target.startInVain(this.#random);
    await this.#target.start();
  }

  /** Some of its objects are deleted. While finalizers hold the namespace, a create is refused for it, too. */
  async #untilDeleted(namespace: string): Promise<void> {
    const max = Math.floor(this.#options.objectsEach * DELETED_SHARE_MAX);
    const wanted = this.#random.int(0, max);
    const { counts } = this.#run;
    const { terminating } = counts;
    const count = () =>
      this.#followers.reduce((sum, { events }) => sum + events.filter(isDeleted).length, 0);
    const isDeleted = (event: FollowedEvent) =>
      event.type === 'DELETED' && event.namespace === namespace;
    await eventually(
      () => `${wanted} objects of ${namespace} are deleted, ${count()} of them are`,
      () => (this.#releasing || counts.terminating > terminating) && count() >= wanted,
      { everyMs: 2, withinMs: CONVERGE_MS },
    );
  }

  /** A namespace of a name that was deleted before, which stays. */
  async #bearAgain(): Promise<void> {
    const on = new Set(this.#onTheirWay());
    const name = [...this.#doomed.keys()].find((one) => !on.has(one) && !this.#reborn.has(one));
    if (name === undefined) return;
    this.#reborn.add(name);
    await withClient(this.#target, 'making', (client) => this.#run.makeNamespace(client, name));
  }

  /** As far as the watch has told. */
  #onTheirWay(): string[] {
    const gone = new Set(
      this.#namespaces.events.filter(({ type }) => type === 'DELETED').map(({ uid }) => uid),
    );
    return [...this.#doomed].filter(([, uid]) => !gone.has(uid)).map(([name]) => name);
  }

  /** Every how manyth object has a finalizer; 0 for none. */
  async #fill(namespace: string, heldEvery: number): Promise<void> {
    const turns = Array.from({ length: this.#options.objectsEach }, (_, at) => at).values();
    await Promise.all(
      Array.from({ length: FILLERS }, (_, number) =>
        withClient(this.#target, `filler ${number}`, async (client) => {
          for (const at of turns) {
            const kind = CORE_KINDS[at % CORE_KINDS.length];
            if (kind === undefined) return;
            const isHeld = heldEvery > 0 && at % heldEvery === 0;
            await this.#run.create(client, kind, { namespace, name: `filled-${at}`, isHeld });
          }
        }),
      ),
    );
  }

  /** Creates everywhere, mostly where something is going on. */
  async #write(number: number, signal: AbortSignal): Promise<void> {
    const random = new SeededRandom(this.#random.int(0, 2 ** 31));
    await withClient(this.#target, `writer ${number}`, async (client) => {
      for (let at = 0; !signal.aborted; at += 1) {
        const recent = [...this.#doomed.keys()].slice(-2);
        const all = [...SAFE, ...this.#doomed.keys(), 'never'];
        const namespace = random.pick(recent.length > 0 && random.chance(0.7) ? recent : all);
        const name = `written-${number}-${at}`;
        await this.#run.create(client, random.pick(CORE_KINDS), { namespace, name });
      }
    });
  }

  /** The controllers whose finalizers are on objects, once they are allowed to work. */
  async #release(signal: AbortSignal): Promise<void> {
    await withClient(this.#target, 'releasing', async (client) => {
      while (!signal.aborted) {
        await sleep(POLL_MS);
        if (!this.#releasing) continue;
        for (const path of this.#heldPaths()) await this.#run.release(client, path);
      }
    });
  }

  #heldPaths(): string[] {
    return this.#followers.flatMap(({ events }, index) => {
      const kind = CORE_KINDS[index];
      if (kind === undefined) return [];
      const last = new Map(events.map((event) => [event.uid, event]));
      return [...last.values()]
        .filter(({ type, isDeleting, isHeld }) => type !== 'DELETED' && isDeleting && isHeld)
        .map(({ namespace, name }) => `${collectionOf(kind, namespace)}/${name}`);
    });
  }

  /** A deletion that was not answered, and did not happen, is asked for again: only then is its end certain. */
  async #converge(): Promise<number> {
    const startedMs = performance.now();
    const { convergeMs: withinMs = CONVERGE_MS } = this.#options;
    await withClient(this.#target, 'converging', async (client) => {
      for (const [name, uid] of this.#doomed) {
        const asked = this.#run.deletions.filter((one) => one.uid === uid);
        if (asked.every(({ isCertain }) => !isCertain)) {
          await this.#run.deleteNamespace(client, name, uid);
        }
      }
    });
    const isOver = () => this.#onTheirWay().length === 0;
    const stuck = (error: unknown): void => assert.ok(error instanceof assert.AssertionError);
    // A namespace that stays is not reported here: the checker says so.
    await eventually('nothing is left of deleted namespaces', isOver, { withinMs }).catch(stuck);
    return Math.round(performance.now() - startedMs);
  }

  #history(final: NamespaceHistory['final']): NamespaceHistory {
    const objects = this.#followers.flatMap(({ events }) => events);
    return this.#run.history({
      namespaces: this.#namespaces.events.filter(({ name }) => isOfRun(name)),
      objects: objects.filter(({ namespace }) => isOfRun(namespace)),
      final,
    });
  }

  #figures(convergedMs: number): NamespaceFigures {
    const followers = [this.#namespaces, ...this.#followers];
    return {
      starts: this.#target.starts,
      ...this.#run.counts,
      events: followers.reduce((sum, { events }) => sum + events.length, 0),
      interrupted: this.#interrupted,
      reborn: this.#reborn.size,
      convergedMs,
    };
  }
}
