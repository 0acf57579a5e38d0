import type { ChangeEvent, Revision, Storage } from '@tributary/storage';
import { eventually as eventuallySeen } from '../../../../test/harness/index.ts';

/** Takes what a feed tells, in the background. */
export class FeedRecorder {
  readonly events: ChangeEvent[] = [];
  readonly ended: Promise<unknown>;
  readonly #stop = new AbortController();

  constructor(storage: Storage, after: Revision) {
    this.ended = this.#record(storage, after);
  }

  /** `put a`, `delete a`: what happened, in order. */
  get reported(): string[] {
    return this.events.map(({ kind, key }) => `${kind} ${key}`);
  }

  async until(count: number): Promise<string[]> {
    await eventually(
      () => this.events.length >= count,
      () => `${count} events, has ${this.reported}`,
    );
    return this.reported;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.ended;
  }

  async #record(storage: Storage, after: Revision): Promise<unknown> {
    try {
      for await (const { events } of storage.feed(after, { signal: this.#stop.signal })) {
        this.events.push(...events);
      }
      return undefined;
    } catch (error) {
      return error;
    }
  }
}

export async function eventually(
  holds: () => boolean | Promise<boolean>,
  what: () => string = () => 'a condition',
): Promise<void> {
  await eventuallySeen(what, holds, { everyMs: 2 });
}
