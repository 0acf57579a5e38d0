import { tooManyValues } from '../errors/errors.ts';
import { goTypeName, printGo } from '../values/go-print.ts';
import { goQuote } from '../values/go-quote.ts';
import { printGoNumber } from '../values/go-value.ts';
import { itemElement } from './list-items.ts';
import {
  compareText,
  fieldElement,
  type PathElement,
  printPath,
  printPathElement,
} from './path-element.ts';
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

/** Errors reported for one value; a broken document must not make a long answer. */
const PROBLEMS_MAX = 100;

/**
 * Items of sets and of lists by key, and entries of maps, in what is sent: each of them has an owner of its own, who is
 * compared, sorted and written. Upstream knows no such bound.
 */
export const OWNED_VALUES_MAX = 5_000;

/** The fields of an item have owners too. */
const KEYED_ITEM_WEIGHT = 2;

/** Where there is no schema every field has an owner: such objects, the states of workflows among them, have many. */
const DEDUCED_WEIGHT = 0.2;

/**
 * Refuses a value that does not fit its type. What a client applies may have no item twice. Parts that are the very
 * ones of `fitting`, a value that fits, are not looked at again.
 */
export function requireTyped(
  value: unknown,
  type: Type,
  options: {
    readonly allowDuplicates: boolean;
    readonly fitting?: unknown;
    /** A client sends it: more values than may have owners are refused with 413. Default: false. */
    readonly isSent?: boolean;
  },
): void {
  const problems: TypedProblem[] = [];
  const { allowDuplicates, fitting, isSent = false } = options;
  const ownedLeft = isSent ? OWNED_VALUES_MAX : Number.POSITIVE_INFINITY;
  visit(value, type, { allowDuplicates, path: [], problems, ownedLeft }, fitting);
  if (problems.length > 0) throw new TypedError(problems.slice(0, PROBLEMS_MAX));
}

interface Place {
  readonly allowDuplicates: boolean;
  /** Where the visit is; printed only when there is something to report. */
  readonly path: PathElement[];
  readonly problems: TypedProblem[];
  ownedLeft: number;
}

function countOwned(place: Place, count: number): void {
  place.ownedLeft -= count;
  if (place.ownedLeft < 0) {
    throw tooManyValues('sets, lists by key and maps of an object together', OWNED_VALUES_MAX);
  }
}

function report({ path, problems }: Place, message: string): void {
  problems.push({ path: printPath(path), message });
}

function visit(value: unknown, type: Type, place: Place, fitting: unknown): void {
  if (value === fitting && fitting !== undefined) return;
  switch (deduceForm(type, value).form) {
    case 'map':
      if (isMap(value)) visitFields(value, type.map as MapType, place, fitting);
      else if (value !== null) report(place, `expected map, got ${printed(value)}`);
      return;
    case 'list':
      if (Array.isArray(value)) visitItems(value, type.list as ListType, place, fitting);
      else if (value !== null) report(place, `expected list, got ${printed(value)}`);
      return;
    case 'scalar': {
      const problem = scalarProblem(type.scalar as Scalar, value);
      if (problem !== undefined) report(place, problem);
      return;
    }
    default:
      report(place, 'schema error: invalid atom: inlined');
  }
}

function visitFields(
  value: Readonly<Record<string, unknown>>,
  { fields, element, relationship }: MapType,
  place: Place,
  fitting: unknown,
): void {
  const known = isMap(fitting) ? fitting : {};
  const names = Object.keys(value);
  const { ownedLeft } = place;
  // What is within an atomic map has the owner of the map; fields of structs are as many as the type has.
  if (relationship === 'atomic') place.ownedLeft = Number.POSITIVE_INFINITY;
  else if (element !== undefined) {
    const count = Math.max(0, names.length - fields.size);
    countOwned(place, element === deduced ? count * DEDUCED_WEIGHT : count);
  }
  for (const name of names) {
    const type = fields.get(name)?.type ?? element;
    const below = value[name];
    // Nearly all fields are scalars that fit; a path to them is needed only if they do not.
    if (type !== undefined && isFittingScalar(below, type)) continue;
    place.path.push(fieldElement(name));
    if (type === undefined) report(place, 'field not declared in schema');
    else visit(below, type, place, Object.hasOwn(known, name) ? known[name] : undefined);
    place.path.pop();
    if (type === undefined) return;
  }
  if (relationship === 'atomic') place.ownedLeft = ownedLeft;
}

function isFittingScalar(value: unknown, { scalar }: Type): boolean {
  if (scalar === undefined || typeof value === 'object' || value === undefined) return false;
  return scalarProblem(scalar, value) === undefined;
}

function visitItems(
  items: readonly unknown[],
  type: ListType,
  place: Place,
  fitting: unknown,
): void {
  const known: readonly unknown[] = Array.isArray(fitting) ? fitting : [];
  const seen = new Set<PathElement>();
  const { ownedLeft } = place;
  if (type.relationship === 'associative') {
    const weight = type.keys.length > 0 ? KEYED_ITEM_WEIGHT : 1;
    countOwned(place, items.length * weight);
  }
  // What is within an atomic list has the owner of the list.
  else place.ownedLeft = Number.POSITIVE_INFINITY;
  for (const [index, item] of items.entries()) {
    let element: PathElement = `i:${index}`;
    if (type.relationship === 'associative') {
      try {
        element = itemElement(type, item);
      } catch (error) {
        report(place, `element ${index}: ${(error as Error).message}`);
        return;
      }
      if (!place.allowDuplicates && seen.has(element)) {
        report(place, `duplicate entries for key ${printPathElement(element)}`);
      }
      seen.add(element);
    }
    place.path.push(element);
    visit(item, type.element, place, known[index]);
    place.path.pop();
  }
  if (type.relationship !== 'associative') place.ownedLeft = ownedLeft;
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

/** As Go prints a pointer to what holds the value. */
function printed(value: unknown): string {
  return `&{${printGo(value)}}`;
}

/** As Go shows a value in its own syntax. */
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
