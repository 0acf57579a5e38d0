/**
 * The types of CEL. A type is data: the checker compares structure, never identity.
 *
 * `object` names a type whose fields the environment knows (from a schema) or that has none (such as
 * `kubernetes.Quantity`); `opaque` is an abstract type with parameters, `optional_type` among them.
 */
export type Type =
  | { readonly kind: SimpleKind }
  | { readonly kind: 'list'; readonly element: Type }
  | { readonly kind: 'map'; readonly key: Type; readonly value: Type }
  | { readonly kind: 'object'; readonly name: string }
  | { readonly kind: 'opaque'; readonly name: string; readonly parameters: readonly Type[] }
  | { readonly kind: 'type'; readonly of: Type | undefined }
  | { readonly kind: 'parameter'; readonly name: string };

export type SimpleKind =
  | 'dyn'
  | 'error'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration';

export const DYN: Type = { kind: 'dyn' };
/** The type of an expression with a reported error. */
export const ERROR: Type = { kind: 'error' };
export const NULL: Type = { kind: 'null' };
export const BOOL: Type = { kind: 'bool' };
export const INT: Type = { kind: 'int' };
export const UINT: Type = { kind: 'uint' };
export const DOUBLE: Type = { kind: 'double' };
export const STRING: Type = { kind: 'string' };
export const BYTES: Type = { kind: 'bytes' };
export const TIMESTAMP: Type = { kind: 'timestamp' };
export const DURATION: Type = { kind: 'duration' };
/** The type of types, of which one is not said. */
export const TYPE: Type = { kind: 'type', of: undefined };

export function listOf(element: Type): Type {
  return { kind: 'list', element };
}

export function mapOf(key: Type, value: Type): Type {
  return { kind: 'map', key, value };
}

export function objectType(name: string): Type {
  return { kind: 'object', name };
}

export function opaqueType(name: string, ...parameters: readonly Type[]): Type {
  return { kind: 'opaque', name, parameters };
}

export function optionalOf(value: Type): Type {
  return opaqueType(OPTIONAL_NAME, value);
}

export function typeOf(type: Type): Type {
  return { kind: 'type', of: type };
}

/** A parameter of an overload's signature, such as `T` in `list(T)`; fresh at every call. */
export function typeParameter(name: string): Type {
  return { kind: 'parameter', name };
}

export const OPTIONAL_NAME = 'optional_type';

export function isOptional(type: Type): boolean {
  return type.kind === 'opaque' && type.name === OPTIONAL_NAME;
}

/** The types a type is made of, in the order in which they are printed. */
export function parametersOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case 'list':
      return [type.element];
    case 'map':
      return [type.key, type.value];
    case 'opaque':
      return type.parameters;
    case 'type':
      return type.of === undefined ? [] : [type.of];
    default:
      return [];
  }
}

/** The type with other parameters; as many as `parametersOf` gave. */
export function withParameters(type: Type, parameters: readonly Type[]): Type {
  const [first, second] = parameters;
  if (first === undefined) {
    return type;
  }
  switch (type.kind) {
    case 'list':
      return listOf(first);
    case 'map':
      return mapOf(first, second ?? DYN);
    case 'opaque':
      return { kind: 'opaque', name: type.name, parameters };
    case 'type':
      return typeOf(first);
    default:
      return type;
  }
}

const RUNTIME_NAMES: Readonly<Record<Exclude<SimpleKind, never>, string>> = {
  dyn: 'dyn',
  error: 'error',
  null: 'null_type',
  bool: 'bool',
  int: 'int',
  uint: 'uint',
  double: 'double',
  string: 'string',
  bytes: 'bytes',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
};

/** The name a value's type has at run time, without parameters; types of equal name are equal to `==`. */
export function runtimeName(type: Type): string {
  switch (type.kind) {
    case 'list':
    case 'map':
    case 'type':
      return type.kind;
    case 'object':
    case 'opaque':
    case 'parameter':
      return type.name;
    default:
      return RUNTIME_NAMES[type.kind];
  }
}

/** Two types of the same structure. */
export function sameType(left: Type, right: Type): boolean {
  if (left === right) {
    return true;
  }
  if (left.kind !== right.kind || runtimeName(left) !== runtimeName(right)) {
    return false;
  }
  const ours = parametersOf(left);
  const theirs = parametersOf(right);
  return (
    ours.length === theirs.length &&
    ours.every((parameter, index) => sameType(parameter, theirs[index] as Type))
  );
}
