import type { Checked } from '../check/checker.ts';
import {
  add,
  type CallEstimate,
  type EstimateInput,
  type EstimateNode,
  fixed,
  LIST_CREATE_COST,
  MAP_CREATE_COST,
  MAX_UINT64,
  multiply,
  ONE,
  type Range,
  type SizesByPath,
  STRUCT_CREATE_COST,
  sum,
  UNKNOWN,
  union,
  ZERO,
} from '../declarations/estimate.ts';
import type { FunctionDeclaration } from '../declarations/library.ts';
import type { Comprehension, Expression } from '../syntax/expression.ts';
import { ACCUMULATOR } from '../syntax/tree.ts';
import { DYN, isOptional, parametersOf, type Type } from '../values/types.ts';
import { codePoints, type Value } from '../values/value.ts';
import { type EntrySize, type EntrySizes, standardCallEstimate } from './call-estimate.ts';

export interface EstimatorEnvironment {
  function(name: string): FunctionDeclaration | undefined;
  readonly sizes: SizesByPath | undefined;
}

/** The cost an expression can have, by the sizes its data can have. */
export function estimateCost(checked: Checked, environment: EstimatorEnvironment): Range {
  return new Estimator(checked, environment).cost(checked.expression);
}

interface LocalVariable {
  readonly path: readonly string[] | undefined;
  readonly size: Range | undefined;
  readonly entrySize: EntrySize | undefined;
}

/** One per expression; a class because sizes found on the way serve later. */
class Estimator implements EntrySizes {
  readonly #checked: Checked;
  readonly #environment: EstimatorEnvironment;
  readonly #paths = new Map<number, readonly string[]>();
  readonly #sizes = new Map<number, Range>();
  readonly #entrySizes = new Map<number, EntrySize>();
  readonly #locals = new Map<string, LocalVariable[]>();

  constructor(checked: Checked, environment: EstimatorEnvironment) {
    this.#checked = checked;
    this.#environment = environment;
  }

  cost(expression: Expression): Range {
    switch (expression.kind) {
      case 'literal':
        return ZERO;
      case 'identifier':
        return this.#identifier(expression, expression.name);
      case 'select':
        return this.#select(expression);
      case 'call':
        return this.#call(expression);
      case 'list':
        return this.#list(expression);
      case 'map':
        return this.#map(expression);
      case 'struct':
        return expression.fields.reduce(
          (sum, { value }) => add(sum, this.cost(value)),
          fixed(STRUCT_CREATE_COST),
        );
      case 'comprehension':
        return isBinding(expression) ? this.#binding(expression) : this.#comprehension(expression);
    }
  }

