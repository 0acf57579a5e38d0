/**
 * Lists of instructions as states, made when they are first needed, so that each further character of the same kind is one
 * look-up. Tells whether there is a match, where the first one ends, and from there where it began.
 */
import { assertionsBetween, kindOfCharacter, NOTHING } from './assertions.ts';
import { closureOf } from './closure.ts';
import type { Program } from './program.ts';
import { pointBefore } from './search.ts';
import { CHARACTERS_PER_STEP, type StepCount } from './step-count.ts';

/** The result of a scan: a position in the text, none, or too many states to tell. */
export const NO_PLACE = -1;
export const TOO_MANY_STATES = -2;

/**
 * `any` finds whether there is a match, `end` where the match ends that a backtracking search would find first, and `start`,
 * reading from there to the left, the first of the places where one can begin.
 */
export type Purpose = 'any' | 'end' | 'start';

interface State {
  /** Instructions to go on with, the preferred ones first; assertions among them wait for the next character. */
  readonly pending: readonly number[];
  /** A match may still begin behind the next character. */
  readonly restarts: boolean;
  /** A character of the kind that was read last, or NOTHING. */
  readonly before: number;
  /** Edges for characters beyond ASCII, and for the end of the text. */
  readonly others: Map<number, number>;
}

/** At most so many states with so many instructions are kept; then they are made anew. */
const STATES_MAX = 1024;
const INSTRUCTIONS_MAX = 200_000;
const STATES_AT_FIRST = 8;
/**
 * Steps for making states. Each text brings some; a pattern whose states never repeat has used them up soon and is
 * searched without.
 */
const BUILDING_STEPS_MAX = 400_000;
const BUILDING_STEPS_PER_CHARACTER = 8;
const STEPS_PER_STATE = 40;
const STEPS_PER_INSTRUCTION = 4;
const ASCII_BITS = 7;
const ASCII_SIZE = 1 << ASCII_BITS;

/** An edge is a number: whether a match ends before the character, and the state behind it. */
const UNKNOWN = 0;
const MATCHES = 1;
const DEAD = -1;
const edgeTo = (state: number, matches: boolean) => ((state + 2) << 1) | (matches ? MATCHES : 0);
const stateBehind = (edge: number) => (edge >> 1) - 2;

export class Automaton {
  readonly #program: Program;
  readonly #purpose: Purpose;
  readonly #closure: ReturnType<typeof closureOf>;
  #states: State[] = [];
  #numbers = new Map<string, number>();
  /** Edges for ASCII, 128 for each state. */
  #edges = new Int32Array(STATES_AT_FIRST << ASCII_BITS);
  #instructions = 0;
  #building = BUILDING_STEPS_MAX;

  constructor(program: Program, purpose: Purpose) {
    this.#program = program;
    this.#purpose = purpose;
    this.#closure = closureOf(program, { stopsAtMatch: purpose !== 'start' });
  }

