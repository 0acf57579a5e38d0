import {
  DYN,
  NULL,
  parametersOf,
  runtimeName,
  sameType,
  type Type,
  withParameters,
} from '../values/types.ts';

/** Type variables and their types, found while checking. Failed attempts leave no trace. */
export interface Substitution {
  /** Whether a value of the one type fits where the other is wanted; learns what variables must be. */
  assignable(left: Type, right: Type): boolean;
  assignableAll(left: readonly Type[], right: readonly Type[]): boolean;
  /** The type with variables replaced; those that stand for nothing become dyn when asked. */
  apply(type: Type, freeToDyn: boolean): Type;
  freshVariable(): Type;
}

export function createSubstitution(): Substitution {
  const bindings = new Map<string, Type>();
  let journal: { readonly name: string; readonly previous: Type | undefined }[] = [];
  let count = 0;

  const bind = (name: string, type: Type) => {
    journal.push({ name, previous: bindings.get(name) });
    bindings.set(name, type);
  };
  const attempt = (test: () => boolean): boolean => {
    journal = [];
    if (test()) {
      return true;
    }
    for (const { name, previous } of journal.reverse()) {
      if (previous === undefined) {
        bindings.delete(name);
      } else {
        bindings.set(name, previous);
      }
    }
    return false;
  };

  const assignable = (left: Type, right: Type): boolean => {
    if (right.kind === 'parameter') {
      const { valid, bound } = unify(left, right);
      if (valid || bound) {
        return valid;
      }
    }
    if (left.kind === 'parameter') {
      return unify(right, left).valid;
    }
    if (isWildcard(left) || isWildcard(right)) {
      return true;
    }
    if (left.kind === 'null' || right.kind === 'null') {
      return isNullable(left.kind === 'null' ? right : left);
    }
    if (left.kind !== right.kind) {
      return false;
    }
    switch (left.kind) {
      case 'type':
        return true;
      case 'opaque':
      case 'list':
      case 'map':
        return (
          runtimeName(left) === runtimeName(right) &&
          assignableAll(parametersOf(left), parametersOf(right))
        );
      default:
        return runtimeName(left) === runtimeName(right);
    }
  };
  const assignableAll = (left: readonly Type[], right: readonly Type[]): boolean =>
    left.length === right.length &&
    left.every((type, index) => assignable(type, right[index] as Type));

  /** Whether a variable can stand for a type, and whether it already stood for one. */
  const unify = (type: Type, variable: Type & { kind: 'parameter' }) => {
    if (sameType(type, variable)) {
      return { valid: true, bound: true };
    }
    const current = bindings.get(variable.name);
    if (current !== undefined) {
      if (sameType(type, current)) {
        return { valid: true, bound: true };
      }
      if (!assignable(type, current)) {
        return { valid: false, bound: true };
      }
      const general = mostGeneral(type, current);
      if (!occurs(variable, general)) {
        bind(variable.name, general);
      }
      return { valid: true, bound: true };
    }
    if (occurs(variable, type)) {
      return { valid: false, bound: false };
    }
    bind(variable.name, type);
    return { valid: true, bound: false };
  };
  const occurs = (variable: Type, within: Type): boolean => {
    if (sameType(variable, within)) {
      return true;
    }
    if (within.kind === 'parameter') {
      const current = bindings.get(within.name);
      return current !== undefined && occurs(variable, current);
    }
    return parametersOf(within).some((parameter) => occurs(variable, parameter));
  };

  const apply = (type: Type, freeToDyn: boolean): Type => {
    if (type.kind === 'parameter') {
      const current = bindings.get(type.name);
      if (current !== undefined) {
        return apply(current, freeToDyn);
      }
      return freeToDyn ? DYN : type;
    }
    const parameters = parametersOf(type);
    return parameters.length === 0
      ? type
      : withParameters(
          type,
          parameters.map((parameter) => apply(parameter, freeToDyn)),
        );
  };

  return {
    assignable: (left, right) => attempt(() => assignable(left, right)),
    assignableAll: (left, right) => attempt(() => assignableAll(left, right)),
    apply,
    freshVariable: () => ({ kind: 'parameter', name: `_var${count++}` }),
  };
}

/** An overload's types with its parameters replaced by variables of this call. */
export function instantiate(types: readonly Type[], freshVariable: () => Type): readonly Type[] {
  const fresh = new Map<string, Type>();
  const replace = (type: Type): Type => {
    if (type.kind === 'parameter') {
      const known = fresh.get(type.name) ?? freshVariable();
      fresh.set(type.name, known);
      return known;
    }
    const parameters = parametersOf(type);
    return parameters.length === 0 ? type : withParameters(type, parameters.map(replace));
  };
  return types.map(replace);
}

function isWildcard(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'error';
}

/** Null fits where upstream has always let it: messages, abstract types, times. */
function isNullable(type: Type): boolean {
  switch (type.kind) {
    case 'opaque':
    case 'object':
    case 'duration':
    case 'timestamp':
      return true;
    default:
      return sameType(type, NULL);
  }
}

/** The more general of two types that fit each other. */
export function mostGeneral(left: Type, right: Type): Type {
  return equalOrLessSpecific(left, right) ? left : right;
}

function equalOrLessSpecific(left: Type, right: Type): boolean {
  if (left.kind === 'dyn' || left.kind === 'parameter') {
    return true;
  }
  if (right.kind === 'dyn' || right.kind === 'parameter' || left.kind !== right.kind) {
    return false;
  }
  switch (left.kind) {
    case 'type':
      return true;
    case 'opaque':
    case 'list':
    case 'map': {
      const theirs = parametersOf(right);
      const ours = parametersOf(left);
      return (
        runtimeName(left) === runtimeName(right) &&
        ours.length === theirs.length &&
        ours.every((type, index) => equalOrLessSpecific(type, theirs[index] as Type))
      );
    }
    default:
      return sameType(left, right);
  }
}
