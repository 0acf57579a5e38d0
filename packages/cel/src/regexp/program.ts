/** A pattern as instructions that all threads of a search share. */
import type { CharacterClass } from './character-class.ts';
import type { RegexpNode } from './node.ts';

/** Numbers, because a search is mostly a switch over them. */
export const MATCH = 0;
export const CHARACTER = 1;
/** Goes to `out` first and to `other` second. */
export const SPLIT = 2;
export const ASSERT = 3;

export interface Program {
  readonly operations: Int32Array;
  readonly out: Int32Array;
  /** The second way of a split, or what an assertion requires. */
  readonly other: Int32Array;
  readonly classes: readonly (CharacterClass | undefined)[];
  readonly start: number;
  /** The assertions that occur, so that a search need not look for others. */
  readonly assertions: number;
}

interface Building {
  /** Reads the text from its end. */
  readonly reversed: boolean;
  readonly operations: number[];
  readonly out: number[];
  readonly other: number[];
  readonly classes: (CharacterClass | undefined)[];
  assertions: number;
}

export function compileProgram(node: RegexpNode, { reversed = false } = {}): Program {
  const building: Building = {
    reversed,
    operations: [],
    out: [],
    other: [],
    classes: [],
    assertions: 0,
  };
  // From the end: each part is told where to go on, so nothing is patched but loops.
  const match = emit(building, MATCH, 0, 0);
  const start = build(building, node, match);
  const { classes, assertions } = building;
  return {
    operations: Int32Array.from(building.operations),
    out: Int32Array.from(building.out),
    other: Int32Array.from(building.other),
    classes,
    assertions,
    start,
  };
}

function emit(
  building: Building,
  operation: number,
  out: number,
  other: number,
  of?: CharacterClass,
): number {
  building.operations.push(operation);
  building.out.push(out);
  building.other.push(other);
  building.classes.push(of);
  return building.operations.length - 1;
}

function build(building: Building, node: RegexpNode, next: number): number {
  switch (node.kind) {
    case 'empty':
      return next;
    case 'class':
      return emit(building, CHARACTER, next, 0, node.class);
    case 'assertion':
      building.assertions |= node.assertion;
      return emit(building, ASSERT, next, node.assertion);
    case 'group':
      return build(building, node.of, next);
    case 'concatenation':
      return building.reversed
        ? node.parts.reduce((after, part) => build(building, part, after), next)
        : node.parts.reduceRight((after, part) => build(building, part, after), next);
    case 'alternation':
      return buildAlternation(building, node.parts, next);
    case 'repeat':
      return buildRepeat(building, node, next);
  }
}

function buildAlternation(building: Building, parts: readonly RegexpNode[], next: number): number {
  return parts
    .map((part) => build(building, part, next))
    .reduceRight((second, first) => emit(building, SPLIT, first, second));
}

function buildRepeat(
  building: Building,
  { of, repeat }: RegexpNode & { kind: 'repeat' },
  next: number,
): number {
  const { min, max, greedy } = repeat;
  let entry = next;
  let required = min;
  if (max === Number.POSITIVE_INFINITY) {
    entry =
      min === 0 ? buildStar(building, of, greedy, next) : buildPlus(building, of, greedy, next);
    required = Math.max(0, min - 1);
  } else {
    for (let index = min; index < max; index++) {
      entry = split(building, build(building, of, entry), next, greedy);
    }
  }
  for (let index = 0; index < required; index++) entry = build(building, of, entry);
  return entry;
}

function split(building: Building, into: number, past: number, greedy: boolean): number {
  return greedy ? emit(building, SPLIT, into, past) : emit(building, SPLIT, past, into);
}

/** Once or more often. */
function buildPlus(building: Building, of: RegexpNode, greedy: boolean, next: number): number {
  const loop = split(building, next, next, greedy);
  const entry = build(building, of, loop);
  if (greedy) building.out[loop] = entry;
  else building.other[loop] = entry;
  return entry;
}

/**
 * A repetition of an expression that matches the empty string may be left out, which changes the order of alternatives.
 */
function buildStar(building: Building, of: RegexpNode, greedy: boolean, next: number): number {
  if (isNullable(of)) return split(building, buildPlus(building, of, greedy, next), next, greedy);
  const loop = split(building, next, next, greedy);
  const entry = build(building, of, loop);
  if (greedy) building.out[loop] = entry;
  else building.other[loop] = entry;
  return loop;
}

function isNullable(node: RegexpNode): boolean {
  switch (node.kind) {
    case 'empty':
    case 'assertion':
      return true;
    case 'class':
      return false;
    case 'group':
      return isNullable(node.of);
    case 'concatenation':
      return node.parts.every(isNullable);
    case 'alternation':
      return node.parts.some(isNullable);
    case 'repeat':
      return node.repeat.min === 0 || isNullable(node.of);
  }
}
