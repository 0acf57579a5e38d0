import { formatTime, parseTime } from '../values/time.ts';
import { isJsonObject } from './json-object.ts';

/** The fields of a Go struct, for the few documents whose type errors clients see. */
export interface GoStruct {
  /** The type name with its package: `v1.DeleteOptions`. */
  readonly type: string;
  readonly fields: Readonly<Record<string, GoField>>;
}

export type GoField =
  | {
      readonly kind: 'string' | 'bool' | 'int64';
      /** The name of the Go type if it is not the kind. */
      readonly type?: string;
      /** The name in messages if it is not the JSON name, as for fields of embedded structs. */
      readonly path?: string;
    }
  /** Any JSON, not decoded. */
  | { readonly kind: 'any' }
  /** RFC 3339. */
  | { readonly kind: 'time' }
  | { readonly kind: 'strings' }
  | { readonly kind: 'stringMap' }
  | { readonly kind: 'struct'; readonly struct: GoStruct }
  | { readonly kind: 'structs'; readonly struct: GoStruct };

/** The decoded fields of a struct. */
export type Decoded<Struct extends GoStruct> = {
  readonly [Name in keyof Struct['fields']]?: FieldValue<Struct['fields'][Name]>;
};

type FieldValue<Field extends GoField> = Field extends { kind: 'struct' }
  ? Decoded<Field['struct']>
  : Field extends { kind: 'structs'; struct: infer Element extends GoStruct }
    ? Decoded<Element>[]
    : Field['kind'] extends keyof PlainValues
      ? PlainValues[Field['kind']]
      : never;

interface PlainValues {
  string: string;
  bool: boolean;
  int64: bigint;
  any: unknown;
  time: string;
  strings: string[];
  stringMap: Record<string, string>;
}

/** A JSON value has the wrong type; the message is that of Go's `encoding/json`. */
export class GoTypeError extends Error {}

/**
 * Decodes a JSON value into a struct like Go: null equals absent, unknown fields are ignored, and the first value of a
 * wrong type throws a `GoTypeError`.
 */
export function decodeGoStruct<const Struct extends GoStruct>(
  value: unknown,
  struct: Struct,
): Decoded<Struct> {
  // `decode` checks every value against its field's kind, which the compiler cannot follow.
  return decode(value, struct, '') as Decoded<Struct>;
}

function decode(value: unknown, struct: GoStruct, path: string): Record<string, unknown> {
  if (value === null) return {};
  if (!isJsonObject(value)) throw typeError(value, 'value', struct.type);
  const fields: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const field = Object.hasOwn(struct.fields, name) ? struct.fields[name] : undefined;
    if (field === undefined || member === null) continue;
    const pathName = 'path' in field && field.path !== undefined ? field.path : name;
    fields[name] = decodeField(member, field, { struct, path: path + pathName });
  }
  return fields;
}

interface FieldContext {
  readonly struct: GoStruct;
  readonly path: string;
}

function decodeField(value: unknown, field: GoField, context: FieldContext): unknown {
  switch (field.kind) {
    case 'string':
      if (typeof value === 'string') return value;
      throw fieldTypeError(value, field.type ?? 'string', context);
    case 'bool':
      if (typeof value === 'boolean') return value;
      throw fieldTypeError(value, 'bool', context);
    case 'int64':
      if (typeof value === 'bigint') return value;
      if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
      throw fieldTypeError(value, 'int64', context);
    case 'any':
      return value;
    case 'time':
      return decodeTime(value, context);
    case 'strings':
      return decodeStrings(value, context);
    case 'stringMap':
      return decodeStringMap(value, context);
    case 'structs':
      if (!Array.isArray(value)) throw fieldTypeError(value, `[]${field.struct.type}`, context);
      return value.map((element: unknown) => {
        if (!isJsonObject(element) && element !== null)
          throw fieldTypeError(element, field.struct.type, context);
        return decode(element, field.struct, `${context.path}.`);
      });
    case 'struct':
      if (!isJsonObject(value)) throw fieldTypeError(value, field.struct.type, context);
      return decode(value, field.struct, `${context.path}.`);
  }
}

function decodeStrings(value: unknown, context: FieldContext): string[] {
  if (!Array.isArray(value)) throw fieldTypeError(value, '[]string', context);
  return value.map((element: unknown) => {
    if (element === null) return '';
    if (typeof element === 'string') return element;
    throw fieldTypeError(element, 'string', context);
  });
}

function decodeStringMap(value: unknown, context: FieldContext): Record<string, string> {
  if (!isJsonObject(value)) throw fieldTypeError(value, 'map[string]string', context);
  const entries = Object.entries(value).map(([name, member]: [string, unknown]) => {
    if (member !== null && typeof member !== 'string')
      throw fieldTypeError(member, 'string', context);
    return [name, member ?? ''] as const;
  });
  // Unlike an assignment, this stores a key such as `__proto__` as data.
  return Object.fromEntries(entries);
}

/** The error for an invalid time does not name the field, because `metav1.Time` has its own decoder. */
function decodeTime(value: unknown, context: FieldContext): string {
  if (typeof value !== 'string') throw fieldTypeError(value, 'string', context);
  const parsed = parseTime(value);
  if (!parsed.ok) throw new GoTypeError(parsed.message);
  return formatTime(parsed.milliseconds);
}

function fieldTypeError(value: unknown, type: string, { struct, path }: FieldContext): GoTypeError {
  // An anonymous struct has no name in the message.
  const name = /^\w+\.(\w+)$/.exec(struct.type)?.[1] ?? '';
  return typeError(value, `struct field ${name}.${path}`, type);
}

function typeError(value: unknown, target: string, type: string): GoTypeError {
  const kind = type === 'int64' && typeof value === 'number' ? `number ${value}` : jsonKind(value);
  return new GoTypeError(`json: cannot unmarshal ${kind} into Go ${target} of type ${type}`);
}

function jsonKind(value: unknown): string {
  if (typeof value === 'bigint') return 'number';
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? 'array' : typeof value;
}
