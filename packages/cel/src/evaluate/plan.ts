import type { Checked, Reference } from '../check/checker.ts';
import type { Call, FunctionDeclaration, Overload } from '../declarations/library.ts';
import type { Comprehension, Expression } from '../syntax/expression.ts';
import { CelError, celError } from '../values/errors.ts';
import type { Type } from '../values/types.ts';
import { TypeValue, type Value } from '../values/value.ts';
import { type Attribute, evaluator, qualified, resolver } from './attribute.ts';
import { call } from './call.ts';
import { collectList, collectMap, collectStruct } from './collect.ts';
import type { Evaluate, Variables } from './frame.ts';
import { Frame } from './frame.ts';
import { alternative, equality, logical, notStrictlyFalse } from './logic.ts';
import { accumulatorReader, loop } from './loop.ts';
import { containment, membership } from './membership.ts';
import {
  computedQualifier,
  constantQualifier,
  isKey,
  testQualifier,
  unusableKey,
} from './qualifier.ts';

/** The parts of the environment that a planner needs. */
export interface PlanEnvironment {
  function(name: string): FunctionDeclaration | undefined;
  /** The type a name stands for as a value. */
  typeNamed(name: string): Type | undefined;
}

/** An expression ready to run. */
export interface Planned {
  readonly evaluate: Evaluate;
  readonly slotCount: number;
}

/** Prepares a checked expression, computing what is constant; the error is one of a constant. */
export function plan(checked: Checked, environment: PlanEnvironment): Planned | CelError {
  const planner = new Planner(checked, environment);
  try {
    const { evaluate } = planner.plan(checked.expression, undefined);
    return { evaluate, slotCount: planner.slotCount };
  } catch (error) {
    if (error instanceof PlanFailure) {
      return error.error;
    }
    throw error;
  }
}

/** Leaves the planner with an error that belongs to the expression. */
class PlanFailure extends Error {
  override readonly name = 'PlanFailure';
  readonly error: CelError;

  constructor(error: CelError) {
    super(error.message);
    this.error = error;
  }
}

interface Node {
  readonly evaluate: Evaluate;
  /** Set when the value is known; such an expression costs nothing. */
  readonly constant?: Value;
  /** Set for paths, which selections and indices extend. */
  readonly attribute?: Attribute;
}

/** Names of loop variables, innermost first, and how they are read. */
interface Locals {
  readonly parent: Locals | undefined;
  readonly readers: ReadonlyMap<string, Evaluate>;
}

/** Functions whose calls with a constant are computed when planning, as upstream does. */
const CONVERSIONS: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

const NO_VARIABLES: Variables = { get: () => undefined };

class Planner {
  slotCount = 0;
  readonly #checked: Checked;
  readonly #environment: PlanEnvironment;
  readonly #variableSlots = new Map<string, number>();

  constructor(checked: Checked, environment: PlanEnvironment) {
    this.#checked = checked;
    this.#environment = environment;
  }

  plan(expression: Expression, locals: Locals | undefined): Node {
    switch (expression.kind) {
      case 'literal':
        return constantNode(expression.value);
      case 'identifier':
        return this.#identifier(expression, locals);
      case 'select':
        return this.#select(expression, locals);
      case 'call':
        return this.#call(expression, locals);
      case 'list':
        return this.#list(expression, locals);
      case 'map':
        return this.#map(expression, locals);
      case 'struct':
        return this.#struct(expression, locals);
      case 'comprehension':
        return this.#comprehension(expression, locals);
    }
  }

  #identifier(expression: Expression, locals: Locals | undefined): Node {
    const reference = this.#checked.references.get(expression.id);
    const name = reference?.name ?? '';
    const local = findReader(locals, name);
    if (local !== undefined) {
      return pathNode(local);
    }
    if (this.#checked.types.get(expression.id)?.kind === 'type') {
      const type = this.#environment.typeNamed(name);
      if (type === undefined) {
        throw new PlanFailure(celError(`reference to undefined type: ${name}`));
      }
      return constantNode(new TypeValue(type));
    }
    return pathNode(this.#variable(name));
  }

