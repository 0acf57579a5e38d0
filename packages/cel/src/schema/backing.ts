import { equal, STEPS_PER_PART } from '../values/equality.ts';
import { CelError } from '../values/errors.ts';
import type { Json } from '../values/json.ts';
import type { Result, Step, Value } from '../values/value.ts';
import type { Schema } from './schema.ts';

export type JsonObject = { readonly [key: string]: Json };

/** The JSON behind a value, for comparing it as data. */
export const DATA = Symbol('data');

/** The schema of the elements of a list. */
export const ITEMS = Symbol('items');

/** A value that stands for data of an object. */
export interface Backed {
  readonly [DATA]?: unknown;
  readonly [ITEMS]?: Schema;
}

/** Converts data to a value of its schema. */
export type ToValue = (data: Json | undefined, schema: Schema) => Result;

export function isObject(data: unknown): data is JsonObject {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

/** The data behind a value, or the value where it is its own data. */
export function plainData(value: Value): unknown {
  const backed = typeof value === 'object' && value !== null ? (value as Backed)[DATA] : undefined;
  return backed ?? value;
}

/** Whether two parts of data are the same, by their types. */
export function equalParts(
  ours: Result | undefined,
  theirs: Result | undefined,
  step: Step,
): boolean | CelError {
  if (ours === undefined || theirs === undefined) {
    return ours === theirs;
  }
  if (ours instanceof CelError || theirs instanceof CelError) {
    return ours instanceof CelError ? ours : (theirs as CelError);
  }
  step(STEPS_PER_PART);
  return equal(ours, theirs, step);
}

/** Whether two pieces of data are the same, whatever they mean. */
export function equalData(left: unknown, right: unknown, step: Step): boolean {
  step(STEPS_PER_PART);
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((element, index) => equalData(element, right[index], step))
    );
  }
  if (isObject(left)) {
    const names = Object.keys(left);
    return (
      isObject(right) &&
      names.length === Object.keys(right).length &&
      names.every((name) => Object.hasOwn(right, name) && equalData(left[name], right[name], step))
    );
  }
  return left === right;
}
