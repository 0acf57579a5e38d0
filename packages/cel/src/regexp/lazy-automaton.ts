/**
 * Tells whether a text has a match, without where. Sets of instructions become states, made when first needed, so that
 * each further character of the same kind is one look-up.
 */
import { assertionsBetween, kindOfCharacter, NOTHING } from './assertions.ts';
import { ASSERT, MATCH, type Program, SPLIT } from './program.ts';
import { type Scratch, search } from './search.ts';
import type { StepBudget } from './step-budget.ts';

export interface LazyAutomaton {
  matches(text: string, budget: StepBudget): boolean;
}

interface State {
  /** Instructions to go on with; assertions among them wait for the next character. */
  readonly pending: readonly number[];
  /** A character of the kind that was read last, or NOTHING. */
  readonly before: number;
  readonly ascii: (State | undefined)[];
  readonly others: Map<number, State>;
  endMatches: boolean | undefined;
}

/** All states together hold no more instructions and transitions than this; then they are made anew. */
const MEMORY_MAX = 200_000;
const STATE_MEMORY = 160;
/**
 * Steps for making states. Each text brings some; a pattern whose states never repeat has used them up soon and is
 * searched without.
 */
const BUILDING_STEPS_MAX = 400_000;
const BUILDING_STEPS_PER_CHARACTER = 8;
const ASCII_SIZE = 128;

export function lazyAutomaton(program: Program, scratch: Scratch): LazyAutomaton {
  const matched = newState([], NOTHING);
  let states = new Map<string, State>();
  let memory = 0;
  let building = BUILDING_STEPS_MAX;
  const closure = closureOf(program);

  function stateOf(pending: readonly number[], before: number): State {
    const key = `${before}:${pending.join()}`;
    const known = states.get(key);
    if (known !== undefined) return known;
    memory += pending.length + STATE_MEMORY;
    if (memory > MEMORY_MAX) {
      states = new Map();
      memory = pending.length + STATE_MEMORY;
    }
    const made = newState(pending, before);
    states.set(key, made);
    return made;
  }

  function transition(state: State, point: number): State {
    const holds = program.assertions === 0 ? 0 : assertionsBetween(state.before, point);
    const reached = closure(state.pending, holds);
    // Making a state costs several times what following its instructions does.
    building -= 4 * reached.visited;
    if (reached.matches) return matched;
    const next: number[] = [];
    for (const instruction of reached.waiting) {
      if (program.classes[instruction]?.contains(point) === true) {
        next.push(program.out[instruction] ?? 0);
      }
    }
    // A match may begin behind every character.
    next.push(program.start);
    const pending = [...new Set(next)].sort((a, b) => a - b);
    return stateOf(pending, kindOfCharacter(point, program.assertions));
  }

  function step(state: State, point: number): State {
    const known = point < ASCII_SIZE ? state.ascii[point] : state.others.get(point);
    if (known !== undefined) return known;
    const next = transition(state, point);
    memory += 1;
    if (point < ASCII_SIZE) state.ascii[point] = next;
    else state.others.set(point, next);
    return next;
  }

  function endMatches(state: State): boolean {
    if (state.endMatches === undefined) {
      const holds = assertionsBetween(state.before, NOTHING);
      const reached = closure(state.pending, holds);
      state.endMatches = reached.matches;
    }
    return state.endMatches;
  }

  return {
    matches(text, budget) {
      building = Math.min(
        BUILDING_STEPS_MAX,
        building + BUILDING_STEPS_PER_CHARACTER * text.length,
      );
      let state = stateOf([program.start], NOTHING);
      for (let at = 0; at < text.length; at++) {
        const point = text.codePointAt(at) ?? 0;
        if (point > 0xffff) at += 1;
        state = step(state, point);
        if (state === matched) return true;
        if (building < 0) return search(program, text, 0, { budget, scratch }) !== undefined;
      }
      return endMatches(state);
    },
  };
}

function newState(pending: readonly number[], before: number): State {
  return { pending, before, ascii: [], others: new Map(), endMatches: undefined };
}

interface Reached {
  /** Instructions that wait for a character. */
  readonly waiting: readonly number[];
  /** The match is complete. */
  readonly matches: boolean;
  /** How many instructions were looked at. */
  readonly visited: number;
}

/** What is reached from instructions without a character. */
function closureOf(program: Program): (pending: readonly number[], holds: number) => Reached {
  const { operations, out, other } = program;
  // Each call has its own number, by which it knows what it has seen.
  const seenBy = new Float64Array(operations.length);
  let round = 0;
  return (pending, holds) => {
    round += 1;
    const waiting: number[] = [];
    const todo = [...pending];
    let visited = 0;
    for (;;) {
      const instruction = todo.pop();
      if (instruction === undefined) return { waiting, matches: false, visited };
      if (seenBy[instruction] === round) continue;
      seenBy[instruction] = round;
      visited += 1;
      const operation = operations[instruction];
      if (operation === MATCH) return { waiting, matches: true, visited };
      if (operation === SPLIT) todo.push(out[instruction] as number, other[instruction] as number);
      else if (operation !== ASSERT) waiting.push(instruction);
      else if ((holds & (other[instruction] as number)) !== 0)
        todo.push(out[instruction] as number);
    }
  };
}
