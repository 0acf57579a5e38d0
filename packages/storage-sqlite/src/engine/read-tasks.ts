import { type Clock, Compacted, FutureRevision, type Revision } from '@tributary/storage';
import { writeBackup } from '../backup/backup.ts';
import type { ListRequest } from '../messages/messages.ts';
import { PageCounts } from '../reads/page-counts.ts';
import type { Steps } from '../reads/read-steps.ts';
import type { Engine } from './engine.ts';
import type { Outbox } from './outbox.ts';

/** Reads that may be long: each works for a few milliseconds, then yields to others. */
export class ReadTasks {
  readonly #engine: Engine;
  readonly #outbox: Outbox;
  readonly #clock: Clock;
  readonly #pageCounts = new PageCounts();

  constructor(options: { engine: Engine; outbox: Outbox; clock: Clock }) {
    this.#engine = options.engine;
    this.#outbox = options.outbox;
    this.#clock = options.clock;
  }

  *list({ id, prefix, limit, after, revision: requested }: ListRequest): Steps {
    const revision = this.#readable(requested);
    const wanted = limit ?? Number.POSITIVE_INFINITY;
    const unpin = this.#engine.compaction.pin(revision);
    try {
      let count = 0;
      let last = after;
      for (const rows of this.#engine.ranges.read({ prefix, after, revision, limit })) {
        const items = rows.slice(0, wanted - count);
        count += items.length;
        last = items.at(-1)?.key ?? last;
        this.#outbox.items(id, items);
        if (count >= wanted) break;
        yield;
      }
      const page = { prefix, after, revision };
      const remaining = count < wanted ? 0 : yield* this.#remaining(page, last, count);
      this.#outbox.respond({ kind: 'page', id, revision, remaining });
    } finally {
      unpin();
    }
  }

  *count(id: number, prefix: string): Steps {
    const { revision } = this.#engine.state.current;
    const unpin = this.#engine.compaction.pin(revision);
    try {
      const number = yield* this.#engine.ranges.count({ prefix, revision });
      this.#outbox.respond({ kind: 'number', id, number });
    } finally {
      unpin();
    }
  }

  // biome-ignore lint/correctness/useYield: a page is one step, which takes its turn with others.
  *changes(id: number, after: Revision): Steps {
    const { events, progress } = this.#engine.history.after(after);
    this.#outbox.changes(id, events, progress);
  }

  *backup(id: number, file: string): Steps {
    const { revision } = this.#engine.state.current;
    const unpin = this.#engine.compaction.pin(revision);
    try {
      const rows = this.#engine.ranges.read({ prefix: '', revision });
      yield* writeBackup({ rows, revision, file, createdMs: this.#clock.nowMs() });
      this.#outbox.respond({ kind: 'number', id, number: revision });
    } finally {
      unpin();
    }
  }

  *#remaining(
    page: { prefix: string; after: string | undefined; revision: Revision },
    last: string | undefined,
    count: number,
  ): Generator<undefined, number> {
    const behind = { ...page, after: last };
    const known = this.#pageCounts.get(page);
    const remaining =
      known === undefined ? yield* this.#engine.ranges.count(behind) : known - count;
    this.#pageCounts.set(behind, remaining);
    return remaining;
  }

  #readable(requested: Revision | undefined): Revision {
    const { revision, compacted } = this.#engine.state.current;
    if (requested === undefined) return revision;
    if (requested > revision) throw new FutureRevision(requested, revision);
    if (requested < compacted) throw new Compacted(requested, compacted);
    return requested;
  }
}
