import { formatTime, parseTime } from './time.ts';

/** The fields of a Go struct, for the few documents whose type errors a client can see. */
export interface GoStruct {
  /** With its package, as in `v1.DeleteOptions`. */
  readonly type: string;
  readonly fields: Readonly<Record<string, GoField>>;
}

export type GoField =
  | {
      readonly kind: 'string' | 'bool' | 'int64';
      /** The Go type where it has a name of its own. */
      readonly type?: string;
      /** The name in messages where it is not the JSON name: fields of embedded structs. */
      readonly path?: string;
    }
  /** Any JSON, taken as it is. */
  | { readonly kind: 'any' }
  /** RFC 3339. */
  | { readonly kind: 'time' }
  | { readonly kind: 'strings' }
  | { readonly kind: 'stringMap' }
  | { readonly kind: 'struct'; readonly struct: GoStruct }
  | { readonly kind: 'structs'; readonly struct: GoStruct };

/** What a struct holds after decoding; absent fields are absent. */
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

/** A JSON value of the wrong type; the message is that of Go's `encoding/json`. */
export class GoTypeError extends Error {}

/**
 * Reads a JSON value into the fields of a struct as Go does: null is like absent, unknown fields are skipped,
 * and the first value of a wrong type throws a `GoTypeError`.
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
  if (!isObject(value)) throw typeError(value, 'value', struct.type);
  const fields: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const field = Object.hasOwn(struct.fields, name) ? struct.fields[name] : undefined;
    if (field === undefined || member === null) continue;
    const own = 'path' in field && field.path !== undefined ? field.path : name;
    fields[name] = decodeField(member, field, { struct, path: path + own });
  }
  return fields;
}

interface Place {
  readonly struct: GoStruct;
  readonly path: string;
}

function decodeField(value: unknown, field: GoField, place: Place): unknown {
  switch (field.kind) {
    case 'string':
      if (typeof value === 'string') return value;
      throw fieldTypeError(value, field.type ?? 'string', place);
    case 'bool':
      if (typeof value === 'boolean') return value;
      throw fieldTypeError(value, 'bool', place);
    case 'int64':
      if (typeof value === 'bigint') return value;
      if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
      throw fieldTypeError(value, 'int64', place);
    case 'any':
      return value;
    case 'time':
      return decodeTime(value, place);
    case 'strings':
      return decodeStrings(value, place);
    case 'stringMap':
      return decodeStringMap(value, place);
    case 'structs':
      if (!Array.isArray(value)) throw fieldTypeError(value, `[]${field.struct.type}`, place);
      return value.map((element: unknown) => {
        if (!isObject(element) && element !== null)
          throw fieldTypeError(element, field.struct.type, place);
        return decode(element, field.struct, `${place.path}.`);
      });
    case 'struct':
      if (!isObject(value)) throw fieldTypeError(value, field.struct.type, place);
      return decode(value, field.struct, `${place.path}.`);
  }
}

function decodeStrings(value: unknown, place: Place): string[] {
  if (!Array.isArray(value)) throw fieldTypeError(value, '[]string', place);
  return value.map((element: unknown) => {
    if (element === null) return '';
    if (typeof element === 'string') return element;
    throw fieldTypeError(element, 'string', place);
  });
}

function decodeStringMap(value: unknown, place: Place): Record<string, string> {
  if (!isObject(value)) throw fieldTypeError(value, 'map[string]string', place);
  const entries = Object.entries(value).map(([name, member]: [string, unknown]) => {
    if (member !== null && typeof member !== 'string')
      throw fieldTypeError(member, 'string', place);
    return [name, member ?? ''] as const;
  });
  // Unlike an assignment, this keeps a key such as `__proto__` as data.
  return Object.fromEntries(entries);
}

/** Go's times decode themselves; a text that is no time is refused without naming the field. */
function decodeTime(value: unknown, place: Place): string {
  if (typeof value !== 'string') throw fieldTypeError(value, 'string', place);
  const parsed = parseTime(value);
  if (!parsed.ok) throw new GoTypeError(parsed.message);
  return formatTime(parsed.milliseconds);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldTypeError(value: unknown, type: string, { struct, path }: Place): GoTypeError {
  // An anonymous struct has no name to show.
  const name = /^\w+\.(\w+)$/.exec(struct.type)?.[1] ?? '';
  return typeError(value, `struct field ${name}.${path}`, type);
}

function typeError(value: unknown, target: string, type: string): GoTypeError {
  const what = type === 'int64' && typeof value === 'number' ? `number ${value}` : jsonKind(value);
  return new GoTypeError(`json: cannot unmarshal ${what} into Go ${target} of type ${type}`);
}

function jsonKind(value: unknown): string {
  if (typeof value === 'bigint') return 'number';
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? 'array' : typeof value;
}
