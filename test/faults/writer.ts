/** A client that creates, updates, deletes and reads a few keys, which it shares with others. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../harness/index.ts';
import { ApiClient } from './api-client.ts';
import {
  COLOURS,
  makeToken,
  type Selection,
  selectColours,
  selectEverything,
  selectNamespace,
} from './flunders.ts';
import type { Item, Token } from './history.ts';
import type { Known, Recorder } from './recorder.ts';
import type { Target } from './target.ts';

export const NAMESPACES = ['north', 'east', 'south', 'west'] as const;
/** Few, so that writers meet. */
export const NAMES = ['hot-0', 'hot-1', 'hot-2', 'hot-3', 'hot-4', 'hot-5'] as const;

/** How often it lists, looks before it writes, and deletes what it would otherwise update. */
const CHANCES = { list: 0.05, look: 0.6, delete: 0.12 } as const;
/** After a write without an answer: whatever is wrong may not be over at once. */
const POLL_MS = 5;
/** Most objects are small; some need pages of their own. */
const PADDING_BYTES = [0, 20, 200, 1000, 3000, 20_000] as const;
const PAGE_ITEMS = 5;
/** A page is asked for again after a restart. */
const PAGE_ATTEMPTS = 5;

export class Writer {
  readonly #client: ApiClient;
  readonly #recorder: Recorder;
  readonly #random: SeededRandom;
  /** Its own view, right or wrong: others write too. */
  readonly #known = new Map<string, Known>();
  #number = 0;

  constructor(name: string, parts: { target: Target; recorder: Recorder; random: SeededRandom }) {
    this.#client = new ApiClient(name, parts.target);
    this.#recorder = parts.recorder;
    this.#random = parts.random;
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) await this.#step();
    } finally {
      this.#client.close();
    }
  }

  async #step(): Promise<void> {
    if (this.#random.chance(CHANCES.list)) return this.#list();
    const key = `${this.#random.pick(NAMESPACES)}/${this.#random.pick(NAMES)}`;
    if (this.#known.get(key) === undefined || this.#random.chance(CHANCES.look)) {
      this.#known.set(key, await this.#recorder.get(this.#client, key));
    }
    const known = this.#known.get(key);
    if (known === undefined) return;
    const next = known === 'absent' ? this.#create(key) : this.#change(known);
    this.#known.set(key, await next);
    if (this.#known.get(key) === undefined) await sleep(POLL_MS);
  }

  #create(key: string): Promise<Known> {
    return this.#recorder.create(this.#client, key, this.#token());
  }

  #change(item: Item): Promise<Known> {
    if (this.#random.chance(CHANCES.delete)) return this.#recorder.delete(this.#client, item);
    return this.#recorder.update(this.#client, item, this.#token());
  }

  async #list(): Promise<void> {
    const selection = this.#selection();
    const paged = this.#random.chance(0.4);
    const options = paged ? { limit: PAGE_ITEMS, attempts: PAGE_ATTEMPTS } : {};
    const list = await this.#recorder.list(this.#client, selection, options);
    if (list === undefined) return;
    this.#recorder.lists.push(list);
    for (const item of list.items) this.#known.set(item.key, item);
  }

  #selection(): Selection {
    const namespace = this.#random.pick(NAMESPACES);
    return this.#random.pick([
      selectEverything(),
      selectNamespace(namespace),
      selectColours([this.#random.pick(COLOURS)]),
      selectColours([this.#random.pick(COLOURS)], namespace),
    ]);
  }

  #token(): Token {
    this.#number += 1;
    return makeToken({
      writer: this.#client.name,
      number: this.#number,
      colour: this.#random.pick(COLOURS),
      paddingBytes: this.#random.pick(PADDING_BYTES),
    });
  }
}