  /** Variables are asked for once an evaluation. */
  #variable(name: string): Evaluate {
    const slot = this.#variableSlots.get(name) ?? this.#newSlot();
    this.#variableSlots.set(name, slot);
    const missing = celError(`no such attribute(s): ${name}`);
    return (frame) => {
      const known = frame.slots[slot];
      if (known !== undefined) {
        return known;
      }
      const value = frame.variables.get(name);
      const settled = value === undefined ? missing : value;
      frame.slots[slot] = settled;
      return settled;
    };
  }

  #newSlot(): number {
    return this.slotCount++;
  }

  #select(expression: Expression & { kind: 'select' }, locals: Locals | undefined): Node {
    if (this.#checked.references.has(expression.id)) {
      return this.#identifier(expression, locals);
    }
    const path = asPath(this.plan(expression.operand, locals));
    if (!expression.testOnly) {
      return attributeNode(qualified(path, constantQualifier(expression.field, false)));
    }
    const tested = qualified(path, testQualifier(expression.field));
    const test = resolver(tested);
    return {
      attribute: tested,
      // Presence tests have no cost of their own in Kubernetes, only their steps have. Upstream takes the
      // cost of the path back, also from a conditional, which has none.
      evaluate: (frame) => {
        const present = test(frame);
        frame.charge(tested.kind === 'conditional' ? -1 : 0);
        return isOptionalValue(present) ? present.value !== undefined : present;
      },
    };
  }

  #call(expression: Expression & { kind: 'call' }, locals: Locals | undefined): Node {
    const reference = this.#checked.references.get(expression.id);
    if (reference?.kind !== 'function') {
      throw new Error(`call ${expression.name} has not been checked`);
    }
    const target = reference.global ? undefined : expression.target;
    const all = target === undefined ? expression.args : [target, ...expression.args];
    const args = all.map((argument) => this.plan(argument, locals));
    const [first, second, third] = args;
    switch (reference.name) {
      case '_&&_':
        return { evaluate: logical(args.map(evaluateOf), false) };
      case '_||_':
        return { evaluate: logical(args.map(evaluateOf), true) };
      case '_?_:_':
        return conditionalNode(first as Node, second as Node, third as Node);
      case '_==_':
        return { evaluate: equality(evaluateOf(first), evaluateOf(second), true) };
      case '_!=_':
        return { evaluate: equality(evaluateOf(first), evaluateOf(second), false) };
      case '_[_]':
        return indexNode(first as Node, second as Node, false);
      case '_[?_]':
      case '_?._':
        return indexNode(first as Node, second as Node, true);
      case '@not_strictly_false':
        return { evaluate: notStrictlyFalse(evaluateOf(first)) };
      case '@in':
        return reference.overloads.length === 1 && reference.overloads[0] === 'in_list'
          ? membership(evaluateOf(first), evaluateOf(second), second?.constant)
          : { evaluate: containment(evaluateOf(first), evaluateOf(second)) };
      default:
        return this.#function(reference, args);
    }
  }

  #function(reference: Reference & { kind: 'function' }, args: readonly Node[]): Node {
    const { name, overloads } = reference;
    const declaration = this.#environment.function(name);
    if (declaration === undefined) {
      throw new Error(`function ${name} is not in the environment`);
    }
    const [only] = overloads;
    const overload =
      overloads.length === 1 ? declaration.overloads.find(({ id }) => id === only) : undefined;
    const special = specialCall(overload, args);
    if (special !== undefined) {
      return special;
    }
    const prepared = prepare(overload, args);
    const node: Node = {
      evaluate: call({ declaration, overload, prepared, args: args.map(evaluateOf) }),
    };
    return CONVERSIONS.has(name) && args.length === 1 && args[0]?.constant !== undefined
      ? folded(node)
      : node;
  }

  #list(expression: Expression & { kind: 'list' }, locals: Locals | undefined): Node {
    const elements = expression.elements.map((element) => this.plan(element, locals));
    const optional = new Set(expression.optional);
    const node = { evaluate: collectList(elements.map(evaluateOf), optional) };
    return elements.every(isConstant) ? folded(node) : node;
  }

  #map(expression: Expression & { kind: 'map' }, locals: Locals | undefined): Node {
    const entries = expression.entries.map(({ key, value, optional }) => ({
      key: this.plan(key, locals),
      value: this.plan(value, locals),
      optional,
    }));
    const node = {
      evaluate: collectMap(
        entries.map(({ key, value, optional }) => ({
          key: evaluateOf(key),
          value: evaluateOf(value),
          optional,
        })),
      ),
    };
    return entries.every(({ key, value }) => isConstant(key) && isConstant(value))
      ? folded(node)
      : node;
  }

  #struct(expression: Expression & { kind: 'struct' }, locals: Locals | undefined): Node {
    const name = this.#checked.references.get(expression.id)?.name ?? expression.name;
    const fields = expression.fields.map((field) => ({
      name: field.name,
      value: evaluateOf(this.plan(field.value, locals)),
      optional: field.optional,
    }));
    return { evaluate: collectStruct(name, fields) };
  }

  #comprehension(expression: Comprehension, locals: Locals | undefined): Node {
    const accumulator = this.#newSlot();
    const variable = this.#newSlot();
    const secondVariable = expression.secondVariable === undefined ? undefined : this.#newSlot();
    const initial = evaluateOf(this.plan(expression.initial, locals));
    const range = evaluateOf(this.plan(expression.range, locals));
    const outer: Locals = {
      parent: locals,
      readers: new Map([[expression.accumulator, accumulatorReader(accumulator, initial)]]),
    };
    const readers = new Map([[expression.variable, slotReader(variable)]]);
    if (expression.secondVariable !== undefined && secondVariable !== undefined) {
      readers.set(expression.secondVariable, slotReader(secondVariable));
    }
    const inner: Locals = { parent: outer, readers };
    return {
      evaluate: loop({
        range,
        accumulator,
        variable,
        secondVariable,
        condition: evaluateOf(this.plan(expression.condition, inner)),
        step: evaluateOf(this.plan(expression.step, inner)),
        result: evaluateOf(this.plan(expression.result, outer)),
      }),
    };
  }
}

