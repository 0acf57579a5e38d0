import {
  CelError,
  compile,
  createEnvironment,
  type Environment,
  type Json,
  type Result,
  Uint,
} from '../src/index.ts';
import { TWO_VARIABLE_COMPREHENSIONS } from '../src/library/standard-comprehensions.ts';
import { OPTIONAL_LIBRARY } from '../src/library/standard-optional.ts';
import { jsonValue } from '../src/values/json.ts';
import { runtimeName } from '../src/values/types.ts';

/** The standard library, optionals and both kinds of loops, with one variable of any type. */
export const environment: Environment = createEnvironment({
  libraries: [OPTIONAL_LIBRARY, TWO_VARIABLE_COMPREHENSIONS],
  variables: { data: { kind: 'dyn' } },
});

export const data: Json = {
  number: 3,
  real: 2.5,
  text: 'words',
  nothing: null,
  list: [1, 2, 3],
  map: { a: 1, b: 2 },
};

/** The result of an expression, on one line: the value, `error: …`, `exceeded`, or the compile error. */
export function evaluated(text: string, from: Environment = environment): string {
  const compiled = compile(from, text);
  if (!compiled.ok) {
    return 'text' in compiled ? compiled.text : `instantiation: ${compiled.instantiation.message}`;
  }
  const result = compiled.program.evaluate(new Map([['data', jsonValue(data)]]));
  return result.outcome === 'value'
    ? rendered(result.value)
    : `${result.outcome}: ${result.message}`;
}

/** The cost of an evaluation. */
export function costOf(text: string, from: Environment = environment): number {
  const compiled = compile(from, text);
  if (!compiled.ok) {
    throw new Error(`${text} does not compile`);
  }
  return compiled.program.evaluate(new Map([['data', jsonValue(data)]])).cost;
}

export function rendered(value: Result): string {
  if (value instanceof CelError) {
    return `error: ${value.message}`;
  }
  if (typeof value === 'string') {
    return JSON.stringify(value);
  }
  if (typeof value === 'number') {
    return Number.isInteger(value) ? `${value}.0` : String(value);
  }
  if (typeof value !== 'object' || value === null) {
    return String(value);
  }
  if (value instanceof Uint8Array) {
    return `b${JSON.stringify([...value])}`;
  }
  if (value instanceof Uint) {
    return `${value.value}u`;
  }
  switch (value.kind) {
    case 'list':
      return `[${Array.from({ length: value.size }, (_, at) => rendered(value.at(at))).join(', ')}]`;
    case 'map':
      return `{${[...value.keys()].map((key) => `${rendered(key)}: ${rendered(value.get(key) ?? null)}`).join(', ')}}`;
    case 'optional':
      return value.value === undefined ? 'none' : `of(${rendered(value.value)})`;
    case 'timestamp':
    case 'duration':
      return `${value.kind}(${value.nanoseconds})`;
    case 'type-value':
      return runtimeName(value.type);
    default:
      return runtimeName(value.type);
  }
}
