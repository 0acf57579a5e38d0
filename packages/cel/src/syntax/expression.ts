import type { Value } from '../values/value.ts';

/**
 * The tree of an expression after macros are expanded. Ids are unique in a tree, except that a macro
 * may use an argument twice; positions and types are kept beside the tree, by id.
 */
export type Expression =
  | { readonly kind: 'literal'; readonly id: number; readonly value: Value }
  | { readonly kind: 'identifier'; readonly id: number; readonly name: string }
  | {
      readonly kind: 'select';
      readonly id: number;
      readonly operand: Expression;
      readonly field: string;
      /** Made by `has()`: asks for presence instead of the value. */
      readonly testOnly: boolean;
    }
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly name: string;
      readonly target: Expression | undefined;
      readonly args: readonly Expression[];
    }
  | {
      readonly kind: 'list';
      readonly id: number;
      readonly elements: readonly Expression[];
      /** Indices of `?element`: kept only when the optional has a value. */
      readonly optional: readonly number[];
    }
  | { readonly kind: 'map'; readonly id: number; readonly entries: readonly MapEntry[] }
  | {
      readonly kind: 'struct';
      readonly id: number;
      readonly name: string;
      readonly fields: readonly StructField[];
    }
  | Comprehension;

export interface MapEntry {
  readonly id: number;
  readonly key: Expression;
  readonly value: Expression;
  readonly optional: boolean;
}

export interface StructField {
  readonly id: number;
  readonly name: string;
  readonly value: Expression;
  readonly optional: boolean;
}

/** The one loop of CEL, which every macro over lists and maps expands to. */
export interface Comprehension {
  readonly kind: 'comprehension';
  readonly id: number;
  readonly range: Expression;
  /** The element of a list or the key of a map; with a second variable, the index or the key. */
  readonly variable: string;
  readonly secondVariable: string | undefined;
  readonly accumulator: string;
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}
