import { GoTypeError } from '@tributary/apimachinery';
import { decodeScalar, jsonKind, type Mismatch, zeroScalar } from './decode-scalar.ts';
import type { GoField, GoMap, GoSlice, GoStructType, GoType } from './go-type.ts';

type Json = Record<string, unknown>;

export interface DecodedStruct {
  /** As Go would write what it has read: fields in its order, what is empty left out where it would be. */
  readonly object: Json;
  /** The paths of fields that the struct does not have, in the order of the document. */
  readonly unknown: string[];
}

/**
 * Reads a JSON value into a Go struct and writes it again. Null is like absent. Throws a `GoTypeError` with the words
 * of Go's decoder for a value of a wrong type: the first one that a type finds out itself, or else the first of all.
 */
export function decodeTyped(
  value: Json,
  struct: GoStructType,
  /**
   * Whether an empty list or map is kept where Go writes one: who sends one owns it, although what is stored cannot
   * tell it from none.
   */
  { keepsEmpty = false }: { readonly keepsEmpty?: boolean } = {},
): DecodedStruct {
  const decoding = new Decoding(keepsEmpty);
  const object = decoding.struct(value, struct);
  if (decoding.firstError !== undefined) throw decoding.firstError;
  return { object, unknown: decoding.unknown };
}

/** Where decoding is, and what it has found. */
class Decoding {
  readonly #keepsEmpty: boolean;
  readonly unknown: string[] = [];
  firstError: GoTypeError | undefined;
  /** The struct whose field is read. */
  #struct: GoStructType | undefined;
  /** Fields only, as messages about types name a place. */
  readonly #fields: string[] = [];
  /** With places in lists and keys of maps, as messages about unknown fields name it. */
  readonly #steps: (string | number)[] = [];

  constructor(keepsEmpty: boolean) {
    this.#keepsEmpty = keepsEmpty;
  }

  struct(value: Json, struct: GoStructType): Json {
    const outer = this.#struct;
    const { fields, byName } = struct;
    const values: unknown[] = new Array(fields.length);
    for (const name of Object.keys(value)) {
      const field = byName.get(name);
      if (field === undefined) {
        this.unknown.push(pathOf([...this.#steps, name]));
        continue;
      }
      this.#struct = struct;
      this.#fields.push(field.path);
      this.#steps.push(name);
      values[field.index] = this.#value(value[name], field.type);
      this.#steps.pop();
      this.#fields.pop();
    }
    this.#struct = outer;
    return written(fields, values, this.#keepsEmpty);
  }

  #value(value: unknown, type: GoType): unknown {
    if (value === null || value === undefined) return zeroValue(type);
    switch (type.kind) {
      case 'pointer':
        return this.#value(value, type.element);
      case 'struct':
        if (isObject(value)) return this.struct(value, type);
        return this.#mismatch(value, type);
      case 'slice':
        return Array.isArray(value) ? this.#slice(value, type) : this.#mismatch(value, type);
      case 'map':
        return isObject(value) ? this.#map(value, type) : this.#mismatch(value, type);
      case 'string':
        return typeof value === 'string' ? value : this.#mismatch(value, type);
      case 'bool':
      case 'int32':
      case 'int64':
      case 'bytes':
      case 'time':
      case 'microTime':
      case 'intOrString':
      case 'quantity':
      case 'raw': {
        const decoded = decodeScalar(value, type);
        return decoded.ok ? decoded.value : this.#mismatch(value, type, decoded);
      }
    }
  }

  #slice(list: readonly unknown[], { element }: GoSlice): unknown[] {
    return list.map((one, at) => {
      this.#steps.push(at);
      const decoded = this.#value(one, element);
      this.#steps.pop();
      return decoded;
    });
  }

  /** Go writes maps by their keys. */
  #map(value: Json, { element }: GoMap): Json {
    const decoded: [string, unknown][] = [];
    for (const name of Object.keys(value)) {
      this.#steps.push(name);
      const one = this.#value(value[name], element);
      // What is stored and read again cannot tell no bytes from null.
      decoded.push([name, one === null && element.kind === 'bytes' ? '' : one]);
      this.#steps.pop();
    }
    decoded.sort(([a], [b]) => (a < b ? -1 : 1));
    // Unlike an assignment, this keeps a key such as `__proto__` as data.
    return Object.fromEntries(decoded);
  }

