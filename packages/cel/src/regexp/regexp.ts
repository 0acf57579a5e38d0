/** Regular expressions of RE2: linear in the text, whatever the pattern. */
import { type LazyAutomaton, lazyAutomaton } from './lazy-automaton.ts';
import { parseRegexp } from './parse.ts';
import { compileProgram } from './program.ts';
import { RegexpError } from './regexp-error.ts';
import { type Match, newScratch, search } from './search.ts';
import { newStepBudget } from './step-budget.ts';

export interface Regexp {
  /** Whether there is a match anywhere. These three throw CostLimitExceeded past the bound of steps. */
  matches(text: string): boolean;
  /** The leftmost match. */
  find(text: string): Match | undefined;
  /** Matches that do not overlap; at most `limit`, all when it is negative. */
  findAll(text: string, limit?: number): Match[];
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

function newRegexp(pattern: string): Regexp {
  const program = compileProgram(parseRegexp(pattern));
  let automaton: LazyAutomaton | undefined;
  const scratch = newScratch(program);
  const matches = (text: string): boolean => {
    automaton ??= lazyAutomaton(program, scratch);
    return automaton.matches(text, newStepBudget(text));
  };
  return {
    matches,
    // Whether there is anything to find is known much sooner than where.
    find(text) {
      if (!matches(text)) return undefined;
      return search(program, text, 0, { budget: newStepBudget(text), scratch });
    },
    findAll(text, limit = -1) {
      if (limit === 0 || !matches(text)) return [];
      const budget = newStepBudget(text);
      return collect(text, limit, (from) => search(program, text, from, { budget, scratch }));
    },
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