  /** Where the first match at or behind a place ends; for purpose `any`, where some match is known to be. */
  endFrom(text: string, from: number, steps: StepCount): number {
    let state = this.#begin(pointBefore(text, from), text.length - from);
    const building = this.#building;
    const isEnough = this.#purpose === 'any';
    let edges = this.#edges;
    let end = NO_PLACE;
    let at = from;
    /** Characters that are not looked up in one table. */
    let slower = 0;
    while (at < text.length) {
      const unit = text.charCodeAt(at);
      const point = unit < ASCII_SIZE ? unit : (text.codePointAt(at) ?? unit);
      let edge = point < ASCII_SIZE ? (edges[(state << ASCII_BITS) | point] as number) : UNKNOWN;
      if (edge === UNKNOWN) {
        edge = this.#edge(state, point);
        edges = this.#edges;
        slower += 1;
        if (this.#building < 0) break;
      }
      if ((edge & MATCHES) !== 0) {
        end = at;
        if (isEnough) break;
      }
      state = stateBehind(edge);
      at += point > 0xffff ? 2 : 1;
      if (state === DEAD) break;
    }
    steps.add((at - from) / CHARACTERS_PER_STEP + slower + building - this.#building);
    if (this.#building < 0) return TOO_MANY_STATES;
    if (at < text.length || state === DEAD) return end;
    return (this.#edge(state, NOTHING) & MATCHES) === 0 ? end : text.length;
  }

  /** Where the longest match that ends at a place begins, not before `from`. */
  startOf(text: string, from: number, end: number, steps: StepCount): number {
    const after = end < text.length ? (text.codePointAt(end) ?? NOTHING) : NOTHING;
    let state = this.#begin(after, end - from);
    const building = this.#building;
    let edges = this.#edges;
    let start = NO_PLACE;
    let at = end;
    while (state !== DEAD) {
      const point = pointBefore(text, at);
      const isAscii = point >= 0 && point < ASCII_SIZE;
      let edge = isAscii ? (edges[(state << ASCII_BITS) | point] as number) : UNKNOWN;
      if (edge === UNKNOWN) {
        edge = this.#edge(state, point);
        edges = this.#edges;
      }
      if ((edge & MATCHES) !== 0) start = at;
      if (at <= from || this.#building < 0) break;
      at -= point > 0xffff ? 2 : 1;
      state = stateBehind(edge);
    }
    steps.add((end - at) / CHARACTERS_PER_STEP + building - this.#building);
    return this.#building < 0 ? TOO_MANY_STATES : start;
  }

  #begin(before: number, characters: number): number {
    const more = BUILDING_STEPS_PER_CHARACTER * characters;
    this.#building = Math.min(BUILDING_STEPS_MAX, this.#building + more);
    const { assertions, start } = this.#program;
    const kind =
      before === NOTHING || assertions === 0 ? NOTHING : kindOfCharacter(before, assertions);
    return this.#purpose === 'start'
      ? this.#number([start], false, kind)
      : this.#number([], true, kind);
  }

  #edge(state: number, point: number): number {
    const from = this.#states[state] as State;
    const isAscii = point >= 0 && point < ASCII_SIZE;
    const known = isAscii ? this.#edges[(state << ASCII_BITS) | point] : from.others.get(point);
    if (known !== undefined && known !== UNKNOWN) return known;
    const edge = this.#makeEdge(from, point);
    // When all states were made anew meanwhile, this one is not among them.
    if (this.#states[state] !== from) return edge;
    if (isAscii) this.#edges[(state << ASCII_BITS) | point] = edge;
    else from.others.set(point, edge);
    return edge;
  }

  #makeEdge(state: State, point: number): number {
    const { classes, out, assertions } = this.#program;
    const reached = this.#closure(state, this.#holds(state.before, point));
    this.#building -= STEPS_PER_STATE + STEPS_PER_INSTRUCTION * reached.visited;
    const { matches } = reached;
    if (point === NOTHING) return edgeTo(DEAD, matches);
    const next = new Set<number>();
    for (const instruction of reached.waiting) {
      if (classes[instruction]?.contains(point) === true) next.add(out[instruction] as number);
    }
    const restarts = state.restarts && (!matches || this.#purpose === 'any');
    if (next.size === 0 && !restarts) return edgeTo(DEAD, matches);
    const before = assertions === 0 ? NOTHING : kindOfCharacter(point, assertions);
    return edgeTo(this.#number([...next], restarts, before), matches);
  }

  #holds(before: number, point: number): number {
    if (this.#program.assertions === 0) return 0;
    return this.#purpose === 'start'
      ? assertionsBetween(point, before)
      : assertionsBetween(before, point);
  }

  /** Only where a match ends does it matter which instructions are preferred. */
  #number(found: number[], restarts: boolean, before: number): number {
    const pending = this.#purpose === 'end' ? found : found.sort((a, b) => a - b);
    const key = `${before}:${restarts}:${pending.join()}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#instructions += pending.length;
    if (this.#states.length === STATES_MAX || this.#instructions > INSTRUCTIONS_MAX) this.#forget();
    const number = this.#states.length;
    this.#states.push({ pending, restarts, before, others: new Map() });
    this.#numbers.set(key, number);
    if (this.#edges.length === number << ASCII_BITS) {
      const larger = new Int32Array(this.#edges.length * 2);
      larger.set(this.#edges);
      this.#edges = larger;
    }
    return number;
  }

  #forget(): void {
    this.#states = [];
    this.#numbers = new Map();
    this.#edges = new Int32Array(this.#edges.length);
    this.#instructions = 0;
  }
}
