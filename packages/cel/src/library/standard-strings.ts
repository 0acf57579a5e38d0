import { REGEX_LENGTH_FACTOR, traversalCost } from '../declarations/estimate.ts';
import type { ActualCost, Call, FunctionDeclaration, Overload } from '../declarations/library.ts';
import { compileRegexp, compileWith } from '../regexp/regexp.ts';
import { type CelError, celError, NO_SUCH_OVERLOAD } from '../values/errors.ts';
import {
  BOOL,
  BYTES,
  INT,
  listOf,
  mapOf,
  STRING,
  type Type,
  typeParameter,
} from '../values/types.ts';
import { type Result, type Step, sizeOf, type Value } from '../values/value.ts';

const LIST = listOf(typeParameter('A'));
const MAP = mapOf(typeParameter('A'), typeParameter('B'));

/** `size`, and the functions every string has. */
export const STRING_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: 'size',
    overloads: [
      size('size_bytes', BYTES, false),
      size('bytes_size', BYTES, true),
      size('size_list', LIST, false),
      size('list_size', LIST, true),
      size('size_map', MAP, false),
      size('map_size', MAP, true),
      size('size_string', STRING, false),
      size('string_size', STRING, true),
    ],
    singleton: { accepts: hasSize, call: ([value]) => BigInt(sizeOf(value ?? null)) },
  },
  test('contains', 'contains_string', containsCost, (text, part) => text.includes(part)),
  test('endsWith', 'ends_with_string', partCost, (text, part) => text.endsWith(part)),
  test('startsWith', 'starts_with_string', partCost, (text, part) => text.startsWith(part)),
  {
    name: 'matches',
    overloads: [
      { id: 'matches', member: false, parameters: [STRING, STRING], result: BOOL, prepare },
      {
        id: 'matches_string',
        member: true,
        parameters: [STRING, STRING],
        result: BOOL,
        prepare,
        actualCost: matchCost,
      },
    ],
    singleton: { accepts: (value) => typeof value === 'string', call: matches },
  },
];

function size(id: string, type: Type, member: boolean): Overload {
  return { id, member, parameters: [type], result: INT };
}

function hasSize(value: Value): boolean {
  if (typeof value === 'string' || value instanceof Uint8Array) {
    return true;
  }
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  return (
    value.kind === 'list' ||
    value.kind === 'map' ||
    (value.kind === 'opaque' && value.size !== undefined)
  );
}

/** A test of a string against another. It looks at the types itself: upstream has no guard before it. */
function test(
  name: string,
  id: string,
  actualCost: ActualCost,
  compare: (text: string, part: string) => boolean,
): FunctionDeclaration {
  const call: Call = ([text, part]) =>
    typeof text === 'string' && typeof part === 'string' ? compare(text, part) : NO_SUCH_OVERLOAD;
  return {
    name,
    overloads: [{ id, member: true, parameters: [STRING, STRING], result: BOOL, actualCost }],
    singleton: { accepts: () => true, call },
  };
}

function partCost([, part]: readonly Result[]): number {
  return traversalCost(sizeOf(part ?? null));
}

function containsCost([text, part]: readonly Result[]): number {
  return traversalCost(sizeOf(text ?? null)) * traversalCost(sizeOf(part ?? null));
}

function matchCost([text, pattern]: readonly Result[]): number {
  const patternCost = traversalCost(sizeOf(pattern ?? null), REGEX_LENGTH_FACTOR);
  return traversalCost(1 + sizeOf(text ?? null)) * patternCost;
}

function matches([text, pattern]: readonly Value[], step: Step): Result {
  if (typeof text !== 'string' || typeof pattern !== 'string') {
    return NO_SUCH_OVERLOAD;
  }
  const compiled = compileWith(pattern, step);
  return compiled.ok ? compiled.regexp.matches(text, step) : celError(compiled.error);
}

/** A constant pattern is compiled once; an invalid one is an error of the expression. */
function prepare([, pattern]: readonly (Value | undefined)[]): Call | CelError | undefined {
  if (typeof pattern !== 'string') {
    return undefined;
  }
  const compiled = compileRegexp(pattern);
  if (!compiled.ok) {
    return celError(compiled.error);
  }
  const { regexp } = compiled;
  return ([text], step) =>
    typeof text === 'string' ? regexp.matches(text, step) : NO_SUCH_OVERLOAD;
}
