/** A client that watches all objects of one resource for ever: cut off, it goes on where it was. */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, httpsStream } from '../harness/index.ts';
import { ApiClient } from './api-client.ts';
import { readObject, type SeenObject } from './core-objects.ts';
import type { EventType } from './namespace-history.ts';
import type { Target } from './target.ts';
import { orLost } from './watcher.ts';

export interface FollowedEvent extends SeenObject {
  readonly type: EventType;
}

const POLL_MS = 20;
const CATCH_UP_MS = 120_000;

export class CoreFollower {
  readonly plural: string;
  readonly events: FollowedEvent[] = [];
  readonly #target: Target;
  readonly #path: string;
  #place = 0;

  constructor(target: Target, options: { plural: string; path: string }) {
    this.#target = target;
    this.#path = options.path;
    this.plural = options.plural;
  }

  /** Takes what is there already for its first events; events come from `run`. */
  async list(): Promise<void> {
    const client = new ApiClient('follower', this.#target);
    try {
      const { status, body } = await client.send('GET', this.#path);
      if (status !== 200) throw new Error(`GET ${this.#path} was answered with ${status}`);
      const { items, metadata } = body as {
        items: unknown[];
        metadata: { resourceVersion: string };
      };
      this.#place = Number(metadata.resourceVersion);
      for (const item of items) {
        this.events.push({ type: 'ADDED', ...readObject(this.plural, item) });
      }
    } finally {
      client.close();
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#session(signal);
      } catch (error) {
        if (error instanceof WatchRefused) throw error;
        // However a connection ends, the client goes on where it was.
      }
      await sleep(POLL_MS);
    }
  }

  /** Resolves when it has seen everything up to a revision. */
  async reaches(revision: number): Promise<void> {
    await eventually(
      () => `the watch of ${this.plural} passes ${this.#place} and reaches ${revision}`,
      () => this.#place >= revision,
      { withinMs: CATCH_UP_MS },
    );
  }

  async #session(signal: AbortSignal): Promise<void> {
    const base = await this.#target.url();
    const url = `${base}${this.#path}?watch=true&resourceVersion=${this.#place}`;
    const opening = httpsStream(url, { signal, ...this.#target.credentials });
    await using stream = await orLost(opening, this.#target.lost);
    for await (const line of stream.lines) {
      const { type, object } = line as { type: EventType | 'ERROR'; object: unknown };
      // A run is short, and the store keeps minutes of history: nothing can have expired.
      if (type === 'ERROR') throw new WatchRefused(`${this.plural}: ${JSON.stringify(object)}`);
      const seen = readObject(this.plural, object);
      this.events.push({ type, ...seen });
      this.#place = seen.revision;
    }
  }
}

class WatchRefused extends Error {}
