import type { CharacterClass } from './character-class.ts';

/** A pattern as a tree. Capturing groups are only brackets here: captures are never used. */
export type RegexpNode = { readonly height: number; readonly size: number } & (
  | { readonly kind: 'empty' }
  | { readonly kind: 'class'; readonly class: CharacterClass }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'repeat'; readonly of: RegexpNode; readonly repeat: Repeat }
  | { readonly kind: 'group'; readonly of: RegexpNode }
  | { readonly kind: 'concatenation'; readonly parts: readonly RegexpNode[] }
  | { readonly kind: 'alternation'; readonly parts: readonly RegexpNode[] }
);

export interface Repeat {
  readonly min: number;
  /** Infinity for none. */
  readonly max: number;
  readonly greedy: boolean;
}

/** Assertions between two characters; bits, so that several hold at once. */
export type Assertion = number;
export const BEGIN_TEXT: Assertion = 1;
export const END_TEXT: Assertion = 2;
export const BEGIN_LINE: Assertion = 4;
export const END_LINE: Assertion = 8;
export const WORD_BOUNDARY: Assertion = 16;
export const NO_WORD_BOUNDARY: Assertion = 32;

/** Go's bound for how deep a pattern nests. */
export const HEIGHT_MAX = 1000;
/**
 * Instructions of a program. Go allows 3.3 million; building those would stop everything else for long, and no pattern
 * that people write comes near.
 */
export const SIZE_MAX = 100_000;
