/** Something with items of its own, for projections to live in: changed by others too, slow, and failing on demand. */
import { VirtualClock } from '../../../../test/harness/index.ts';
import {
  type PolledSource,
  type RevisionedSource,
  type SourceBatch,
  type SourceChange,
  type SourceDelete,
  SourceHistoryGone,
  type SourceOptions,
  type SourceWrite,
} from '../../src/projection/source.ts';

export interface FakeItem {
  readonly id: string;
  /** Given by the source: the number of the change that made it. */
  readonly revision: number;
  /** Only items with `ours` are shown by the projections of the tests. */
  readonly label: string;
  readonly content: string;
  /** Something that the projection does not know. */
  readonly foreign?: string;
}

export class FakeSource {
  /** Every call is refused while it is true, and changes are not reported. */
  unavailable = false;
  /** Every call takes this long, by the clock of the source. */
  delayMs = 0;
  /** Writes happen, and their answers are lost. */
  losesResponses = false;
  /** Changes are reported only when this is false. */
  holdsChanges = false;
  /** The last changes are reported again after every reconnection. */
  repeatsChanges = false;
  readonly calls: string[] = [];
  readonly #items = new Map<string, FakeItem>();
  #changes: SourceChange<FakeItem>[] = [];
  #wakeups = new Set<() => void>();
  #oldest: number;
  #revision: number;
  #cuts = 0;

  readonly #clock: VirtualClock;

  constructor(firstRevision = 100, clock = new VirtualClock()) {
    this.#revision = firstRevision;
    this.#oldest = firstRevision;
    this.#clock = clock;
  }

  get revision(): number {
    return this.#revision;
  }

  item(id: string): FakeItem | undefined {
    return this.#items.get(id);
  }

  /** An external write, without any precondition. */
  put(item: Omit<FakeItem, 'revision'>): FakeItem {
    const stored = { ...item, revision: this.#revision + 1 };
    this.#items.set(item.id, stored);
    this.#record({ kind: 'put', item: stored, revision: stored.revision });
    return stored;
  }

  remove(id: string): void {
    const item = this.#items.get(id);
    if (item === undefined) throw new Error(`there is no item ${id}`);
    this.#items.delete(id);
    this.#record({ kind: 'delete', item, revision: this.#revision + 1 });
  }

  /** Something else than items has changed: the number grows. */
  tick(): void {
    this.#revision += 1;
    this.wake();
  }

  /** Everything reported so far cannot be asked for again. */
  forgetHistory(): void {
    this.#oldest = this.#revision;
    this.#changes = [];
  }

  /** Ends every `changes` that is open, as a server does now and then. */
  cutChanges(): void {
    this.#cuts += 1;
    this.wake();
  }

  wake(): void {
    for (const wake of this.#wakeups) wake();
  }

  revisioned(): RevisionedSource<FakeItem> {
    return {
      ...this.#writes(),
      kind: 'revisioned',
      revisionOf: ({ revision }) => revision,
      list: (options) =>
        this.#call('list', options, () => ({
          revision: this.#revision,
          items: [...this.#items.values()],
        })),
      changes: (after, options) => this.#follow(after, options),
    };
  }

  polled(everyMs: number): PolledSource<FakeItem> {
    return {
      ...this.#writes(),
      kind: 'polled',
      everyMs,
      versionOf: ({ revision }) => `v${revision}`,
      list: (options) => this.#call('list', options, () => [...this.#items.values()]),
    };
  }

  #writes() {
    return {
      idOf: ({ id }: FakeItem) => id,
      get: (id: string, options: SourceOptions) =>
        this.#call('get', options, () => this.#items.get(id)),
      create: (item: FakeItem, options: SourceOptions) =>
        this.#write('create', options, (): SourceWrite<FakeItem> => {
          if (this.#items.has(item.id)) return { outcome: 'conflict' };
          return { outcome: 'written', item: this.put(item) };
        }),
      update: (item: FakeItem, previous: FakeItem, options: SourceOptions) =>
        this.#write('update', options, (): SourceWrite<FakeItem> => {
          if (!this.#isCurrent(previous)) return { outcome: 'conflict' };
          return { outcome: 'written', item: this.put(item) };
        }),
      delete: (previous: FakeItem, options: SourceOptions) =>
        this.#write('delete', options, (): SourceDelete => {
          if (!this.#isCurrent(previous)) return { outcome: 'conflict' };
          this.remove(previous.id);
          return { outcome: 'deleted' };
        }),
    };
  }

  #isCurrent({ id, revision }: FakeItem): boolean {
    return this.#items.get(id)?.revision === revision;
  }

  async *#follow(after: number, { signal }: SourceOptions): AsyncGenerator<SourceBatch<FakeItem>> {
    await this.#call('changes', { signal }, () => undefined);
    const cuts = this.#cuts;
    let reported = this.repeatsChanges ? Math.max(after - 3, this.#oldest) : after;
    if (after < this.#oldest) reported = after;
    for (let first = true; !signal.aborted && this.#cuts === cuts; first = false) {
      if (this.unavailable) throw new Error('the source hung up');
      if (reported < this.#oldest)
        throw new SourceHistoryGone(`nothing is known after ${reported}`);
      if (!this.holdsChanges && (first || reported < this.#revision)) {
        const changes = this.#changes.filter(({ revision }) => revision > reported);
        reported = this.#revision;
        yield { changes, progress: reported };
      } else {
        await this.#sleep(signal);
      }
    }
  }

  async #call<T>(name: string, { signal }: SourceOptions, work: () => T): Promise<T> {
    this.calls.push(name);
    // The result is the state at the call; returning it takes time.
    if (this.unavailable) throw new Error('the source refused the connection');
    const result = work();
    if (this.delayMs > 0) await this.#clock.sleep(this.delayMs, signal);
    return result;
  }

  async #write<T>(name: string, options: SourceOptions, work: () => T): Promise<T> {
    const result = await this.#call(name, options, work);
    if (this.losesResponses) throw new Error('the connection broke');
    return result;
  }

  #record(change: SourceChange<FakeItem>): void {
    this.#revision = change.revision;
    this.#changes.push(change);
    this.wake();
  }

  async #sleep(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    this.#wakeups.add(wake);
    signal.addEventListener('abort', wake);
    await promise;
    this.#wakeups.delete(wake);
    signal.removeEventListener('abort', wake);
  }
}
