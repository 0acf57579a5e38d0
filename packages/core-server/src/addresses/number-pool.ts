import { randomBytes } from 'node:crypto';

/** A random number from 0 up to, and without, a bound. */
export type RandomBelow = (bound: bigint) => bigint;

interface NumberPoolOptions {
  readonly first: bigint;
  readonly last: bigint;
  /** As many from the first on are picked only when all others are gone. */
  readonly reserved: bigint;
  readonly random?: RandomBelow;
  readonly nowMs?: () => number;
}

/**
 * Numbers of which each has at most one owner, as far as is known here. The store decides: somebody who has picked a
 * number may find it taken, says so, and picks again.
 */
export interface NumberPool {
  contains(number: bigint): boolean;
  isTaken(number: bigint): boolean;
  take(number: bigint, owner: string): void;
  /** Only from the owner: others may have got it since. */
  release(number: bigint, owner: string): void;
  clear(): void;
  /** It was picked and somebody had it, of whom nothing is known here yet. */
  avoid(number: bigint): void;
  /** A random free number, or none: it is not taken by this. */
  pick(except?: ReadonlySet<bigint>): bigint | undefined;
}

/** By then it is known who has the number, or that nobody does. */
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
    // Among so many different numbers at least one is free: the walk never takes longer.
    const steps = BigInt(owners.size + avoidedUntil.size + except.size + 1);
    for (let step = 0n; step < steps && step < size; step += 1n) {
      const number = from + ((start + step) % size);
      if (!owners.has(number) && !isAvoided(number) && !except.has(number)) return number;
    }
    return undefined;
  };

  return {
    contains: (number) => number >= first && number <= last,
    isTaken: (number) => owners.has(number),
    take: (number, owner) => {
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

/** More bits than any range has: no number is noticeably more likely than another. */
function randomBelow(bound: bigint): bigint {
  return BigInt(`0x${randomBytes(16).toString('hex')}`) % bound;
}
