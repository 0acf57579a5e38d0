import type { Clock, Revision } from '@tributary/storage';
import { Turn } from '../watch-cache/event-loop.ts';
import { Availability } from './availability.ts';
import { Contents } from './contents.ts';
import type { ProjectionLimits } from './limits.ts';
import type { Mirror } from './mirror.ts';
import { OwnWrites } from './own-writes.ts';
import {
  type PolledSource,
  type ProjectionSource,
  type RevisionedSource,
  type SourceBatch,
  SourceHistoryGone,
} from './source.ts';
import { callSource, unavailable } from './source-call.ts';

export interface FollowerParts<Item> {
  readonly source: ProjectionSource<Item>;
  readonly mirror: Mirror<Item>;
  readonly clock: Clock;
  readonly limits: ProjectionLimits;
}

const BACKOFF_MS = { first: 50, max: 5_000 } as const;
/** Items compared or projected between two checks of the clock. */
const ITEMS_PER_LOOK = 64;
/** Microseconds are below 2^53 until the year 2255, and no source makes a million changes a second. */
const REVISIONS_PER_MS = 1000;

/** Keeps the mirror in sync with its source, from the first use of the projection until it is closed. */
export class Follower<Item> {
  readonly availability: Availability;
  readonly ownWrites = new OwnWrites();
  readonly #parts: FollowerParts<Item>;
  readonly #abort = new AbortController();
  #running: Promise<void> | undefined;
  /** The mirror has the content of the source at its revision. */
  #filled = false;

  constructor(parts: FollowerParts<Item>) {
    const { clock, limits, mirror } = parts;
    this.#parts = parts;
    this.availability = new Availability({
      clock,
      toleratedMs: limits.toleratedOutageMs,
      onDown: () => mirror.sleepers.wake(),
    });
  }

  /** Waits for the first list. */
  async ready(signal?: AbortSignal): Promise<void> {
    this.#running ??= this.#run();
    await this.availability.ready(signal);
  }

  /** Calls the source with a timeout; closing the projection ends the call too. */
  call<T>(call: (options: { signal: AbortSignal }) => Promise<T>): Promise<T> {
    const { clock, limits } = this.#parts;
    const { signal } = this.#abort;
    return callSource(call, { clock, timeoutMs: limits.callTimeoutMs, signal });
  }

  async close(): Promise<void> {
    this.#abort.abort(new Error('the projection is closed'));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { source } = this.#parts;
    const { signal } = this.#abort;
    let backoffMs: number = BACKOFF_MS.first;
    while (!signal.aborted) {
      try {
        const onUp = () => {
          backoffMs = BACKOFF_MS.first;
          this.availability.up();
        };
        if (source.kind === 'polled') await this.#poll(source, onUp);
        else await this.#follow(source, onUp);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof SourceHistoryGone) this.#filled = false;
        else this.availability.failed(unavailable(error));
        await this.#pause(backoffMs);
        backoffMs = Math.min(backoffMs * 2, BACKOFF_MS.max);
      }
    }
  }

  /** Follows until the source ends the changes, which it may do at any time. */
  async #follow(source: RevisionedSource<Item>, onUp: () => void): Promise<void> {
    const { mirror } = this.#parts;
    const { signal } = this.#abort;
    if (!this.#filled) {
      const { items, revision } = await this.call((options) => source.list(options));
      assertGrows(mirror.revision, revision);
      await this.#fill(items, { revision, of: (item) => asRevision(source.revisionOf(item)) });
      onUp();
    }
    for await (const batch of source.changes(mirror.revision, { signal })) {
      await this.#apply(batch);
      onUp();
    }
    await this.#pause(BACKOFF_MS.first);
  }

  /** Changes repeated after a reconnection are skipped: each counts once. */
  async #apply({ changes, progress }: SourceBatch<Item>): Promise<void> {
    const { mirror, source } = this.#parts;
    const known = mirror.revision;
    const turn = new Turn();
    let last = known;
    for (const change of changes) {
      const revision = asRevision(change.revision);
      if (revision <= known) continue;
      if (revision < last) throw new Error(`the source reported ${revision} after ${last}`);
      // Changes of one revision are applied without a yield between them.
      if (revision > last && turn.isOver) await turn.next();
      if (change.kind === 'put') mirror.put(change.item, revision);
      else mirror.delete(source.idOf(change.item), revision);
      last = revision;
    }
    mirror.advance(asRevision(Math.max(progress, last)));
  }

  async #poll(source: PolledSource<Item>, onUp: () => void): Promise<void> {
    const touched = this.ownWrites.watch();
    try {
      const items = await this.call((options) => source.list(options));
      if (this.#filled) await this.#compare(source, items, touched);
      else {
        const revision = asRevision(Math.floor(this.#parts.clock.nowMs() * REVISIONS_PER_MS));
        await this.#fill(items, { revision, of: () => revision });
      }
    } finally {
      this.ownWrites.unwatch();
    }
    onUp();
    await this.#pause(source.everyMs);
  }

  async #fill(
    items: readonly Item[],
    { revision, of }: { revision: number; of: (item: Item) => Revision },
  ): Promise<void> {
    const { mirror } = this.#parts;
    const contents = new Contents<Item>();
    await this.#each(items, (item) => mirror.load(contents, item, of(item)));
    mirror.reset(contents, asRevision(revision));
    this.#filled = true;
  }

  async #compare(
    source: PolledSource<Item>,
    items: readonly Item[],
    touched: ReadonlySet<string>,
  ): Promise<void> {
    const { mirror } = this.#parts;
    const present = new Set<string>();
    await this.#each(items, (item) => {
      const id = source.idOf(item);
      present.add(id);
      const known = mirror.entryById(id)?.item;
      if (touched.has(id)) return;
      if (known !== undefined && source.versionOf(known) === source.versionOf(item)) return;
      mirror.put(item, nextRevision(mirror));
    });
    await this.#each(mirror.ids(), (id) => {
      if (!present.has(id) && !touched.has(id)) mirror.delete(id, nextRevision(mirror));
    });
  }

  async #each<T>(all: readonly T[], work: (one: T) => void): Promise<void> {
    const turn = new Turn();
    for (const [index, one] of all.entries()) {
      work(one);
      if (index % ITEMS_PER_LOOK === ITEMS_PER_LOOK - 1 && turn.isOver) await turn.next();
      this.#abort.signal.throwIfAborted();
    }
  }

  async #pause(delayMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    const { signal } = this.#abort;
    const cancel = this.#parts.clock.schedule(delayMs, wake);
    signal.addEventListener('abort', wake);
    if (signal.aborted) wake();
    await promise;
    signal.removeEventListener('abort', wake);
    cancel();
  }
}

/** The revision of a change that has no number of its own. */
export function nextRevision(mirror: { readonly revision: Revision }): Revision {
  return (mirror.revision + 1) as Revision;
}

export function asRevision(revision: number): Revision {
  if (Number.isSafeInteger(revision) && revision > 0) return revision as Revision;
  throw new Error(`not a revision, which is an integer from 1 to 2^53: ${revision}`);
}

/** With a source restored from an old backup, watches that resume would miss changes. */
function assertGrows(known: Revision, listed: number): void {
  if (listed >= known) return;
  throw new Error(
    `the source went back from revision ${known} to ${listed}; start the server anew`,
  );
}
