import type { Clock, Revision } from '@tributary/storage';
import type { State } from '../database/state.ts';
import type { HistoryBounds } from '../messages/messages.ts';

/** As upstream, where a compaction every five minutes retains five to ten minutes. */
export const DEFAULT_HISTORY: HistoryBounds = { retainMs: 300_000, bytesMax: 256 * 1024 * 1024 };

/** The state of the store at some time. */
interface Sample {
  readonly atMs: number;
  readonly revision: Revision;
  /** The total that was ever added to the history by then. */
  readonly addedBytes: number;
}

const SAMPLES_PER_PERIOD = 10;
const SAMPLES_PER_BYTES_MAX = 16;

/**
 * Decides the revision up to which history is compacted. Rows have no time: samples of time and revision are enough. A
 * restart loses the samples and therefore retains history longer, never shorter.
 */
export class CompactionPolicy {
  readonly #bounds: HistoryBounds;
  readonly #clock: Clock;
  #samples: Sample[] = [];
  #addedBytes: number;
  #forgottenBytes = 0;

  constructor(bounds: HistoryBounds, clock: Clock, state: State) {
    this.#bounds = bounds;
    this.#clock = clock;
    this.#addedBytes = state.historyBytes;
    this.#sample(state);
  }

  /** The time until the next target is due, if nothing is written. */
  get waitMs(): number {
    const last = this.#samples.at(-1);
    const grown = this.#addedBytes - (last?.addedBytes ?? this.#forgottenBytes);
    if (grown >= this.#bounds.bytesMax / SAMPLES_PER_BYTES_MAX) return 0;
    return (last?.atMs ?? 0) + this.#bounds.retainMs / SAMPLES_PER_PERIOD - this.#clock.nowMs();
  }

  added(bytes: number): void {
    this.#addedBytes += bytes;
  }

  /** The revision to compact to now, if any. */
  target(state: State): Revision | undefined {
    if (this.waitMs <= 0) this.#sample(state);
    const aged = this.#samples.findLastIndex(
      ({ atMs }) => this.#clock.nowMs() - atMs >= this.#bounds.retainMs,
    );
    const index = Math.max(aged, this.#overflow());
    const sample = this.#samples[index];
    if (sample === undefined) return undefined;
    this.#samples = this.#samples.slice(index + 1);
    this.#forgottenBytes = sample.addedBytes;
    return sample.revision > state.compacted ? sample.revision : undefined;
  }

  /** The first sample after which the additions fit; -1 while everything fits. */
  #overflow(): number {
    const { bytesMax } = this.#bounds;
    if (this.#addedBytes - this.#forgottenBytes <= bytesMax) return -1;
    const fits = this.#samples.findIndex(
      ({ addedBytes }) => this.#addedBytes - addedBytes <= bytesMax * 0.75,
    );
    return fits === -1 ? this.#samples.length - 1 : fits;
  }

  #sample({ revision }: State): void {
    const atMs = this.#clock.nowMs();
    this.#samples.push({ atMs, revision, addedBytes: this.#addedBytes });
  }
}
