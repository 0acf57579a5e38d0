import { ASSERT, MATCH, type Program, SPLIT } from './program.ts';

/** The states reachable without a character. */
export interface Reached {
  /** Instructions that wait for a character, the preferred ones first. */
  readonly waiting: readonly number[];
  readonly matches: boolean;
  /** How many instructions were looked at. */
  readonly visited: number;
}

interface Entry {
  readonly pending: readonly number[];
  /** The start of the program comes last. */
  readonly restarts: boolean;
}

/** `stopsAtMatch`: what is preferred less than a match does not count. */
export function closureOf(
  { operations, out, other, start }: Program,
  { stopsAtMatch }: { readonly stopsAtMatch: boolean },
): (entry: Entry, holds: number) => Reached {
  // Each call has its own number, by which it knows what it has seen.
  const seenBy = new Float64Array(operations.length);
  let round = 0;
  return ({ pending, restarts }, holds) => {
    round += 1;
    const waiting: number[] = [];
    const todo = restarts ? [start, ...pending.toReversed()] : pending.toReversed();
    let matches = false;
    let visited = 0;
    for (let instruction = todo.pop(); instruction !== undefined; instruction = todo.pop()) {
      if (seenBy[instruction] === round) continue;
      seenBy[instruction] = round;
      visited += 1;
      const operation = operations[instruction];
      if (operation === MATCH) {
        matches = true;
        if (stopsAtMatch) break;
      } else if (operation === SPLIT) {
        todo.push(other[instruction] as number, out[instruction] as number);
      } else if (operation !== ASSERT) {
        waiting.push(instruction);
      } else if ((holds & (other[instruction] as number)) !== 0) {
        todo.push(out[instruction] as number);
      }
    }
    return { waiting, matches, visited };
  };
}
