import { parseGoDuration, parseTime } from '@tributary/apimachinery';
import { type CelError, celError } from '../values/errors.ts';
import type { Json } from '../values/json.ts';
import { Duration, type OpaqueValue, type Result, Timestamp } from '../values/value.ts';
import { type Backed, DATA, equalData, isObject, plainData } from './backing.ts';
import type { Schema } from './schema.ts';
import { typedArray } from './typed-list.ts';
import { typedMap } from './typed-map.ts';

/**
 * Data with the types its schema gives it: whether a number is an int or a double, what a string
 * means. Nothing is copied; parts are converted when an expression asks for them.
 */
export function typedValue(data: Json | undefined, schema: Schema): Result {
  if (data === null || data === undefined) {
    return schema.nullable === true
      ? null
      : celError('invalid data, got null for schema with nullable=false');
  }
  if (schema['x-kubernetes-int-or-string'] === true) {
    return intOrString(data);
  }
  switch (schema.type) {
    case 'object':
      return isObject(data) ? typedMap(data, schema, typedValue) : expected('a map', 'object');
    case 'array':
      return Array.isArray(data)
        ? typedArray(data, schema, typedValue)
        : expected('an array', 'array');
    case 'string':
      return typeof data === 'string' ? typedString(data, schema) : wrong('string', data);
    case 'number':
      return typeof data === 'number' || typeof data === 'bigint'
        ? Number(data)
        : wrong('float', data);
    case 'integer':
      return integer(data) ?? wrong('int', data);
    case 'boolean':
      return typeof data === 'boolean' ? data : wrong('bool', data);
    default:
      return schema['x-kubernetes-preserve-unknown-fields'] === true
        ? preserved(data)
        : celError(
            `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type ?? ''}`,
          );
  }
}

function integer(data: Json): bigint | undefined {
  if (typeof data === 'number' && Number.isInteger(data)) {
    return BigInt(data);
  }
  return typeof data === 'bigint' ? data : undefined;
}

function intOrString(data: Json): Result {
  if (typeof data === 'string') {
    return data;
  }
  return (
    integer(data) ??
    celError('invalid data, expected XIntOrString value to be either a string or integer')
  );
}

function expected(what: string, type: string): CelError {
  return celError(`invalid data, expected ${what} for the provided schema with type=${type}`);
}

function wrong(wanted: string, data: Json): CelError {
  return celError(`invalid data, expected ${wanted}, got ${goType(data)}`);
}

function goType(data: Json): string {
  switch (typeof data) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(data) ? 'int64' : 'float64';
    default:
      return Array.isArray(data) ? '[]interface {}' : 'map[string]interface {}';
  }
}

function typedString(text: string, { format }: Schema): Result {
  switch (format) {
    case 'duration': {
      const parsed = parseGoDuration(text);
      return parsed.ok
        ? new Duration(parsed.nanoseconds)
        : celError(`Invalid duration ${text}: ${parsed.message}`);
    }
    case 'date': {
      const parsed = parseTime(`${text}T00:00:00Z`);
      return parsed.ok
        ? new Timestamp(parsed.nanoseconds)
        : celError(`Invalid date formatted string ${text}: ${parsed.message}`);
    }
    case 'date-time': {
      const parsed = parseTime(text);
      return parsed.ok
        ? new Timestamp(parsed.nanoseconds)
        : celError(`Invalid date-time formatted string ${text}: ${parsed.message}`);
    }
    case 'byte':
      return new Uint8Array(Buffer.from(text, 'base64'));
    default:
      return text;
  }
}

/** Data of no type, kept because the schema says so: it can only be compared. */
function preserved(data: Json): OpaqueValue & Backed {
  return {
    kind: 'opaque',
    [DATA]: data,
    type: { kind: 'opaque', name: 'unknown', parameters: [] },
    equals: (other, step) => equalData(data, plainData(other), step),
  };
}
