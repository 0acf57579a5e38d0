import type { Clock } from '@tributary/storage';
import type { DerivedBytes } from './derived-bytes.ts';
import type { WatchCacheLimits } from './limits.ts';

/** A cache, as far as its memory is concerned. */
export interface MemoryUser {
  readonly bytes: number;
  readonly watchers: number;
  /** The time of the last read or watch. */
  readonly usedMs: number;
  readonly isFilled: boolean;
  shrinkHistory(): void;
  drop(): void;
}

/** The memory of a cache that was dropped for lack of room, and when. */
export interface Refusal {
  readonly bytes: number;
  readonly atMs: number;
}

/** The interval of the sums: the bytes of the commits within it are small beside the bound. */
const CHECK_MS = 100;

/** Filling a cache drops only caches that were idle for this long. */
const COLD_MS = 60_000;

/** A resource that did not fit may have shrunk, which only another attempt shows. */
const RETRY_MS = 300_000;

/** A cache returns only when this share of the bound would suffice, so that it is not dropped again at once. */
const RETURN_SHARE = 0.9;

/** Enforces `bytesMax` over all caches of a process, in the order that `WatchCacheLimits` describes. */
export class MemoryBound {
  readonly #bytesMax: number;
  readonly #clock: Clock;
  readonly #derivedBytes: DerivedBytes;
  readonly #users: () => Iterable<MemoryUser>;
  #checkedMs = Number.NEGATIVE_INFINITY;

  constructor(
    { bytesMax }: Pick<WatchCacheLimits, 'bytesMax'>,
    parts: { clock: Clock; derivedBytes: DerivedBytes; users: () => Iterable<MemoryUser> },
  ) {
    this.#bytesMax = bytesMax;
    this.#clock = parts.clock;
    this.#derivedBytes = parts.derivedBytes;
    this.#users = parts.users;
  }

  /** Whether a cache that is being filled may continue. */
  makeRoom(): boolean {
    const coldSinceMs = this.#clock.nowMs() - COLD_MS;
    return this.#free(({ watchers, usedMs }) => watchers === 0 && usedMs <= coldSinceMs);
  }

  /** For caches that grow with their objects: drops memory, and as the last resort caches with their watches. */
  enforce(): void {
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#checkedMs < CHECK_MS) return;
    this.#checkedMs = nowMs;
    if (!this.#free(({ watchers }) => watchers === 0)) this.#free(() => true);
  }

  /** Whether a dropped cache may be filled again. */
  admits(refusal: Refusal | undefined): boolean {
    if (refusal === undefined || this.#clock.nowMs() - refusal.atMs > RETRY_MS) return true;
    return this.#stateBytes() + refusal.bytes <= RETURN_SHARE * this.#bytesMax;
  }

  #free(mayGo: (user: MemoryUser) => boolean): boolean {
    let stateBytes = this.#stateBytes();
    this.#derivedBytes.evictTo(Math.max(0, this.#bytesMax - stateBytes));
    if (stateBytes <= this.#bytesMax) return true;
    for (const user of this.#users()) user.shrinkHistory();
    stateBytes = this.#stateBytes();
    while (stateBytes > this.#bytesMax) {
      const coldest = this.#coldest(mayGo);
      if (coldest === undefined) return false;
      coldest.drop();
      stateBytes = this.#stateBytes();
    }
    return true;
  }

  #coldest(mayGo: (user: MemoryUser) => boolean): MemoryUser | undefined {
    let coldest: MemoryUser | undefined;
    for (const user of this.#users()) {
      if (!user.isFilled || !mayGo(user)) continue;
      if (coldest === undefined || user.usedMs < coldest.usedMs) coldest = user;
    }
    return coldest;
  }

  #stateBytes(): number {
    let bytes = 0;
    for (const user of this.#users()) bytes += user.bytes;
    return bytes;
  }
}
