import type { Declarations } from '../declarations/declarations.ts';
import type { FunctionDeclaration } from '../declarations/library.ts';
import type { Comprehension, Expression } from '../syntax/expression.ts';
import type { Issue } from '../syntax/source.ts';
import type { Positions } from '../syntax/tree.ts';
import { formatSignature, formatType } from '../values/type-format.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  ERROR,
  INT,
  isOptional,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  parametersOf,
  runtimeName,
  STRING,
  sameType,
  type Type,
  UINT,
} from '../values/types.ts';
import { Uint } from '../values/value.ts';
import { findLocal, type Scope } from './scope.ts';
import { createSubstitution, instantiate, mostGeneral } from './substitution.ts';

/** The meaning of a name or a call. */
export type Reference =
  | { readonly kind: 'identifier'; readonly name: string }
  /** `global` drops the target, which was the namespace of the function's name. */
  | {
      readonly kind: 'function';
      readonly name: string;
      readonly overloads: readonly string[];
      readonly global: boolean;
    };

/** A tree that means something: every expression has a type, by id. */
export interface Checked {
  readonly expression: Expression;
  readonly positions: Positions;
  readonly types: ReadonlyMap<number, Type>;
  readonly references: ReadonlyMap<number, Reference>;
}

export type CheckResult = { readonly checked: Checked } | { readonly issues: readonly Issue[] };

/** Finds the type of every expression, and what every name means. */
export function check(
  expression: Expression,
  positions: Positions,
  declarations: Declarations,
): CheckResult {
  const checker = new Checker(positions, declarations);
  checker.visit(expression, undefined);
  if (checker.issues.length > 0) {
    return { issues: checker.issues };
  }
  return {
    checked: {
      expression,
      positions,
      types: checker.finalTypes(),
      references: checker.references,
    },
  };
}

/** One per expression; a class because the rules share what they find out. */
class Checker {
  readonly issues: Issue[] = [];
  readonly references = new Map<number, Reference>();
  readonly #types = new Map<number, Type>();
  readonly #positions: Positions;
  readonly #declarations: Declarations;
  readonly #substitution = createSubstitution();

  constructor(positions: Positions, declarations: Declarations) {
    this.#positions = positions;
    this.#declarations = declarations;
  }

  finalTypes(): ReadonlyMap<number, Type> {
    return new Map(
      [...this.#types].map(([id, type]) => [id, this.#substitution.apply(type, true)]),
    );
  }

  visit(expression: Expression, scope: Scope | undefined): Type {
    const type = this.#typeOf(expression, scope);
    this.#types.set(expression.id, type);
    return type;
  }

  #typeOf(expression: Expression, scope: Scope | undefined): Type {
    switch (expression.kind) {
      case 'literal':
        return literalType(expression.value);
      case 'identifier':
        return this.#identifier(expression, expression.name, scope);
      case 'select':
        return this.#select(expression, scope);
      case 'call':
        return this.#call(expression, scope);
      case 'list':
        return this.#list(expression, scope);
      case 'map':
        return this.#map(expression, scope);
      case 'struct':
        return this.#struct(expression, scope);
      case 'comprehension':
        return this.#comprehension(expression, scope);
    }
  }

