/** A set of code points: what one character of the text is tested with. */
import { foldOrbit } from './fold.ts';

/** A part of a class: ranges or a property of Unicode, with its letters' other cases, or all but those. */
export interface ClassPart {
  /** Pairs of first and last; empty for a property. */
  readonly ranges: readonly number[];
  readonly property: RegExp | undefined;
  readonly fold: boolean;
  readonly negated: boolean;
}

export interface CharacterClass {
  contains(point: number): boolean;
}

const ASCII_SIZE = 128;
const UNKNOWN = 0;
const INSIDE = 1;
const OUTSIDE = 2;

export function characterClass(
  parts: readonly ClassPart[],
  { negated }: { readonly negated: boolean },
): CharacterClass {
  const within = (point: number) => parts.some((part) => partContains(part, point)) !== negated;
  // Most text is ASCII, and most classes are asked many times for the same few characters.
  const ascii = new Uint8Array(ASCII_SIZE);
  return {
    contains(point) {
      if (point >= ASCII_SIZE) return within(point);
      const known = ascii[point];
      if (known !== UNKNOWN) return known === INSIDE;
      const found = within(point);
      ascii[point] = found ? INSIDE : OUTSIDE;
      return found;
    },
  };
}

export function rangePart(first: number, last: number, fold: boolean): ClassPart {
  return { ranges: [first, last], property: undefined, fold, negated: false };
}

export const ANY: CharacterClass = { contains: () => true };
export const ANY_BUT_NEWLINE: CharacterClass = { contains: (point) => point !== 0x0a };

function partContains({ ranges, property, fold, negated }: ClassPart, point: number): boolean {
  const has = (candidate: number) =>
    property === undefined ? inRanges(ranges, candidate) : hasProperty(property, candidate);
  const found = fold ? foldOrbit(point).some(has) : has(point);
  return found !== negated;
}

function hasProperty(property: RegExp, point: number): boolean {
  return property.test(String.fromCodePoint(point));
}

function inRanges(ranges: readonly number[], point: number): boolean {
  for (let index = 0; index < ranges.length; index += 2) {
    if (point >= (ranges[index] ?? 0) && point <= (ranges[index + 1] ?? 0)) return true;
  }
  return false;
}