  #identifier(expression: Expression, written: string): Range {
    const name = this.#checked.references.get(expression.id)?.name ?? written;
    const local = this.#local(name);
    this.#setPath(expression, local === undefined ? [name] : local.path);
    return ONE;
  }

  #select(expression: Expression & { kind: 'select' }): Range {
    if (this.#checked.references.has(expression.id)) {
      return this.#identifier(expression, expression.field);
    }
    const operand = this.cost(expression.operand);
    if (expression.testOnly) {
      // Presence tests cost nothing in Kubernetes.
      return operand;
    }
    const path = this.#path(expression.operand);
    this.#setPath(expression, [...(path ?? []), expression.field]);
    switch (this.#type(expression.operand).kind) {
      case 'map':
      case 'object':
      case 'parameter':
        return add(operand, ONE);
      default:
        return operand;
    }
  }

  #call(expression: Expression & { kind: 'call' }): Range {
    const reference = this.#checked.references.get(expression.id);
    if (reference?.kind !== 'function') {
      return ZERO;
    }
    const { args } = expression;
    const [first] = args;
    if (reference.name === 'dyn' && first !== undefined) {
      const cost = this.cost(first);
      this.#copySizes(expression, first);
      return add(ONE, cost);
    }
    const costs: Range[] = [];
    const nodes: EstimateNode[] = [];
    for (const argument of args) {
      costs.push(this.cost(argument));
      nodes.push(this.#node(argument));
    }
    let targetCost = ZERO;
    let target: EstimateNode | undefined;
    if (expression.target !== undefined && !reference.global) {
      targetCost = this.cost(expression.target);
      target = this.#node(expression.target);
    }
    const declaration = this.#environment.function(reference.name);
    let total: Range | undefined;
    let size: Range | undefined;
    for (const overload of reference.overloads) {
      const estimate = this.#overload(expression, declaration, overload, { target, nodes, costs });
      total = total === undefined ? estimate.cost : union(total, estimate.cost);
      if (estimate.resultSize !== undefined) {
        size = size === undefined ? estimate.resultSize : union(size, estimate.resultSize);
      }
      if (first !== undefined && (overload === 'index_list' || overload === 'index_map')) {
        size = this.entrySize(first)?.value;
        const step = overload === 'index_list' ? '@items' : '@values';
        this.#setPath(expression, [...(this.#path(first) ?? []), step]);
      }
      size ??= this.size(expression);
    }
    this.#setSize(expression, size);
    return add(targetCost, total ?? ZERO);
  }

  /** The cost of an overload with its arguments: its own estimate, the function's, or the standard one. */
  #overload(
    expression: Expression & { kind: 'call' },
    declaration: FunctionDeclaration | undefined,
    id: string,
    {
      target,
      nodes,
      costs,
    }: {
      readonly target: EstimateNode | undefined;
      readonly nodes: readonly EstimateNode[];
      readonly costs: readonly Range[];
    },
  ): CallEstimate {
    const input: EstimateInput = {
      target,
      args: nodes,
      sizeOf: (node) => node.size ?? this.#sizeAt(node.path) ?? UNKNOWN,
      elementOf,
    };
    const overload = declaration?.overloads.find((candidate) => candidate.id === id);
    const own = overload?.estimateCost?.(input) ?? declaration?.estimateCost?.(input);
    if (own !== undefined) {
      return { ...own, cost: add(own.cost, sum(costs)) };
    }
    return standardCallEstimate(id, { expression, target, args: nodes, costs, entrySizes: this });
  }

  #list(expression: Expression & { kind: 'list' }): Range {
    let cost = ZERO;
    let item: Range = { min: expression.elements.length === 0 ? 0n : MAX_UINT64, max: 0n };
    for (const element of expression.elements) {
      cost = add(cost, this.cost(element));
      item = union(item, this.sizeOrUnknown(element));
    }
    this.setEntrySize(expression, { container: 'list', key: ONE, value: item });
    return add(cost, fixed(LIST_CREATE_COST));
  }

  #map(expression: Expression & { kind: 'map' }): Range {
    const start: Range = { min: expression.entries.length === 0 ? 0n : MAX_UINT64, max: 0n };
    let [cost, keys, values] = [ZERO, start, start];
    for (const { key, value } of expression.entries) {
      cost = add(add(cost, this.cost(key)), this.cost(value));
      keys = union(keys, this.sizeOrUnknown(key));
      values = union(values, this.sizeOrUnknown(value));
    }
    this.setEntrySize(expression, { container: 'map', key: keys, value: values });
    return add(cost, fixed(MAP_CREATE_COST));
  }

  #comprehension(expression: Comprehension): Range {
    const { range, initial, accumulator } = expression;
    let cost = add(this.cost(range), this.cost(initial));
    this.#pushBound(accumulator, initial);
    const popVariables = this.#pushVariables(expression);
    const conditionCost = this.cost(expression.condition);
    const stepCost = this.cost(expression.step);
    popVariables();
    cost = add(cost, this.cost(expression.result));
    this.#pop(accumulator);
    const count = this.sizeOrUnknown(range);
    cost = add(cost, multiply(count, add(stepCost, conditionCost)));
    if (initial.kind === 'literal') {
      this.#setSize(expression, this.size(initial));
    } else if (initial.kind === 'list' || initial.kind === 'map') {
      this.#setSize(expression, count);
      this.setEntrySize(expression, this.entrySize(expression.step));
    }
    return cost;
  }

  #pushVariables({ range, variable, secondVariable }: Comprehension): () => void {
    const entry = this.entrySize(range);
    const kind = entry?.container ?? this.#type(range).kind;
    const path = this.#path(range) ?? [];
    const isList = kind === 'list';
    const push = (name: string, step: string, size: Range | undefined) =>
      this.#push(name, { path: [...path, step], size, entrySize: undefined });
    if (secondVariable === undefined) {
      push(variable, isList ? '@items' : '@keys', isList ? entry?.value : entry?.key);
      return () => this.#pop(variable);
    }
    push(variable, isList ? '@indices' : '@keys', entry?.key);
    push(secondVariable, isList ? '@items' : '@values', entry?.value);
    return () => {
      this.#pop(variable);
      this.#pop(secondVariable);
    };
  }

  #binding(expression: Comprehension): Range {
    let cost = add(this.cost(expression.range), this.cost(expression.initial));
    this.#pushBound(expression.accumulator, expression.initial);
    cost = add(cost, this.cost(expression.result));
    this.#pop(expression.accumulator);
    this.#copySizes(expression, expression.result);
    return cost;
  }

  #pushBound(name: string, value: Expression): void {
    const entrySize = this.entrySize(value);
    this.#push(name, { path: this.#path(value), size: this.size(value), entrySize });
  }

  #push(name: string, variable: LocalVariable): void {
    const stack = this.#locals.get(name) ?? [];
    stack.push(variable);
    this.#locals.set(name, stack);
  }

  #pop(name: string): void {
    this.#locals.get(name)?.pop();
  }

  #local(name: string): LocalVariable | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #type(expression: Expression): Type {
    return this.#checked.types.get(expression.id) ?? DYN;
  }

  #path(expression: Expression): readonly string[] | undefined {
    if (expression.kind === 'identifier') {
      const local = this.#local(expression.name);
      if (local !== undefined) {
        return local.path;
      }
    }
    return this.#paths.get(expression.id);
  }

  #setPath(expression: Expression, path: readonly string[] | undefined): void {
    this.#paths.set(expression.id, path ?? []);
  }

  #node(expression: Expression): EstimateNode {
    const path = this.#path(expression);
    return {
      type: this.#type(expression),
      path: path?.[0] === ACCUMULATOR ? undefined : path,
      literal: expression.kind === 'literal' ? expression.value : undefined,
      size: this.size(expression),
    };
  }

  /** The size of what an expression gives, by the expression itself, by the schema, or by its type. */
  size(expression: Expression): Range | undefined {
    const known = this.#sizes.get(expression.id) ?? literalSize(expression);
    if (known !== undefined) {
      return known;
    }
    const bySchema = this.#sizeAt(this.#path(expression));
    if (bySchema !== undefined) {
      this.#sizes.set(expression.id, bySchema);
      return bySchema;
    }
    if (isScalar(this.#type(expression))) {
      return ONE;
    }
    return expression.kind === 'identifier' ? this.#local(expression.name)?.size : undefined;
  }

  #sizeAt(path: readonly string[] | undefined): Range | undefined {
    return path === undefined || path.length === 0 ? undefined : this.#environment.sizes?.(path);
  }

  sizeOrUnknown(expression: Expression): Range {
    return this.size(expression) ?? UNKNOWN;
  }

  #setSize(expression: Expression, size: Range | undefined): void {
    if (size !== undefined) {
      this.#sizes.set(expression.id, size);
    }
  }

  entrySize(expression: Expression): EntrySize | undefined {
    const known = this.#entrySizes.get(expression.id);
    return (
      known ??
      (expression.kind === 'identifier' ? this.#local(expression.name)?.entrySize : undefined)
    );
  }

  setEntrySize(expression: Expression, size: EntrySize | undefined): void {
    if (size !== undefined) {
      this.#entrySizes.set(expression.id, size);
    }
  }

  #copySizes(to: Expression, from: Expression): void {
    this.#setSize(to, this.size(from));
    this.setEntrySize(to, this.entrySize(from));
  }
}

