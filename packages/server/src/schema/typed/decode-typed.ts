import { GoTypeError } from '@tributary/apimachinery';
import { decodeScalar, jsonKind, type Mismatch, zeroScalar } from './decode-scalar.ts';
import type { GoEither, GoField, GoMap, GoSlice, GoStructType, GoType } from './go-type.ts';

type Json = Record<string, unknown>;

interface DecodedStruct {
  /** As Go encodes the decoded object: fields in the order of the struct, empty ones omitted as Go does. */
  readonly object: Json;
  /** The paths of fields that the struct does not have, in the order of the document. */
  readonly unknown: string[];
}

/**
 * Decodes a JSON value to a Go struct and encodes it again. Null counts as absent. Throws a `GoTypeError` with the
 * message of Go's decoder for a value of a wrong type: the first that a type with its own decoder finds, otherwise the
 * first of all.
 */
export function decodeTyped(
  value: Json,
  struct: GoStructType,
  /**
   * Whether an empty list or map is retained where Go encodes one: its manager owns the field, although the stored
   * object does not have it.
   */
  { keepsEmpty = false }: { readonly keepsEmpty?: boolean } = {},
): DecodedStruct {
  const decoding = new Decoding(keepsEmpty);
  const object = decoding.struct(value, struct);
  if (decoding.firstError !== undefined) throw decoding.firstError;
  return { object, unknown: decoding.unknown };
}

/** The state of decoding: its position, and errors so far. */
class Decoding {
  readonly #keepsEmpty: boolean;
  readonly unknown: string[] = [];
  firstError: GoTypeError | undefined;
  /** The struct whose field is decoded. */
  #struct: GoStructType | undefined;
  /** Fields only, for messages about types. */
  readonly #fields: string[] = [];
  /** With indexes and keys of maps, for messages about unknown fields. */
  readonly #steps: (string | number)[] = [];

  /** The path of a type with its own decoder: messages name fields within it by the whole path. */
  readonly #within: (() => string) | undefined;

  /** Fields of structs that are encoded even if they are not set. */
  readonly #always: Map<GoStructType, readonly GoField[]>;

  constructor(keepsEmpty: boolean, around?: { readonly place: () => string; always: Always }) {
    this.#keepsEmpty = keepsEmpty;
    this.#within = around?.place;
    this.#always = around?.always ?? new Map();
  }

  struct(value: Json, struct: GoStructType): Json {
    const outer = this.#struct;
    const { byName } = struct;
    const read: ReadField[] = [];
    for (const name of Object.keys(value)) {
      const field = byName.get(name);
      if (field === undefined) {
        this.unknown.push(pathOf([...this.#steps, name]));
        continue;
      }
      this.#struct = struct;
      this.#fields.push(field.path);
      this.#steps.push(name);
      read.push({ field, value: this.#value(value[name], field.type) });
      this.#steps.pop();
      this.#fields.pop();
    }
    this.#struct = outer;
    return written(read, this.#alwaysIn(struct), this.#keepsEmpty);
  }

  #value(value: unknown, type: GoType): unknown {
    if (value === null || value === undefined) return zeroValue(type);
    switch (type.kind) {
      case 'pointer':
        return this.#value(value, type.element);
      case 'either':
        return this.#either(value, type);
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
      case 'float64':
      case 'bytes':
      case 'time':
      case 'microTime':
      case 'intOrString':
      case 'quantity':
      case 'raw':
      case 'json': {
        const decoded = decodeScalar(value, type);
        return decoded.ok ? decoded.value : this.#mismatch(value, type, decoded);
      }
    }
  }

  /**
   * Such types have their own decoder: unknown fields within are not reported, and the first error ends the decoding. A
   * value of neither type is empty, except where a boolean is expected.
   */
  #either(value: unknown, { struct, other }: GoEither): unknown {
    const inner = new Decoding(this.#keepsEmpty, {
      place: () => this.#place(),
      always: this.#always,
    });
    const decoded = isObject(value) ? inner.struct(value, struct) : inner.#other(value, other);
    if (inner.firstError !== undefined) throw inner.firstError;
    return decoded;
  }

  #other(value: unknown, type: GoType): unknown {
    if (type.kind === 'slice') {
      return Array.isArray(value) && value.length > 0 ? this.#slice(value, type) : null;
    }
    if (typeof value === 'boolean') return value;
    throw new GoTypeError('boolean or JSON schema expected');
  }

  #slice(list: readonly unknown[], { element }: GoSlice): unknown[] {
    return list.map((one, at) => {
      this.#steps.push(at);
      const decoded = this.#value(one, element);
      this.#steps.pop();
      return decoded;
    });
  }

