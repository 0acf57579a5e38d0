/** Random values with a seed, so that a failure can be repeated. */
import { randomInt } from 'node:crypto';
import { defer, type TestScope } from './scope.ts';

const SEED_MAX = 2 ** 32;

/**
 * Random values for one test. The seed is `TEST_SEED` or new; it is among the test's diagnostics, and a failed test
 * prints how to repeat it.
 */
export function seededRandom(
  t: TestScope,
  env: Readonly<Record<string, string | undefined>> = process.env,
): SeededRandom {
  const seed = env.TEST_SEED ? parseSeed(env.TEST_SEED) : randomInt(SEED_MAX);
  t.diagnostic(`seed ${seed}`);
  defer(t, ({ failed }) => {
    if (failed) process.stderr.write(`${t.name}: repeat with TEST_SEED=${seed}\n`);
  });
  return new SeededRandom(seed);
}

export class SeededRandom {
  readonly seed: number;
  #state: number;

  constructor(seed: number) {
    this.seed = seed;
    this.#state = seed;
  }

  /** At least 0 and less than 1. This is mulberry32: short, and good enough for test cases. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / SEED_MAX;
  }

  /** A whole number, both ends included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    if (values.length === 0) throw new Error('nothing to pick from');
    return values[this.int(0, values.length - 1)] as T;
  }

  /** A new array in random order. */
  shuffle<T>(values: readonly T[]): T[] {
    return values
      .map((value) => ({ value, place: this.next() }))
      .sort((a, b) => a.place - b.place)
      .map(({ value }) => value);
  }
}

function parseSeed(text: string): number {
  const seed = Number(text);
  if (!Number.isInteger(seed) || seed < 0 || seed >= SEED_MAX) {
    throw new Error(`TEST_SEED must be a whole number below ${SEED_MAX}, not ${text}`);
  }
  return seed;
}