function findReader(locals: Locals | undefined, name: string): Evaluate | undefined {
  for (let current = locals; current !== undefined; current = current.parent) {
    const reader = current.readers.get(name);
    if (reader !== undefined) {
      return reader;
    }
  }
  return undefined;
}

function slotReader(slot: number): Evaluate {
  return (frame) => frame.slots[slot] as Value;
}

function evaluateOf(node: Node | undefined): Evaluate {
  if (node === undefined) {
    throw new Error('the checker has let a call through that has too few arguments');
  }
  return node.evaluate;
}

function isConstant(node: Node): boolean {
  return node.constant !== undefined;
}

function constantNode(value: Value): Node {
  return { constant: value, evaluate: () => value };
}

function attributeNode(attribute: Attribute): Node {
  return { attribute, evaluate: evaluator(attribute) };
}

function pathNode(root: Evaluate): Node {
  return attributeNode({ kind: 'path', root, qualifiers: [] });
}

/** A path to go on from: the node's own, or one that begins with its value. */
function asPath(node: Node): Attribute {
  return node.attribute ?? { kind: 'path', root: node.evaluate, qualifiers: [] };
}

function conditionalNode(condition: Node, yes: Node, no: Node): Node {
  return attributeNode({
    kind: 'conditional',
    condition: condition.evaluate,
    yes: asPath(yes),
    no: asPath(no),
  });
}

function indexNode(operand: Node, index: Node, optional: boolean): Node {
  if (index.constant !== undefined && !isKey(index.constant)) {
    throw new PlanFailure(unusableKey(index.constant));
  }
  const qualifier =
    index.constant === undefined
      ? computedQualifier(index.attribute ? resolver(index.attribute) : index.evaluate, optional)
      : constantQualifier(index.constant, optional);
  return attributeNode(qualified(asPath(operand), qualifier));
}

/** Computes a node whose parts are all constant. Its cost is not counted: it is not part of running. */
function folded(node: Node): Node {
  const value = node.evaluate(new Frame(NO_VARIABLES, 0, Number.MAX_SAFE_INTEGER));
  if (value instanceof CelError) {
    throw new PlanFailure(value);
  }
  return constantNode(value);
}

function specialCall(overload: Overload | undefined, args: readonly Node[]): Node | undefined {
  const [first, second] = args;
  switch (overload?.id) {
    case 'optional_or_optional':
      return { evaluate: alternative(evaluateOf(first), evaluateOf(second), false) };
    case 'optional_orValue_value':
      return { evaluate: alternative(evaluateOf(first), evaluateOf(second), true) };
    default:
      return undefined;
  }
}

function prepare(overload: Overload | undefined, args: readonly Node[]): Call | undefined {
  const prepared = overload?.prepare?.(args.map(({ constant }) => constant));
  if (prepared instanceof CelError) {
    throw new PlanFailure(prepared);
  }
  return prepared;
}

function isOptionalValue(value: unknown): value is { readonly value: Value | undefined } {
  return (
    typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'optional'
  );
}