/** `optMap` and `sortBy`: a loop over an empty list whose accumulator has a name of its own. */
function isBinding({ range, condition, accumulator }: Comprehension): boolean {
  return (
    range.kind === 'list' &&
    range.elements.length === 0 &&
    condition.kind === 'literal' &&
    condition.value === false &&
    accumulator !== '__result__'
  );
}

function literalSize(expression: Expression): Range | undefined {
  switch (expression.kind) {
    case 'literal':
      return fixed(sizeOfLiteral(expression.value));
    case 'list':
      return fixed(expression.elements.length);
    case 'map':
      return fixed(expression.entries.length);
    default:
      return undefined;
  }
}

function sizeOfLiteral(value: Value): number {
  if (typeof value === 'string') {
    return codePoints(value);
  }
  return value instanceof Uint8Array ? value.length : 1;
}

function isScalar(type: Type): boolean {
  switch (type.kind) {
    case 'bool':
    case 'double':
    case 'duration':
    case 'int':
    case 'timestamp':
    case 'uint':
      return true;
    default: {
      const [value] = parametersOf(type);
      return isOptional(type) && value !== undefined && isScalar(value);
    }
  }
}

function elementOf({ type, path }: EstimateNode): EstimateNode | undefined {
  const [element] = parametersOf(type);
  if (element === undefined) {
    return undefined;
  }
  return {
    type: element,
    path: path === undefined ? undefined : [...path, '@items'],
    literal: undefined,
    size: undefined,
  };
}