  /** Go goes on reading where it finds the mistake itself; of those only the first is told. */
  #mismatch(value: unknown, type: GoType, found?: Mismatch): unknown {
    const error = new GoTypeError(found?.raw ?? this.#typeMessage(value, type, found));
    if (found?.isFatal) throw error;
    this.firstError ??= error;
    return zeroValue(type);
  }

  #typeMessage(value: unknown, type: GoType, found: Mismatch | undefined): string {
    const place = `${this.#struct?.bareName ?? ''}.${this.#fields.join('.')}`;
    const what = found?.what ?? jsonKind(value);
    const of = found?.type ?? type.name;
    return `json: cannot unmarshal ${what} into Go struct field ${place} of type ${of}`;
  }
}

/** What Go writes of a value that nobody has set. */
export function zeroValue(type: GoType): unknown {
  switch (type.kind) {
    case 'pointer':
    case 'slice':
    case 'map':
      return null;
    case 'struct':
      return written(type.fields, []);
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'bytes':
    case 'time':
    case 'microTime':
    case 'intOrString':
    case 'quantity':
    case 'raw':
      return zeroScalar(type.kind);
  }
}

/** A field that nobody has set, as it is written: with its zero value or not at all. */
export function zeroField(field: GoField): Json {
  return written([{ ...field, index: 0 }], []);
}

function written(fields: readonly GoField[], values: readonly unknown[], keepsEmpty = false): Json {
  const object: Json = {};
  for (const field of fields) {
    const read = values[field.index];
    const isKept = keepsEmpty && !field.omitEmpty && !field.omitZero;
    const value =
      read === undefined ? zeroValue(field.type) : isKept ? read : settled(read, field.type);
    if (isOmitted(field, value)) continue;
    object[field.name] = value;
  }
  return object;
}

/** What is stored and read again cannot tell an empty list or map from none. */
function settled(value: unknown, { kind }: GoType): unknown {
  if (kind !== 'slice' && kind !== 'map') return value;
  return value === null || Object.keys(value as object).length === 0 ? null : value;
}

function isOmitted({ omitEmpty, omitZero, type }: GoField, value: unknown): boolean {
  if (!omitEmpty && !omitZero) return false;
  switch (type.kind) {
    case 'pointer':
    case 'slice':
    case 'map':
      return value === null;
    case 'string':
    case 'bytes':
      return value === '' || value === null;
    case 'bool':
      return value === false;
    case 'int32':
    case 'int64':
      return value === 0;
    case 'time':
    case 'microTime':
      return omitZero && value === null;
    // Structs to Go, which are never empty.
    case 'struct':
    case 'intOrString':
    case 'quantity':
    case 'raw':
      return false;
  }
}

function pathOf(steps: readonly (string | number)[]): string {
  let text = '';
  for (const step of steps) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether an object of the struct can have an empty list or map where Go writes one. */
export function writesEmpty(struct: GoStructType, seen = new Set<GoStructType>()): boolean {
  if (seen.has(struct)) return false;
  seen.add(struct);
  return struct.fields.some(({ type, omitEmpty, omitZero }) => {
    const isWritten = !omitEmpty && !omitZero && (type.kind === 'slice' || type.kind === 'map');
    return isWritten || within(type, seen);
  });
}

function within(type: GoType, seen: Set<GoStructType>): boolean {
  switch (type.kind) {
    case 'pointer':
    case 'slice':
    case 'map':
      return within(type.element, seen);
    case 'struct':
      return writesEmpty(type, seen);
    default:
      return false;
  }
}
