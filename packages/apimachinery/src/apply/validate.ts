import { tooManyValues } from '../errors/errors.ts';
import { compareText } from '../values/compare-text.ts';
import { goTypeName, printGo } from '../values/go-print.ts';
import { goQuote } from '../values/go-quote.ts';
import { printGoNumber } from '../values/go-value.ts';
import { itemElement } from './list-items.ts';
import { fieldElement, type PathElement, printPath, printPathElement } from './path-element.ts';
import {
  deduced,
  deduceForm,
  isMap,
  type ListType,
  type MapType,
  type Scalar,
  type Type,
} from './type.ts';
import { TypedError, type TypedProblem } from './typed-error.ts';

/** Bounds the size of the error message. */
const PROBLEMS_MAX = 100;

/**
 * Limits items of sets and keyed lists and entries of maps in a request: each is a separate entry of a field set, which is
 * compared, sorted and encoded. Upstream has no such limit.
 */
export const OWNED_VALUES_MAX = 5_000;

/** Fields of a keyed item are entries of the field set as well. */
const KEYED_ITEM_WEIGHT = 2;

/** Objects without a schema, such as the state of workflows, legitimately have many fields. */
const DEDUCED_WEIGHT = 0.2;

/**
 * Throws a TypedError for a value that is invalid for the type. Parts that are identical to those of `valid`, a valid
 * value, are skipped.
 */
export function requireTyped(
  value: unknown,
  type: Type,
  options: {
    readonly allowDuplicates: boolean;
    readonly valid?: unknown;
    /** The value comes from a request: more than `OWNED_VALUES_MAX` values are a 413. Defaults to false. */
    readonly fromClient?: boolean;
  },
): void {
  const problems: TypedProblem[] = [];
  const { allowDuplicates, valid, fromClient = false } = options;
  const ownedRemaining = fromClient ? OWNED_VALUES_MAX : Number.POSITIVE_INFINITY;
  visit(value, type, { allowDuplicates, path: [], problems, ownedRemaining }, valid);
  if (problems.length > 0) throw new TypedError(problems.slice(0, PROBLEMS_MAX));
}

interface Visit {
  readonly allowDuplicates: boolean;
  /** The current path, printed only for errors. */
  readonly path: PathElement[];
  readonly problems: TypedProblem[];
  ownedRemaining: number;
}

function countOwned(at: Visit, count: number): void {
  at.ownedRemaining -= count;
  if (at.ownedRemaining < 0) {
    throw tooManyValues('sets, lists by key and maps of an object together', OWNED_VALUES_MAX);
  }
}

function report({ path, problems }: Visit, message: string): void {
  problems.push({ path: printPath(path), message });
}

function visit(value: unknown, type: Type, at: Visit, valid: unknown): void {
  if (value === valid && valid !== undefined) return;
  switch (deduceForm(type, value).form) {
    case 'map':
      if (isMap(value)) visitFields(value, type.map as MapType, at, valid);
      else if (value !== null) report(at, `expected map, got ${printed(value)}`);
      return;
    case 'list':
      if (Array.isArray(value)) visitItems(value, type.list as ListType, at, valid);
      else if (value !== null) report(at, `expected list, got ${printed(value)}`);
      return;
    case 'scalar': {
      const problem = scalarProblem(type.scalar as Scalar, value);
      if (problem !== undefined) report(at, problem);
      return;
    }
    default:
      report(at, 'schema error: invalid atom: inlined');
  }
}

function visitFields(
  value: Readonly<Record<string, unknown>>,
  { fields, element, relationship }: MapType,
  at: Visit,
  valid: unknown,
): void {
  const known = isMap(valid) ? valid : {};
  const names = Object.keys(value);
  const { ownedRemaining } = at;
  // An atomic map is one entry of the field set; the type bounds the number of declared fields.
  if (relationship === 'atomic') at.ownedRemaining = Number.POSITIVE_INFINITY;
  else if (element !== undefined) {
    const count = Math.max(0, names.length - fields.size);
    countOwned(at, element === deduced ? count * DEDUCED_WEIGHT : count);
  }
  for (const name of names) {
    const type = fields.get(name)?.type ?? element;
    const below = value[name];
    // A fast path: nearly all fields are valid scalars, which need no path.
    if (type !== undefined && isValidScalar(below, type)) continue;
    at.path.push(fieldElement(name));
    if (type === undefined) report(at, 'field not declared in schema');
    else visit(below, type, at, Object.hasOwn(known, name) ? known[name] : undefined);
    at.path.pop();
    if (type === undefined) return;
  }
  if (relationship === 'atomic') at.ownedRemaining = ownedRemaining;
}

function isValidScalar(value: unknown, { scalar }: Type): boolean {
  if (scalar === undefined || typeof value === 'object' || value === undefined) return false;
  return scalarProblem(scalar, value) === undefined;
}

function visitItems(items: readonly unknown[], type: ListType, at: Visit, valid: unknown): void {
  const known: readonly unknown[] = Array.isArray(valid) ? valid : [];
  const seen = new Set<PathElement>();
  const { ownedRemaining } = at;
  if (type.relationship === 'associative') {
    const weight = type.keys.length > 0 ? KEYED_ITEM_WEIGHT : 1;
    countOwned(at, items.length * weight);
  }
  // An atomic list is one entry of the field set.
  else at.ownedRemaining = Number.POSITIVE_INFINITY;
  for (const [index, item] of items.entries()) {
    let element: PathElement = `i:${index}`;
    if (type.relationship === 'associative') {
      try {
        element = itemElement(type, item);
      } catch (error) {
        report(at, `element ${index}: ${(error as Error).message}`);
        return;
      }
      if (!at.allowDuplicates && seen.has(element)) {
        report(at, `duplicate entries for key ${printPathElement(element)}`);
      }
      seen.add(element);
    }
    at.path.push(element);
    visit(item, type.element, at, known[index]);
    at.path.pop();
  }
  if (type.relationship !== 'associative') at.ownedRemaining = ownedRemaining;
}

export function scalarProblem(scalar: Scalar, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  switch (scalar) {
    case 'numeric':
      return isNumber ? undefined : `expected numeric (int or float), got ${goTypeName(value)}`;
    case 'string':
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got ${printed(value)}`;
    default:
      return typeof value === 'object' ? `expected any scalar, got ${printed(value)}` : undefined;
  }
}

/** Go's `%v` of a pointer to a struct that holds the value. */
function printed(value: unknown): string {
  return `&{${printGo(value)}}`;
}

/** Go's `%#v` of a decoded JSON value. */
function goSyntax(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return printGoNumber(value);
  if (value === null) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isMap(value)) return String(value);
  const members = Object.keys(value)
    .sort(compareText)
    .map((name) => `${goQuote(name)}:${goSyntax(value[name])}`);
  return `map[string]interface {}{${members.join(', ')}}`;
}
