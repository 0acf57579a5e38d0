import { randomBytes } from 'node:crypto';

/** A random number from 0 up to, and without, a bound. */
export type RandomBelow = (bound: bigint) => bigint;

interface NumberPoolOptions {
  readonly first: bigint;
  readonly last: bigint;
  /** The number of values from the first on that are picked only when all others are in use. */
  readonly reserved: bigint;
  readonly random?: RandomBelow;
  readonly nowMs?: () => number;
}

/**
 * Numbers with at most one owner each, as far as this process knows. The store decides: a caller whose number is in use
 * there calls `avoid` and picks again.
 */
export interface NumberPool {
  contains(number: bigint): boolean;
  isAllocated(number: bigint): boolean;
  allocate(number: bigint, owner: string): void;
  /** Ignores other owners, because the number may have been allocated again. */
  release(number: bigint, owner: string): void;
  clear(): void;
  /** Skips a number for a while that another owner has in the store and that the informer has not reported yet. */
  avoid(number: bigint): void;
  /** A random free number, which stays free until `allocate`; undefined when there is none. */
  pick(except?: ReadonlySet<bigint>): bigint | undefined;
}

/** Longer than an informer takes to report the owner. */
const AVOIDED_MS = 10_000;

export function numberPool(options: NumberPoolOptions): NumberPool {
  const { first, last, reserved, random = randomBelow, nowMs = () => performance.now() } = options;
  const owners = new Map<bigint, string>();
  const avoidedUntil = new Map<bigint, number>();
  const isAvoided = (number: bigint) => (avoidedUntil.get(number) ?? -1) > nowMs();

  const pickWithin = (from: bigint, to: bigint, except: ReadonlySet<bigint>) => {
    const size = to - from + 1n;
    if (size <= 0n) return undefined;
    const start = random(size);
    // With this many steps at least one number is free: allocated, avoided and excluded ones are fewer.
    const steps = BigInt(owners.size + avoidedUntil.size + except.size + 1);
    for (let step = 0n; step < steps && step < size; step += 1n) {
      const number = from + ((start + step) % size);
      if (!owners.has(number) && !isAvoided(number) && !except.has(number)) return number;
    }
    return undefined;
  };

  return {
    contains: (number) => number >= first && number <= last,
    isAllocated: (number) => owners.has(number),
    allocate: (number, owner) => {
      owners.set(number, owner);
      avoidedUntil.delete(number);
    },
    release: (number, owner) => {
      if (owners.get(number) === owner) owners.delete(number);
    },
    clear: () => {
      owners.clear();
      avoidedUntil.clear();
    },
    avoid: (number) => {
      const now = nowMs();
      for (const [other, untilMs] of avoidedUntil) if (untilMs <= now) avoidedUntil.delete(other);
      avoidedUntil.set(number, now + AVOIDED_MS);
    },
    pick: (except = new Set()) =>
      pickWithin(first + reserved, last, except) ??
      pickWithin(first, first + reserved - 1n, except),
  };
}

/** Has many more bits than any range, so that no number is noticeably more likely. */
function randomBelow(bound: bigint): bigint {
  return BigInt(`0x${randomBytes(16).toString('hex')}`) % bound;
}
