import type { CelError } from './errors.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  UINT,
} from './types.ts';

/**
 * A value of CEL. Integers are bigint and doubles are number, so that the two never mix by accident;
 * strings are JavaScript strings whose size is counted in code points.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Timestamp
  | Duration
  | ListValue
  | MapValue
  | Optional
  | TypeValue
  | OpaqueValue;

/** The result of an expression: errors are values, see `CelError`. */
export type Result = Value | CelError;

export class Uint {
  readonly kind = 'uint';
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** An instant in nanoseconds since 1970, within the years 1 to 9999. */
export class Timestamp {
  readonly kind = 'timestamp';
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

/** A signed length of time that fits int64 nanoseconds. */
export class Duration {
  readonly kind = 'duration';
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

/** Told of every step of work that no cost is counted for; throws when there are too many. */
export type Step = (steps?: number) => void;

/** A list by position. Implementations convert elements when asked, so data is wrapped, not copied. */
export interface ListValue {
  readonly kind: 'list';
  readonly size: number;
  /** The element at an index from 0 to size - 1; the caller has checked the bounds. */
  at(index: number): Result;
  /** Lists that a schema types compare, add and search in their own way; absent is the usual way. */
  equals?(other: Value, step: Step): boolean | CelError;
  plus?(other: ListValue): Result;
  contains?(value: Value, step: Step): boolean | CelError;
}

/**
 * A map, or an object of a schema, which is a map at run time. Keys are bool, int, uint or string;
 * numeric keys that are equal as numbers are the same key.
 */
export interface MapValue {
  readonly kind: 'map';
  readonly size: number;
  /** The value of a key; undefined when there is none. Never looks at a prototype. */
  get(key: Value): Result | undefined;
  /** In the order of iteration, which is stable. */
  keys(): Iterable<Value>;
  /** Objects of a schema compare unknown fields as plain data; `undefined` compares keys and values. */
  equals?(other: Value, step: Step): boolean | CelError;
}

/** `optional.of(value)`, or `optional.none()` when the value is undefined. */
export class Optional {
  readonly kind = 'optional';
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

export const NONE = new Optional(undefined);

/** A type as a value, as `type(1)` and `int` give. */
export class TypeValue {
  readonly kind = 'type-value';
  readonly type: Type;

  constructor(type: Type) {
    this.type = type;
  }
}

/** A value of a library's own type, such as a URL. */
export interface OpaqueValue {
  readonly kind: 'opaque';
  /** `object` or `opaque`, by what upstream declares. */
  readonly type: Type;
  equals(other: Value, step: Step): boolean | CelError;
  /** The cost of `==` at run time; when absent, as a value of size 1. */
  readonly equalityCost?: number;
  /** Its size for `size()` and costs; 1 when absent. */
  readonly size?: number;
  /** Answers field selection, as for `variables.x`; undefined when there is no such field. */
  field?(name: string): Result | undefined;
}

/** The type of a value, without the types of elements, as `type()` gives it. */
export function typeOfValue(value: Value): Type {
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
      return value === null ? NULL : typeOfObject(value);
  }
}

const LIST_OF_DYN = listOf(DYN);
const MAP_OF_DYN = mapOf(DYN, DYN);
const OPTIONAL_OF_DYN = optionalOf(DYN);

function typeOfObject(value: Exclude<Value, null | boolean | bigint | number | string>): Type {
  if (value instanceof Uint8Array) {
    return BYTES;
  }
  switch (value.kind) {
    case 'uint':
      return UINT;
    case 'timestamp':
      return TIMESTAMP;
    case 'duration':
      return DURATION;
    case 'list':
      return LIST_OF_DYN;
    case 'map':
      return MAP_OF_DYN;
    case 'optional':
      return OPTIONAL_OF_DYN;
    case 'type-value':
      return TYPE;
    case 'opaque':
      return value.type;
  }
}

export function isList(value: Result | undefined): value is ListValue {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'list';
}

export function isMap(value: Result | undefined): value is MapValue {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'map';
}

/** From this length on, looking for surrogates in native code is faster than a loop. */
const LONG_TEXT = 64;
const SURROGATE = /[\ud800-\udfff]/;

/** The number of code points, which is the size of a string; a lone surrogate counts as one. */
export function codePoints(text: string): number {
  if (text.length >= LONG_TEXT && !SURROGATE.test(text)) {
    return text.length;
  }
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    // A high surrogate followed by a low one is a single code point.
    if (
      (text.charCodeAt(index) & 0xfc00) === 0xd800 &&
      (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00
    ) {
      count--;
      index++;
    }
  }
  return count;
}

/** The size of a value for costs: `size()` where it has one, otherwise 1. */
export function sizeOf(value: Result): number {
  if (typeof value === 'string') {
    return codePoints(value);
  }
  if (typeof value !== 'object' || value === null) {
    return 1;
  }
  if (value instanceof Uint8Array) {
    return value.length;
  }
  if (!('kind' in value)) {
    return 1;
  }
  switch (value.kind) {
    case 'list':
    case 'map':
      return value.size;
    case 'optional':
      return value.value === undefined ? 1 : sizeOf(value.value);
    case 'opaque':
      return value.size ?? 1;
    default:
      return 1;
  }
}
