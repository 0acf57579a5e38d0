import { decodeJson, formatMicroTime, formatTime, JsonError } from '@tributary/apimachinery';
import type { GoEither, GoStructType, GoType } from './go-type.ts';
import { fieldsOfMessage, ProtobufError, type WireField } from './protobuf-wire.ts';

type Json = Record<string, unknown>;

/** The prefix of every protobuf body; the rest is a `runtime.Unknown`. */
const MAGIC = Buffer.from('k8s\0');
/** Deeper than any real message; each level needs stack. */
const DEPTH_MAX = 1000;

/** The type of a body, and the message itself. */
interface ProtobufEnvelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

/** Throws a `ProtobufError` for a body that is not in the protobuf encoding of Kubernetes. */
export function openEnvelope(body: Uint8Array): ProtobufEnvelope {
  if (!MAGIC.equals(body.subarray(0, MAGIC.length))) {
    throw new ProtobufError('provided data does not appear to be a protobuf message');
  }
  const envelope = byNumber(body.subarray(MAGIC.length));
  const type = byNumber(bytesOf(envelope.get(1)));
  return {
    apiVersion: textOf(type.get(1)),
    kind: textOf(type.get(2)),
    raw: bytesOf(envelope.get(2)),
  };
}

/**
 * Decodes a message to the JSON that the same client would have sent. Fields that the struct does not have are skipped.
 * Throws a `ProtobufError` for a message that cannot be decoded.
 */
export function decodeProtobuf(raw: Uint8Array, struct: GoStructType): Json {
  return message(raw, struct, 0);
}

function message(bytes: Uint8Array, struct: GoStructType, depth: number): Json {
  if (depth > DEPTH_MAX) throw new ProtobufError('the message is nested too deeply');
  const object: Json = {};
  for (const wire of fieldsOfMessage(bytes)) {
    const field = struct.byNumber.get(wire.number);
    if (field === undefined || (wire.fixed !== undefined && !isFloat(field.type))) continue;
    if (field.isInline) Object.assign(object, value(wire, field.type, depth));
    else object[field.name] = added(object[field.name], wire, field.type, depth);
  }
  return object;
}

