import {
  formatMicroTime,
  formatQuantity,
  formatTime,
  parseMicroTime,
  parseQuantity,
  parseTime,
  stringifyJson,
} from '@tributary/apimachinery';
import { decodeBase64 } from './base64.ts';
import type { GoScalar, ScalarKind } from './go-type.ts';

type DecodedScalar = { readonly ok: true; readonly value: unknown } | Mismatch;

/** A value of a wrong type. Without further fields, the message names the value's JSON type. */
export interface Mismatch {
  readonly ok: false;
  /** The name of the value in the message, where its JSON type is not enough: `number 1.5`. */
  readonly what?: string;
  /** The Go type in the message, where it is an inner one. */
  readonly type?: string;
  /** The whole message, which names no field. */
  readonly raw?: string;
  /** Ends the decoding of the whole document, as for types with their own decoder. */
  readonly isFatal?: true;
}

/** Decodes a value that is not null to a scalar, in the form in which Go encodes it. */
export function decodeScalar(value: unknown, { kind }: Pick<GoScalar, 'kind'>): DecodedScalar {
  switch (kind) {
    case 'string':
      return typeof value === 'string' ? ok(value) : mismatch;
    case 'bool':
      return typeof value === 'boolean' ? ok(value) : mismatch;
    case 'int32':
    case 'int64':
      return decodeInteger(value, kind);
    case 'float64':
      return decodeFloat(value);
    case 'bytes':
      return decodeBytes(value);
    case 'time':
    case 'microTime':
      return decodeTime(value, kind);
    case 'intOrString':
      return decodeIntOrString(value);
    case 'quantity':
      return decodeQuantity(value);
    case 'raw':
      return ok(value);
    case 'json':
      return ok(sortedByKey(value));
  }
}

export function zeroScalar(kind: ScalarKind): unknown {
  switch (kind) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'float64':
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    case 'bytes':
    case 'time':
    case 'microTime':
    case 'raw':
    case 'json':
      return null;
  }
}

const mismatch: Mismatch = { ok: false };

function ok(value: unknown): DecodedScalar {
  return { ok: true, value };
}

function decodeInteger(value: unknown, kind: 'int32' | 'int64'): DecodedScalar {
  if (typeof value !== 'number' && typeof value !== 'bigint') return mismatch;
  return isWithin(value, kind) ? ok(value) : { ok: false, what: numberText(value) };
}

/** The digits as sent, as far as 64 bits hold them. */
function numberText(value: number | bigint): string {
  return `number ${Number.isInteger(value) ? BigInt(value) : value}`;
}

const INT32_BOUND = 2n ** 31n;
const INT64_BOUND = 2n ** 63n;

/** Whole numbers beyond 2^53 are decoded to bigint; those that are numbers nevertheless have an exponent. */
function isWithin(value: number | bigint, kind: 'int32' | 'int64'): boolean {
  if (typeof value === 'number' && !Number.isInteger(value)) return false;
  const bound = kind === 'int32' ? INT32_BOUND : INT64_BOUND;
  return value >= -bound && value < bound;
}

function decodeFloat(value: unknown): DecodedScalar {
  if (typeof value !== 'number' && typeof value !== 'bigint') return mismatch;
  const number = Number(value);
  return Number.isFinite(number) ? ok(number) : { ok: false, what: `number ${value}` };
}

/** Unlike raw bytes, such a value goes through Go maps, which are encoded in the order of their keys. */
function sortedByKey(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedByKey);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, one]) => [name, sortedByKey(one)] as const);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Go decodes bytes from base64 text, and from a list of numbers too. */
function decodeBytes(value: unknown): DecodedScalar {
  if (Array.isArray(value)) return decodeByteList(value);
  if (typeof value !== 'string') return mismatch;
  const decoded = decodeBase64(value);
  return decoded.ok ? ok(decoded.canonical) : { ok: false, raw: decoded.message };
}

function decodeByteList(list: readonly unknown[]): DecodedScalar {
  const bytes = new Uint8Array(list.length);
  for (const [at, one] of list.entries()) {
    if (one === null) continue;
    if (typeof one !== 'number' && typeof one !== 'bigint') {
      return { ok: false, what: jsonKind(one), type: 'uint8' };
    }
    const byte = Number(one);
    if (!Number.isInteger(byte) || byte < 0 || byte > 255) {
      return { ok: false, what: numberText(one), type: 'uint8' };
    }
    bytes[at] = byte;
  }
  return ok(Buffer.from(bytes).toString('base64'));
}

/** Go's year one, the zero value of a time. */
const ZERO_TIME_MS = -62_135_596_800_000;

function decodeTime(value: unknown, kind: 'time' | 'microTime'): DecodedScalar {
  if (typeof value !== 'string') return { ok: false, type: 'string', isFatal: true };
  const parsed = kind === 'time' ? parseTime(value) : parseMicroTime(value);
  if (!parsed.ok) return { ok: false, raw: parsed.message, isFatal: true };
  const { milliseconds, nanoseconds } = parsed;
  if (milliseconds === ZERO_TIME_MS && nanoseconds % 1_000_000n === 0n) return ok(null);
  return ok(kind === 'time' ? formatTime(milliseconds) : formatMicroTime(nanoseconds / 1000n));
}

function decodeIntOrString(value: unknown): DecodedScalar {
  if (typeof value === 'string') return ok(value);
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    return { ok: false, type: 'int32', isFatal: true };
  }
  if (isWithin(value, 'int32')) return ok(Number(value));
  return { ok: false, what: numberText(value), type: 'int32', isFatal: true };
}

function decodeQuantity(value: unknown): DecodedScalar {
  const text = typeof value === 'string' ? value.trim() : stringifyJson(value);
  const parsed = parseQuantity(text);
  if (!parsed.ok) return { ok: false, raw: parsed.error, isFatal: true };
  return ok(formatQuantity(parsed.quantity));
}

/** Go's name for the JSON type of a value. */
export function jsonKind(value: unknown): string {
  if (typeof value === 'bigint') return 'number';
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? 'array' : typeof value;
}
