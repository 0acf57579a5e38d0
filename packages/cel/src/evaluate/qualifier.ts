import { display } from '../values/display.ts';
import { CelError, celError } from '../values/errors.ts';
import { goTypeName } from '../values/go-type-name.ts';
import { listIndex } from '../values/numbers.ts';
import { isList, type Result, Uint, type Value } from '../values/value.ts';
import type { Evaluate, Frame } from './frame.ts';

/** One step of a path: a field, an index or a key. Its cost of 1 is counted where upstream counts it. */
export interface Qualifier {
  readonly optional: boolean;
  /** The value, or the error of one that is not there. */
  qualify(frame: Frame, object: Value): Result;
  /** The value, or undefined when it is not there. */
  qualifyIfPresent(frame: Frame, object: Value): Result | undefined;
}

/** A key that the text says. */
export function constantQualifier(key: Value, optional: boolean): Qualifier {
  const noKey = celError(`no such key: ${display(key)}`);
  const noIndex = celError(`index out of bounds: ${display(key)}`);
  return {
    optional,
    qualify(frame, object) {
      frame.charge(1);
      const value = find(object, key);
      if (value !== undefined) {
        return value;
      }
      return isList(object) ? noIndex : noKey;
    },
    qualifyIfPresent(frame, object) {
      const value = find(object, key);
      if (value !== undefined && !(value instanceof CelError)) {
        frame.charge(1);
      }
      return value;
    },
  };
}

/** The last step of `has(a.b)`. */
export function testQualifier(key: Value): Qualifier {
  return {
    optional: false,
    qualify(frame, object) {
      frame.charge(1);
      const value = find(object, key);
      return value instanceof CelError ? value : value !== undefined;
    },
    qualifyIfPresent: constantQualifier(key, false).qualifyIfPresent,
  };
}

/** A key that is computed. */
export function computedQualifier(keyOf: Evaluate, optional: boolean): Qualifier {
  return {
    optional,
    qualify(frame, object) {
      const key = checkedKey(keyOf(frame));
      frame.charge(1);
      if (key instanceof CelError) {
        return key;
      }
      const value = find(object, key);
      return value === undefined ? missing(object, key) : value;
    },
    qualifyIfPresent(frame, object) {
      const key = checkedKey(keyOf(frame));
      const value = key instanceof CelError ? key : find(object, key);
      if (value !== undefined && !(value instanceof CelError)) {
        frame.charge(1);
      }
      return value;
    },
  };
}

function checkedKey(key: Result): Result {
  return key instanceof CelError || isKey(key) ? key : unusableKey(key);
}

/** Whether a value can be a key or an index at all. */
export function isKey(value: Value): boolean {
  return value !== null && (typeof value !== 'object' || value instanceof Uint);
}

export function unusableKey(value: Value): CelError {
  return celError(`invalid qualifier type: ${goTypeName(value)}`);
}

/** The value of an object under a key; undefined without one, and for a value without fields. */
function find(object: Value, key: Value): Result | undefined {
  if (typeof object !== 'object' || object === null || object instanceof Uint8Array) {
    return undefined;
  }
  switch (object.kind) {
    case 'map':
      return object.get(key);
    case 'list': {
      const index = typeof key === 'bigint' ? key : listIndex(key);
      if (index instanceof CelError) {
        return index;
      }
      // As a number it is compared several times faster, and one that is not exact is beyond every list.
      const at = Number(index);
      return at >= 0 && at < object.size ? object.at(at) : undefined;
    }
    case 'opaque':
      return typeof key === 'string' ? object.field?.(key) : undefined;
    default:
      return undefined;
  }
}

function missing(object: Value, key: Value): CelError {
  return celError(`${isList(object) ? 'index out of bounds' : 'no such key'}: ${display(key)}`);
}