  /** Go encodes maps in the order of their keys. */
  #map(value: Json, { element }: GoMap): Json {
    const decoded: [string, unknown][] = [];
    for (const name of Object.keys(value)) {
      this.#steps.push(name);
      const one = this.#value(value[name], element);
      // The stored form of null bytes is an empty text.
      decoded.push([name, one === null && element.kind === 'bytes' ? '' : one]);
      this.#steps.pop();
    }
    decoded.sort(([a], [b]) => (a < b ? -1 : 1));
    // Unlike an assignment, this adds a key such as `__proto__` as data.
    return Object.fromEntries(decoded);
  }

  /** Go continues after its own type errors; only the first of them is reported. */
  #mismatch(value: unknown, type: GoType, found?: Mismatch): unknown {
    const error = new GoTypeError(found?.raw ?? this.#typeMessage(value, type, found));
    if (found?.isFatal) throw error;
    this.firstError ??= error;
    return zeroValue(type);
  }

  #typeMessage(value: unknown, type: GoType, found: Mismatch | undefined): string {
    const place = this.#place();
    const what = found?.what ?? jsonKind(value);
    const of = found?.type ?? type.name;
    return `json: cannot unmarshal ${what} into Go struct field ${place} of type ${of}`;
  }

  #alwaysIn(struct: GoStructType): readonly GoField[] {
    const known = this.#always.get(struct) ?? struct.fields.filter(isAlwaysWritten);
    this.#always.set(struct, known);
    return known;
  }

  #place(): string {
    return [this.#within?.() ?? this.#struct?.bareName ?? '', ...this.#fields].join('.');
  }
}

/** Go's encoding of a value that is not set. */
function zeroValue(type: GoType): unknown {
  switch (type.kind) {
    case 'pointer':
    case 'slice':
    case 'map':
    case 'either':
      return null;
    case 'struct':
      return zeroFields(type.fields);
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'float64':
    case 'bytes':
    case 'time':
    case 'microTime':
    case 'intOrString':
    case 'quantity':
    case 'raw':
    case 'json':
      return zeroScalar(type.kind);
  }
}

/** A field that is not set: encoded with its zero value, or omitted. */
export function zeroField(field: GoField): Json {
  return zeroFields([field]);
}

function zeroFields(fields: readonly GoField[]): Json {
  const encoded = fields.filter(isAlwaysWritten);
  return Object.fromEntries(encoded.map(({ name, type }) => [name, zeroValue(type)]));
}

function isAlwaysWritten(field: GoField): boolean {
  return !isOmitted(field, zeroValue(field.type));
}

type Always = Map<GoStructType, readonly GoField[]>;

interface ReadField {
  readonly field: GoField;
  readonly value: unknown;
}

/**
 * In the order of the struct. Few of its many fields are set, so only those are visited, and those that are always
 * encoded.
 */
function written(read: ReadField[], always: readonly GoField[], keepsEmpty: boolean): Json {
  const object: Json = {};
  let next = 0;
  const writeUnset = (before: number) => {
    for (let unset = always[next]; unset && unset.index < before; unset = always[next]) {
      object[unset.name] = zeroValue(unset.type);
      next += 1;
    }
  };
  for (const { field, value } of read.sort((a, b) => a.field.index - b.field.index)) {
    writeUnset(field.index);
    if (always[next]?.index === field.index) next += 1;
    const isRetained = keepsEmpty && !field.omitEmpty && !field.omitZero;
    const final = isRetained ? value : storedForm(value, field.type);
    if (!isOmitted(field, final)) object[field.name] = final;
  }
  writeUnset(Number.POSITIVE_INFINITY);
  return object;
}

/** The stored form: empty lists and maps are omitted. */
function storedForm(value: unknown, { kind }: GoType): unknown {
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
    case 'float64':
      return value === 0;
    case 'time':
    case 'microTime':
      return omitZero && value === null;
    // Structs in Go, which are never empty.
    case 'struct':
    case 'intOrString':
    case 'quantity':
    case 'raw':
    case 'json':
    case 'either':
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

/** Whether an object of the struct can have an empty list or map where Go encodes one. */
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
