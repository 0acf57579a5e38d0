import type { Expression, MapEntry } from './expression.ts';
import type { ComprehensionParts, ExpressionBuilder } from './macro.ts';

/** Positions of expressions, in UTF-16 units, by id. */
export type Positions = ReadonlyMap<number, number>;

/** The variable macros collect into; it cannot be written in an expression. */
export const ACCUMULATOR = '@result';

/** Gives out ids and remembers where they stand. */
export interface TreeIds {
  readonly positions: Map<number, number>;
  next(position: number): number;
}

export function createTreeIds(): TreeIds {
  const positions = new Map<number, number>();
  return {
    positions,
    next(position) {
      const id = positions.size + 1;
      positions.set(id, position);
      return id;
    },
  };
}

/** A builder for a macro whose call stands at a position. */
export function builderAt(ids: TreeIds, position: number): ExpressionBuilder {
  const id = () => ids.next(position);
  const identifier = (name: string): Expression => ({ kind: 'identifier', id: id(), name });
  return {
    accumulatorName: ACCUMULATOR,
    literal: (value) => ({ kind: 'literal', id: id(), value }),
    identifier,
    accumulator: () => identifier(ACCUMULATOR),
    call: (name, ...args) => ({ kind: 'call', id: id(), name, target: undefined, args }),
    memberCall: (name, target, ...args) => ({ kind: 'call', id: id(), name, target, args }),
    select: (operand, field) => ({ kind: 'select', id: id(), operand, field, testOnly: false }),
    test: (operand, field) => ({ kind: 'select', id: id(), operand, field, testOnly: true }),
    list: (...elements) => ({ kind: 'list', id: id(), elements, optional: [] }),
    map: () => ({ kind: 'map', id: id(), entries: [] }),
    comprehension: (parts) => comprehension(id(), parts),
    copy: (expression) => copy(ids, expression),
  };
}

function comprehension(id: number, parts: ComprehensionParts): Expression {
  return {
    kind: 'comprehension',
    id,
    range: parts.range,
    variable: parts.variable,
    secondVariable: parts.secondVariable,
    accumulator: parts.accumulator ?? ACCUMULATOR,
    initial: parts.initial,
    condition: parts.condition,
    step: parts.step,
    result: parts.result,
  };
}

function copy(ids: TreeIds, expression: Expression): Expression {
  const id = ids.next(ids.positions.get(expression.id) ?? 0);
  const again = (child: Expression) => copy(ids, child);
  switch (expression.kind) {
    case 'literal':
    case 'identifier':
      return { ...expression, id };
    case 'select':
      return { ...expression, id, operand: again(expression.operand) };
    case 'call':
      return {
        ...expression,
        id,
        target: expression.target === undefined ? undefined : again(expression.target),
        args: expression.args.map(again),
      };
    case 'list':
      return { ...expression, id, elements: expression.elements.map(again) };
    case 'map':
      return { ...expression, id, entries: expression.entries.map((one) => copyEntry(ids, one)) };
    case 'struct':
      return {
        ...expression,
        id,
        fields: expression.fields.map((field) => ({
          ...field,
          id: ids.next(ids.positions.get(field.id) ?? 0),
          value: again(field.value),
        })),
      };
    case 'comprehension':
      return {
        ...expression,
        id,
        range: again(expression.range),
        initial: again(expression.initial),
        condition: again(expression.condition),
        step: again(expression.step),
        result: again(expression.result),
      };
  }
}

function copyEntry(ids: TreeIds, entry: MapEntry): MapEntry {
  return {
    ...entry,
    id: ids.next(ids.positions.get(entry.id) ?? 0),
    key: copy(ids, entry.key),
    value: copy(ids, entry.value),
  };
}

/**
 * `a && b && c` as a balanced tree, as upstream builds it: the order of evaluation and the costs of
 * short circuits follow from its shape.
 */
export function balance(
  name: '_&&_' | '_||_',
  terms: readonly Expression[],
  operators: readonly number[],
): Expression {
  const build = (low: number, high: number): Expression => {
    const middle = Math.floor((low + high + 1) / 2);
    const left = middle === low ? terms[middle] : build(low, middle - 1);
    const right = middle === high ? terms[middle + 1] : build(middle + 1, high);
    if (left === undefined || right === undefined) {
      throw new Error('there is one term more than operators');
    }
    return {
      kind: 'call',
      id: operators[middle] ?? 0,
      name,
      target: undefined,
      args: [left, right],
    };
  };
  const [only] = terms;
  return terms.length === 1 && only !== undefined ? only : build(0, operators.length - 1);
}

/** Stands where an error was reported, so that parsing can go on. */
export function placeholder(id: number): Expression {
  return { kind: 'literal', id, value: null };
}
