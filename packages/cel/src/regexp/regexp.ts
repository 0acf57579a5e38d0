/** Regular expressions of RE2: linear in the text, whatever the pattern. */
import type { Step } from '../values/value.ts';
import { Automaton, NO_PLACE, TOO_MANY_STATES } from './automaton.ts';
import type { RegexpNode } from './node.ts';
import { parseRegexp } from './parse.ts';
import { compileProgram } from './program.ts';
import { RegexpError } from './regexp-error.ts';
import { type Match, newScratch, search } from './search.ts';
import { countedAlone, countedBy, type StepCount } from './step-count.ts';

/**
 * Searches throw CostLimitExceeded when they take too many steps: those of the evaluation whose `step` they are given, or
 * some of their own.
 */
export interface Regexp {
  /** How much work it was to compile. */
  readonly size: number;
  /** Whether there is a match anywhere. */
  matches(text: string, step?: Step): boolean;
  /** The leftmost match. */
  find(text: string, step?: Step): Match | undefined;
  /** Matches that do not overlap; at most `limit`, all when it is negative. */
  findAll(text: string, limit?: number, step?: Step): Match[];
}

export type CompiledRegexp =
  | { readonly ok: true; readonly regexp: Regexp }
  | { readonly ok: false; readonly error: string };

/** The error has the words of Go. */
export function compileRegexp(pattern: string): CompiledRegexp {
  try {
    return { ok: true, regexp: newRegexp(pattern) };
  } catch (error) {
    if (error instanceof RegexpError) return { ok: false, error: error.message };
    throw error;
  }
}

/** Steps for each character and instruction of a pattern that is data, and compiled whenever it is met. */
const STEPS_PER_PATTERN = 1000;
const STEPS_PER_SIZE = 12;

export function compileWith(pattern: string, step: Step): CompiledRegexp {
  step(STEPS_PER_PATTERN + pattern.length * STEPS_PER_SIZE);
  const compiled = compileRegexp(pattern);
  if (compiled.ok) step(compiled.regexp.size * STEPS_PER_SIZE);
  return compiled;
}

/** Steps for a match that is handed out. */
const STEPS_PER_MATCH = 40;

function newRegexp(pattern: string): Regexp {
  const node = parseRegexp(pattern);
  const program = compileProgram(node);
  let automaton: Automaton | undefined;
  let places: ReturnType<typeof finder> | undefined;
  const scratch = newScratch(program);
  const findFrom = (text: string, from: number, steps: StepCount): Match | undefined => {
    places ??= finder(node);
    const found = places(text, from, steps);
    return found === TOO_MANY ? search(program, text, from, { steps, scratch }) : found;
  };
  return {
    size: pattern.length + program.operations.length,
    matches(text, step) {
      automaton ??= new Automaton(program, 'any');
      const steps = countOf(text, step);
      const found = automaton.endFrom(text, 0, steps);
      if (found !== TOO_MANY_STATES) return found !== NO_PLACE;
      return search(program, text, 0, { steps, scratch }) !== undefined;
    },
    find: (text, step) => findFrom(text, 0, countOf(text, step)),
    findAll(text, limit = -1, step = undefined) {
      const steps = countOf(text, step);
      return collect(text, limit, (from) => {
        steps.add(STEPS_PER_MATCH);
        return findFrom(text, from, steps);
      });
    },
  };
}

function countOf(text: string, step: Step | undefined): StepCount {
  return step === undefined ? countedAlone(text) : countedBy(step);
}

/** States would be made without end; the search follows all ways at once instead. */
const TOO_MANY = Symbol('too many states');

function finder(
  node: RegexpNode,
): (text: string, from: number, steps: StepCount) => Match | undefined | typeof TOO_MANY {
  const ends = new Automaton(compileProgram(node), 'end');
  const starts = new Automaton(compileProgram(node, { reversed: true }), 'start');
  return (text, from, steps) => {
    const end = ends.endFrom(text, from, steps);
    if (end === NO_PLACE) return undefined;
    if (end === TOO_MANY_STATES) return TOO_MANY;
    const start = starts.startOf(text, from, end, steps);
    return start === TOO_MANY_STATES ? TOO_MANY : { start, end };
  };
}

/** An empty match directly behind another match does not count. */
function collect(
  text: string,
  limit: number,
  searchFrom: (from: number) => Match | undefined,
): Match[] {
  const found: Match[] = [];
  let from = 0;
  let lastEnd = -1;
  while (from <= text.length && (limit < 0 || found.length < limit)) {
    const match = searchFrom(from);
    if (match === undefined) break;
    const isEmptyHere = match.end === from;
    if (!(isEmptyHere && match.start === lastEnd)) found.push(match);
    from = isEmptyHere ? from + widthAt(text, from) : match.end;
    lastEnd = match.end;
  }
  return found;
}

function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