/** Lists and maps have a field for each element; of any other field the last one counts. */
function added(before: unknown, wire: WireField, type: GoType, depth: number): unknown {
  if (type.kind === 'slice') {
    const list = (before ?? []) as unknown[];
    list.push(...elements(wire, type.element, depth));
    return list;
  }
  if (type.kind === 'map') {
    const [key, element] = entry(wire, type.element, depth);
    // Unlike an assignment, this adds a key such as `__proto__` as data.
    return Object.defineProperty(before ?? {}, key, {
      value: element,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
  return value(wire, type, depth);
}

/** Numbers may be packed into one field. */
function elements(wire: WireField, type: GoType, depth: number): unknown[] {
  const isNumber = type.kind === 'int32' || type.kind === 'int64';
  if (!isNumber || wire.bytes === undefined) return [value(wire, type, depth)];
  return packedNumbers(wire.bytes).map((number) => value(number, type, depth));
}

function packedNumbers(bytes: Uint8Array): WireField[] {
  // A tag before each number makes fields of them.
  const numbers: WireField[] = [];
  let start = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte >= 0x80) continue;
    const tagged = Buffer.concat([Buffer.of(8), bytes.subarray(start, at + 1)]);
    numbers.push(...fieldsOfMessage(tagged));
    start = at + 1;
  }
  return numbers;
}

function entry(wire: WireField, type: GoType, depth: number): [string, unknown] {
  const parts = byNumber(bytesOf(wire));
  const element = parts.get(2);
  return [textOf(parts.get(1)), element === undefined ? null : value(element, type, depth + 1)];
}

function value(wire: WireField, type: GoType, depth: number): unknown {
  switch (type.kind) {
    case 'pointer':
      return value(wire, type.element, depth);
    case 'struct':
      return message(bytesOf(wire), type, depth + 1);
    // A list within a map is a message around the list.
    case 'slice':
      return fieldsOfMessage(bytesOf(wire)).flatMap((one) => elements(one, type.element, depth));
    case 'map':
      throw new ProtobufError(`${type.name} cannot stand here`);
    case 'string':
      return textOf(wire);
    case 'bool':
      return integerOf(wire) !== 0n;
    case 'int32':
      return Number(BigInt.asIntN(32, integerOf(wire)));
    case 'int64':
      return numberOf(BigInt.asIntN(64, integerOf(wire)));
    case 'float64':
      return float(wire);
    case 'bytes':
      return Buffer.from(bytesOf(wire)).toString('base64');
    case 'time':
    case 'microTime':
      return time(bytesOf(wire), type.kind);
    case 'intOrString':
      return intOrString(bytesOf(wire));
    case 'quantity':
      return textOf(fieldsOfMessage(bytesOf(wire)).find(({ number }) => number === 1)) || null;
    case 'raw':
    case 'json':
      return raw(bytesOf(wire));
    case 'either':
      return either(bytesOf(wire), type, depth + 1);
  }
}

function isFloat(type: GoType): boolean {
  return type.kind === 'pointer' ? isFloat(type.element) : type.kind === 'float64';
}

function float({ number, fixed }: WireField): number {
  if (fixed === undefined) throw new ProtobufError(`field ${number} is no fractional number`);
  const value = Buffer.from(fixed).readDoubleLE();
  // JSON has no such number. Upstream stores it, and cannot encode the object afterwards.
  if (!Number.isFinite(value)) throw new ProtobufError(`field ${number} is not a finite number`);
  return value;
}

/** A boolean precedes the struct, a list follows it. */
function either(bytes: Uint8Array, { struct, other }: GoEither, depth: number): unknown {
  const fields = fieldsOfMessage(bytes);
  const isBoolean = other.kind === 'bool';
  const whole = fields.findLast(({ number }) => number === (isBoolean ? 2 : 1));
  if (whole !== undefined) return message(bytesOf(whole), struct, depth);
  if (isBoolean) return integerOf(fields.find(({ number }) => number === 1)) !== 0n;
  const list = fields.filter(({ number }) => number === 2);
  if (other.kind !== 'slice' || list.length === 0) return null;
  return list.flatMap((one) => elements(one, other.element, depth));
}

/** Seconds and nanoseconds since 1970; an empty message is no time. */
function time(bytes: Uint8Array, kind: 'time' | 'microTime'): string | null {
  if (bytes.length === 0) return null;
  const parts = byNumber(bytes);
  const seconds = BigInt.asIntN(64, integerOf(parts.get(1)));
  const nanoseconds = BigInt.asIntN(32, integerOf(parts.get(2)));
  if (seconds < -TIME_SECONDS_MAX || seconds > TIME_SECONDS_MAX) {
    throw new ProtobufError('a time is out of range');
  }
  if (kind === 'time') return formatTime(Number(seconds) * 1000);
  return formatMicroTime(seconds * 1_000_000n + nanoseconds / 1000n);
}

/** The range of a JavaScript date. */
const TIME_SECONDS_MAX = 8_640_000_000_000n;

function intOrString(bytes: Uint8Array): string | number {
  const parts = byNumber(bytes);
  if (integerOf(parts.get(1)) !== 0n) return textOf(parts.get(3));
  return Number(BigInt.asIntN(32, integerOf(parts.get(2))));
}

function raw(bytes: Uint8Array): unknown {
  const inner = bytesOf(fieldsOfMessage(bytes).find(({ number }) => number === 1));
  return inner.length === 0 ? null : json(inner);
}

/** JSON inside a message is as untrusted as the message. */
function json(bytes: Uint8Array): unknown {
  try {
    return decodeJson(bytes).value;
  } catch (error) {
    throw error instanceof JsonError ? new ProtobufError(error.message) : error;
  }
}

/** Of a repeated field the last one counts. */
function byNumber(bytes: Uint8Array): Map<number, WireField> {
  return new Map(fieldsOfMessage(bytes).map((field) => [field.number, field]));
}

function numberOf(integer: bigint): number | bigint {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}

function bytesOf(field: WireField | undefined): Uint8Array {
  if (field === undefined) return new Uint8Array();
  if (field.bytes === undefined) throw new ProtobufError(`field ${field.number} is not bytes`);
  return field.bytes;
}

function textOf(field: WireField | undefined): string {
  return Buffer.from(bytesOf(field)).toString('utf8');
}

function integerOf(field: WireField | undefined): bigint {
  if (field === undefined) return 0n;
  if (field.integer === undefined) throw new ProtobufError(`field ${field.number} is no number`);
  return field.integer;
}