  #identifier(expression: Expression, written: string, scope: Scope | undefined): Type {
    const found = this.#lookUp(written, scope);
    if (found === undefined) {
      this.#undeclared(expression, written);
      return ERROR;
    }
    this.references.set(expression.id, { kind: 'identifier', name: found.name });
    return found.type;
  }

  #lookUp(written: string, scope: Scope | undefined): { name: string; type: Type } | undefined {
    const name = unqualified(written);
    const type = findLocal(scope, name) ?? this.#declarations.identifier(name);
    return type && { name, type };
  }

  #select(expression: Expression & { kind: 'select' }, scope: Scope | undefined): Type {
    const qualified = qualifiedName(expression);
    const found = qualified === undefined ? undefined : this.#lookUp(qualified, scope);
    if (found !== undefined) {
      this.references.set(expression.id, { kind: 'identifier', name: found.name });
      return found.type;
    }
    const type = this.#field(expression, expression.operand, expression.field, false, scope);
    return expression.testOnly ? BOOL : this.#substitution.apply(type, false);
  }

  #field(
    at: Expression,
    operand: Expression,
    field: string,
    optional: boolean,
    scope: Scope | undefined,
  ): Type {
    const operandType = this.#substitution.apply(this.visit(operand, scope), false);
    const target = isOptional(operandType) ? (parametersOf(operandType)[0] ?? DYN) : operandType;
    const type = this.#fieldType(at, target, field);
    return optional || isOptional(operandType) ? optionalOf(type) : type;
  }

  #fieldType(at: Expression, target: Type, field: string): Type {
    switch (target.kind) {
      case 'map':
        return target.value;
      case 'object':
        return this.#objectField(target.name, field, at.id);
      case 'parameter':
        this.#substitution.assignable(DYN, target);
        return DYN;
      case 'dyn':
      case 'error':
        return DYN;
      default:
        this.#report(at.id, `type '${formatType(target)}' does not support field selection`);
        return DYN;
    }
  }

  #call(expression: Expression & { kind: 'call' }, scope: Scope | undefined): Type {
    const { name, target, args } = expression;
    if (name === '_?._') {
      return this.#optionalSelect(expression, scope);
    }
    const types = args.map((argument) => this.visit(argument, scope));
    if (target === undefined) {
      return this.#globalCall(expression, name, types);
    }
    const prefix = qualifiedName(target);
    const namespaced = prefix === undefined ? undefined : this.#functionNamed(`${prefix}.${name}`);
    if (namespaced !== undefined) {
      return this.#resolve(expression, namespaced, types, false);
    }
    const targetType = this.visit(target, scope);
    const declared = this.#functionNamed(name);
    if (declared === undefined) {
      this.#undeclared(expression, name);
      return ERROR;
    }
    return this.#resolve(expression, declared, [targetType, ...types], true);
  }

  #globalCall(
    expression: Expression & { kind: 'call' },
    name: string,
    types: readonly Type[],
  ): Type {
    const declared = this.#functionNamed(name);
    if (declared === undefined) {
      this.#undeclared(expression, name);
      return ERROR;
    }
    return this.#resolve(expression, declared, types, false);
  }

  #functionNamed(written: string): FunctionDeclaration | undefined {
    return this.#declarations.function(written.startsWith('.') ? written.slice(1) : written);
  }

  #optionalSelect(expression: Expression & { kind: 'call' }, scope: Scope | undefined): Type {
    const [operand, field] = expression.args;
    if (operand === undefined || field?.kind !== 'literal' || typeof field.value !== 'string') {
      this.#report(expression.id, 'unsupported optional field selection');
      return ERROR;
    }
    this.#types.set(field.id, STRING);
    const type = this.#field(expression, operand, field.value, true, scope);
    this.#refer(expression, '_?._', ['select_optional_field'], true);
    return this.#substitution.apply(type, false);
  }

  /** All overloads that fit; when their results differ, the result is dyn. */
  #resolve(
    expression: Expression & { kind: 'call' },
    { name, overloads }: FunctionDeclaration,
    types: readonly Type[],
    member: boolean,
  ): Type {
    if (name === '_&&_' || name === '_||_') {
      return this.#logical(expression, name, overloads[0]?.id ?? '', types);
    }
    let result: Type | undefined;
    const ids: string[] = [];
    for (const overload of overloads) {
      if (overload.member !== member) {
        continue;
      }
      const [overloadResult, ...parameters] = instantiate(
        [overload.result, ...overload.parameters],
        this.#substitution.freshVariable,
      );
      if (overloadResult === undefined || !this.#substitution.assignableAll(types, parameters)) {
        continue;
      }
      ids.push(overload.id);
      const applied = this.#substitution.apply(overloadResult, false);
      if (result === undefined) {
        result = applied;
      } else if (result.kind !== 'dyn' && !sameType(applied, result)) {
        result = DYN;
      }
    }
    if (result === undefined) {
      const applied = types.map((type) => this.#substitution.apply(type, true));
      const signature = formatSignature(applied, member);
      this.#report(
        expression.id,
        `found no matching overload for '${name}' applied to '${signature}'`,
      );
      return ERROR;
    }
    this.#refer(expression, name, ids, !member);
    return result;
  }

  #logical(
    expression: Expression & { kind: 'call' },
    name: string,
    overload: string,
    types: readonly Type[],
  ): Type {
    let failed = false;
    for (const [index, type] of types.entries()) {
      if (!this.#substitution.assignable(type, BOOL)) {
        this.#mismatch(expression.args[index]?.id ?? expression.id, BOOL, type);
        failed = true;
      }
    }
    if (failed) {
      return ERROR;
    }
    this.#refer(expression, name, [overload], true);
    return BOOL;
  }

  #refer(
    expression: Expression,
    name: string,
    overloads: readonly string[],
    global: boolean,
  ): void {
    this.references.set(expression.id, { kind: 'function', name, overloads, global });
  }

  #list(expression: Expression & { kind: 'list' }, scope: Scope | undefined): Type {
    let joined: Type | undefined;
    for (const [index, element] of expression.elements.entries()) {
      const type = this.visit(element, scope);
      const unwrapped = expression.optional.includes(index)
        ? this.#unwrapOptional(element, type)
        : type;
      joined = this.#join(joined, unwrapped);
    }
    return listOf(joined ?? this.#substitution.freshVariable());
  }

  #map(expression: Expression & { kind: 'map' }, scope: Scope | undefined): Type {
    let keys: Type | undefined;
    let values: Type | undefined;
    for (const { key, value, optional } of expression.entries) {
      keys = this.#join(keys, this.visit(key, scope));
      const type = this.visit(value, scope);
      values = this.#join(values, optional ? this.#unwrapOptional(value, type) : type);
    }
    return mapOf(
      keys ?? this.#substitution.freshVariable(),
      values ?? this.#substitution.freshVariable(),
    );
  }

  #unwrapOptional(expression: Expression, type: Type): Type {
    if (isOptional(type)) {
      return parametersOf(type)[0] ?? DYN;
    }
    if (type.kind !== 'dyn') {
      this.#mismatch(expression.id, optionalOf(type), type);
    }
    return type;
  }

  /** Elements of different types make a list of dyn; whether that is allowed is checked afterwards. */
  #join(previous: Type | undefined, current: Type): Type {
    if (previous === undefined) {
      return current;
    }
    if (this.#substitution.assignable(previous, current)) {
      return mostGeneral(previous, current);
    }
    return DYN;
  }

  #struct(expression: Expression & { kind: 'struct' }, scope: Scope | undefined): Type {
    const name = unqualified(expression.name);
    // Variables of that name are not considered, as in cel-go since v0.27.
    const found = this.#declarations.typeIdentifier(name);
    if (found === undefined) {
      this.#undeclared(expression, expression.name);
      return ERROR;
    }
    this.references.set(expression.id, { kind: 'identifier', name });
    const type = this.#structType(expression, found);
    for (const field of expression.fields) {
      const value = this.visit(field.value, scope);
      const given = field.optional ? this.#unwrapOptional(field.value, value) : value;
      const wanted = this.#objectField(
        type.kind === 'object' ? type.name : name,
        field.name,
        field.id,
      );
      if (!this.#substitution.assignable(wanted, given)) {
        this.#report(
          field.id,
          `expected type of field '${field.name}' is '${formatType(wanted)}' but provided type is '${formatType(given)}'`,
        );
      }
    }
    return type;
  }

  #structType(expression: Expression, type: Type): Type {
    if (type.kind !== 'type' || type.of === undefined) {
      this.#report(expression.id, `'${runtimeName(type)}' is not a type`);
      return ERROR;
    }
    if (type.of.kind !== 'object') {
      this.#report(expression.id, `'${runtimeName(type.of)}' is not a message type`);
      return ERROR;
    }
    return type.of;
  }

  /** Types of libraries have no fields at all, which upstream says in its own way. */
  #objectField(object: string, field: string, id: number): Type {
    if (!this.#declarations.hasFields(object)) {
      this.#report(id, `unexpected failed resolution of '${object}'`);
      return ERROR;
    }
    const type = this.#declarations.field(object, field);
    if (type === undefined) {
      this.#report(id, `undefined field '${field}'`);
    }
    return type ?? ERROR;
  }

  #comprehension(expression: Comprehension, scope: Scope | undefined): Type {
    const range = this.#substitution.apply(this.visit(expression.range, scope), false);
    const accumulator = this.visit(expression.initial, scope);
    const outer: Scope = {
      parent: scope,
      variables: new Map([[expression.accumulator, accumulator]]),
    };
    const [first, second] = this.#loopTypes(expression, range);
    const variables = new Map([[expression.variable, first]]);
    if (expression.secondVariable !== undefined) {
      variables.set(expression.secondVariable, second);
    }
    const inner: Scope = { parent: outer, variables };
    this.#assertType(expression.condition, BOOL, inner);
    this.#assertType(expression.step, accumulator, inner);
    return this.#substitution.apply(this.visit(expression.result, outer), false);
  }

  /** The types of the one or two variables of a loop over a range. */
  #loopTypes(expression: Comprehension, range: Type): readonly [Type, Type] {
    const two = expression.secondVariable !== undefined;
    switch (range.kind) {
      case 'list':
        return two ? [INT, range.element] : [range.element, DYN];
      case 'map':
        return [range.key, range.value];
      case 'dyn':
      case 'error':
      case 'parameter':
        this.#substitution.assignable(DYN, range);
        return [DYN, DYN];
      default:
        this.#report(
          expression.range.id,
          `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [ERROR, ERROR];
    }
  }

  #assertType(expression: Expression, wanted: Type, scope: Scope): void {
    const type = this.visit(expression, scope);
    if (!this.#substitution.assignable(wanted, type)) {
      this.#mismatch(expression.id, wanted, type);
    }
  }

  #mismatch(id: number, wanted: Type, found: Type): void {
    this.#report(id, `expected type '${formatType(wanted)}' but found '${formatType(found)}'`);
  }

  #undeclared({ id }: Expression, name: string): void {
    this.#report(id, `undeclared reference to '${name}' (in container '')`);
  }

  #report(id: number, message: string): void {
    this.issues.push({ offset: this.#positions.get(id), message });
  }
}

/** A name without the leading dot that marks it as absolute. */
function unqualified(name: string): string {
  return name.startsWith('.') ? name.slice(1) : name;
}

/** `a.b.c` of identifiers and selections; undefined for anything else. */
export function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === 'identifier') {
    return expression.name;
  }
  if (expression.kind !== 'select' || expression.testOnly) {
    return undefined;
  }
  const prefix = qualifiedName(expression.operand);
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`;
}

function literalType(value: unknown): Type {
  switch (typeof value) {
    case 'boolean':
      return BOOL;
    case 'bigint':
      return INT;
    case 'number':
      return DOUBLE;
    case 'string':
      return STRING;
    default:
      if (value === null) {
        return NULL;
      }
      return value instanceof Uint ? UINT : BYTES;
  }
}
