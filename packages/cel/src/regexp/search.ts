/**
 * Finds the leftmost match, and of those the one that a backtracking search would find first: all ways at once, in the
 * order of their preference, one character at a time.
 */
import { assertionsBetween, NOTHING } from './assertions.ts';
import { ASSERT, MATCH, type Program, SPLIT } from './program.ts';
import type { StepCount } from './step-count.ts';

export interface Match {
  /** In UTF-16 units of the text, as JavaScript slices. */
  readonly start: number;
  readonly end: number;
}

/** Following an instruction takes longer than a step of an evaluation. */
const STEPS_PER_THREAD = 2;

/** The first match at or behind a place. */
export function search(
  program: Program,
  text: string,
  from: number,
  { steps, scratch }: { readonly steps: StepCount; readonly scratch: Scratch },
): Match | undefined {
  const { operations, out, classes, assertions } = program;
  const { following } = scratch;
  let { current, next } = scratch;
  current.clear();
  following.clear();
  let foundStart = -1;
  let foundEnd = -1;
  let at = from;
  let point = pointAt(text, from);
  let holds = assertions === 0 ? 0 : assertionsBetween(pointBefore(text, from), point);
  for (;;) {
    // A later start is worse than any thread that is under way.
    if (foundStart < 0) following.add(current, program.start, at, holds);
    else if (current.count === 0) break;
    steps.add(STEPS_PER_THREAD * (1 + current.visitedCount));
    const width = point > 0xffff ? 2 : 1;
    const after = pointAt(text, at + width);
    const holdsAfter = assertions === 0 ? 0 : assertionsBetween(point, after);
    next.clear();
    for (let index = 0; index < current.count; index++) {
      const instruction = current.instructions[index] as number;
      if (operations[instruction] === MATCH) {
        foundStart = current.starts[index] as number;
        foundEnd = at;
        // Later states are less preferred.
        break;
      }
      if (point !== NOTHING && classes[instruction]?.contains(point) === true) {
        const start = current.starts[index] as number;
        following.add(next, out[instruction] as number, start, holdsAfter);
      }
    }
    if (point === NOTHING) break;
    [current, next] = [next, current];
    at += width;
    point = after;
    holds = holdsAfter;
  }
  return foundStart < 0 ? undefined : { start: foundStart, end: foundEnd };
}

/** Room for one search at a time, which searches of the same program use again. */
export interface Scratch {
  readonly following: Following;
  readonly current: Threads;
  readonly next: Threads;
}

export function newScratch(program: Program): Scratch {
  const size = program.operations.length;
  return {
    following: new Following(program),
    current: new Threads(size),
    next: new Threads(size),
  };
}

/** Threads that wait for a character or have matched, each instruction once, the preferred ones first. */
class Threads {
  readonly instructions: Int32Array;
  readonly starts: Int32Array;
  count = 0;
  /** A sparse set of the instructions that were followed; what stands in it from before does no harm. */
  readonly places: Int32Array;
  readonly visited: Int32Array;
  visitedCount = 0;

  constructor(size: number) {
    this.instructions = new Int32Array(size);
    this.starts = new Int32Array(size);
    this.places = new Int32Array(size);
    this.visited = new Int32Array(size);
  }

  clear(): void {
    this.count = 0;
    this.visitedCount = 0;
  }

  /** Whether it was not there yet. */
  visit(instruction: number): boolean {
    const place = this.places[instruction] as number;
    if (place < this.visitedCount && this.visited[place] === instruction) return false;
    this.places[instruction] = this.visitedCount;
    this.visited[this.visitedCount] = instruction;
    this.visitedCount += 1;
    return true;
  }
}

class Following {
  readonly #program: Program;
  readonly #pending: number[] = [];

  constructor(program: Program) {
    this.#program = program;
  }

  /** A search that was stopped may have left something. */
  clear(): void {
    this.#pending.length = 0;
  }

  /** Adds all instructions that are reached from one without a character. */
  add(threads: Threads, entry: number, start: number, holds: number): void {
    const { operations, out, other } = this.#program;
    const pending = this.#pending;
    pending.push(entry);
    for (;;) {
      const instruction = pending.pop();
      if (instruction === undefined) return;
      if (!threads.visit(instruction)) continue;
      const operation = operations[instruction];
      if (operation === SPLIT) {
        pending.push(other[instruction] as number, out[instruction] as number);
      } else if (operation === ASSERT) {
        if ((holds & (other[instruction] as number)) !== 0)
          pending.push(out[instruction] as number);
      } else {
        threads.instructions[threads.count] = instruction;
        threads.starts[threads.count] = start;
        threads.count += 1;
      }
    }
  }
}

export function pointAt(text: string, at: number): number {
  return at < text.length ? (text.codePointAt(at) ?? NOTHING) : NOTHING;
}

export function pointBefore(text: string, at: number): number {
  if (at === 0) return NOTHING;
  const unit = text.charCodeAt(at - 1);
  const isLow = (unit & 0xfc00) === 0xdc00 && at > 1;
  const whole = isLow ? (text.codePointAt(at - 2) ?? unit) : unit;
  return whole > 0xffff ? whole : unit;
}
