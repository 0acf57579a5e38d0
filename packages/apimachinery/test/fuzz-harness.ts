/** Runs a function with random and corrupted inputs and reports violations. The same seed generates the same inputs. */

export interface FuzzTarget {
  readonly name: string;
  /** Valid inputs, which are corrupted before use. */
  readonly seeds: readonly string[];
  /** Tokens that are significant to the target. */
  readonly dictionary: readonly string[];
  /** Runs one input. Returns a message when an invariant does not hold. */
  run(input: string): string | undefined;
  /** The errors that the target may throw; all others are bugs. */
  readonly expected: readonly (abstract new (
    ...arguments_: never[]
  ) => Error)[];
}

export interface FuzzOptions {
  readonly seed: number;
  readonly runs: number;
  /** The CPU time of the thread that one call may use, independent of the load of the machine. */
  readonly callCpuMsMax: number;
  /** Repetitions of a slow input, because a garbage collection may occur during a call. */
  readonly retries: number;
}

/** Returns a message with the input and the seed; undefined without a violation. */
export function fuzz(target: FuzzTarget, options: FuzzOptions): string | undefined {
  const random = randomNumbers(options.seed);
  const prototype = Object.getOwnPropertyNames(Object.prototype).sort().join();
  for (let run = 0; run < options.runs; run += 1) {
    const input = makeInput(target, random);
    const violation = tryInput(target, input, options) ?? changedPrototype(prototype);
    if (violation !== undefined) {
      return `${target.name}: ${violation}\ninput ${JSON.stringify(input.slice(0, 2_000))}\nseed ${options.seed}, run ${run}`;
    }
  }
  return undefined;
}

function tryInput(target: FuzzTarget, input: string, options: FuzzOptions): string | undefined {
  let fastest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt <= options.retries; attempt += 1) {
    const startMs = threadCpuMs();
    try {
      const violation = target.run(input);
      if (violation !== undefined) return violation;
    } catch (error) {
      const isExpected = target.expected.some((type) => error instanceof type);
      if (!isExpected) return `threw ${error instanceof Error ? error.stack : String(error)}`;
    }
    fastest = Math.min(fastest, threadCpuMs() - startMs);
    if (fastest <= options.callCpuMsMax) return undefined;
  }
  return `took ${fastest.toFixed(0)} ms`;
}

/** The CPU time of this thread, without the threads of the garbage collector. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function changedPrototype(before: string): string | undefined {
  const now = Object.getOwnPropertyNames(Object.prototype).sort().join();
  return now === before ? undefined : 'Object.prototype has changed';
}

export type RandomNumbers = (below: number) => number;

/** Random integers below a limit, by the generator "mulberry32". */
export function randomNumbers(seed: number): RandomNumbers {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

function makeInput({ seeds, dictionary }: FuzzTarget, random: RandomNumbers): string {
  const pick = <One>(list: readonly One[], none: One): One => list[random(list.length)] ?? none;
  const piece = () =>
    random(4) === 0 ? String.fromCodePoint(randomCodePoint(random)) : pick(dictionary, '');
  if (random(4) === 0) return Array.from({ length: random(40) }, piece).join('');
  let input = pick(seeds, '');
  for (let edits = 1 + random(5); edits > 0; edits -= 1) {
    const at = random(input.length + 1);
    const removed = random(3) === 0 ? random(8) : 0;
    const copied = random(6) === 0 ? input.slice(at, at + random(30)).repeat(1 + random(4)) : '';
    const added = random(5) === 0 ? '' : piece();
    input = input.slice(0, at) + added + copied + input.slice(at + removed);
  }
  return input;
}

function randomCodePoint(random: RandomNumbers): number {
  const limits = [0x20, 0x80, 0x300, 0x10000, 0x110000];
  const code = random(limits[random(limits.length)] ?? 0x80);
  return code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
}
