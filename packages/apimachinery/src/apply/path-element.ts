import { parseJson } from '../json/parse-json.ts';
import { compareText } from '../values/compare-text.ts';
import { formatGoFloat } from '../values/go-float.ts';
import { goQuote } from '../values/go-quote.ts';
import { goJson, printGoNumber } from '../values/go-value.ts';

/**
 * An element of a path in the canonical form of FieldsV1: `f:name` for a field, `k:{"name":"web"}` for an item with keys,
 * `v:"text"` for a member of a set, `i:0` for an index.
 */
export type PathElement = string;

export type KeyField = readonly [name: string, value: unknown];

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

export function keyElement(fields: readonly KeyField[]): PathElement {
  const sorted = fields.length === 1 ? fields : [...fields].sort(([a], [b]) => compareText(a, b));
  const members = sorted.map(([name, value]) => `${plainJson(name)}:${scalarJson(value)}`);
  return `k:{${members.join(',')}}`;
}

export function valueElement(value: unknown): PathElement {
  return `v:${scalarJson(value)}`;
}

function parsed(text: string): unknown {
  return parseJson(Buffer.from(text));
}

/** The name of a field; undefined for other elements. */
export function fieldOf(element: PathElement): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined;
}

export function isKeyElement(element: PathElement): boolean {
  return element.startsWith('k:');
}

/** Parses a key of FieldsV1; undefined for an unknown kind of element. Throws for an invalid key. */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new Error('key must be 2 characters long:');
  if (text[1] !== ':') throw new Error(`missing colon: ${text}`);
  if (PLAIN.test(text)) return text;
  switch (text[0]) {
    case 'f':
      return text;
    case 'v':
      return valueElement(parsed(text.slice(2)));
    case 'k':
      return keyElement(keyFields(text.slice(2)));
    case 'i':
      return `i:${parseIndex(text.slice(2))}`;
    default:
      return undefined;
  }
}

/** Matches nearly all elements that are canonical, which need not be parsed. */
const PLAIN = /^(?:f:.*|[vk]:(?:"[\w ./:-]*"|\{"[\w ./:-]*":(?:"[\w ./:-]*"|[1-9]\d{0,14})\}))$/s;

/** The fields of a key sorted by name, as entries because objects reorder names that look like numbers. */
function keyFields(text: string): KeyField[] {
  const fields = parsed(text) ?? {};
  if (typeof fields !== 'object' || Array.isArray(fields)) throw new Error(`invalid key: ${text}`);
  return Object.entries(fields).sort(([a], [b]) => compareText(a, b));
}

function parseIndex(text: string): number {
  const index = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(index)) throw new Error(`invalid index: ${text}`);
  return index === 0 ? 0 : index;
}

const RANKS: Readonly<Record<string, number>> = { f: 0, k: 1, v: 2, i: 3 };

/** Compares elements in the order of FieldsV1. */
export function comparePathElements(a: PathElement, b: PathElement): number {
  const kind = a[0] ?? '';
  const difference = (RANKS[kind] ?? 0) - (RANKS[b[0] ?? ''] ?? 0);
  if (difference !== 0) return difference;
  const [textA, textB] = [a.slice(2), b.slice(2)];
  if (kind === 'f') return compareText(textA, textB);
  if (kind === 'i') return Number(textA) - Number(textB);
  if (kind === 'v') return compareScalars(parsed(textA), parsed(textB));
  const [one, other] = [SIMPLE_KEY.exec(textA), SIMPLE_KEY.exec(textB)];
  if (one !== null && other !== null) {
    return compareText(one[1] ?? '', other[1] ?? '') || compareText(one[2] ?? '', other[2] ?? '');
  }
  return compareKeys(keyFields(textA), keyFields(textB));
}

/** Sorts elements in the order of FieldsV1, parsing each only once. */
export function sortedPathElements(elements: readonly PathElement[]): PathElement[] {
  return elements
    .map(comparable)
    .sort(compareComparables)
    .map(({ element }) => element);
}

interface Comparable {
  readonly element: PathElement;
  readonly rank: number;
  /** The name of a field. */
  readonly text: string;
  /** The index, or the value of a member of a set. */
  readonly value: unknown;
  readonly key: readonly KeyField[];
}

const NO_KEY: readonly KeyField[] = [];

function comparable(element: PathElement): Comparable {
  const rank = RANKS[element[0] ?? ''] ?? 0;
  const text = element.slice(2);
  switch (element[0]) {
    case 'i':
      return { element, rank, text: '', value: Number(text), key: NO_KEY };
    case 'v':
      return {
        element,
        rank,
        text: '',
        value: SIMPLE_TEXT.exec(text)?.[1] ?? parsed(text),
        key: NO_KEY,
      };
    case 'k':
      return { element, rank, text: '', value: undefined, key: simpleKey(text) ?? keyFields(text) };
    default:
      return { element, rank, text, value: undefined, key: NO_KEY };
  }
}

function compareComparables(a: Comparable, b: Comparable): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.key !== NO_KEY || b.key !== NO_KEY) return compareKeys(a.key, b.key);
  return a.value === undefined ? compareText(a.text, b.text) : compareScalars(a.value, b.value);
}

/** A string without characters that JSON escapes. */
const SIMPLE_TEXT = /^"([\w ./:-]*)"$/;

function simpleKey(text: string): readonly KeyField[] | undefined {
  const simple = SIMPLE_KEY.exec(text);
  return simple === null ? undefined : [[simple[1] ?? '', simple[2] ?? '']];
}

/** A key with one field whose name and value need no parsing. */
const SIMPLE_KEY = /^\{"([\w ./:-]*)":"([\w ./:-]*)"\}$/;

function compareKeys(a: readonly KeyField[], b: readonly KeyField[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const [[nameA, valueA], [nameB, valueB]] = [a[index] as KeyField, b[index] as KeyField];
    const order = compareText(nameA, nameB) || compareScalars(valueA, valueB);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Orders numbers before strings before booleans before null; paths contain no other values. */
function compareScalars(a: unknown, b: unknown): number {
  const [rankA, rankB] = [scalarRank(a), scalarRank(b)];
  if (rankA !== rankB) return rankA - rankB;
  if (typeof a === 'string') return compareText(a, b as string);
  if (rankA === 0)
    return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0;
  return Number(a) - Number(b);
}

function scalarRank(value: unknown): number {
  if (typeof value === 'number' || typeof value === 'bigint') return 0;
  if (typeof value === 'string') return 1;
  return typeof value === 'boolean' ? 2 : 3;
}

/** A path in messages: `.spec.ports[name="web"]`, `[="text"]`, `[0]`. */
export function printPath(path: readonly PathElement[]): string {
  return path.map((element) => printPathElement(element)).join('');
}

/** A path decoded from managedFields in messages; upstream decodes all their numbers as float64. */
export function printOwnedPath(path: readonly PathElement[]): string {
  return path.map((element) => printPathElement(element, printFloat)).join('');
}

export function printPathElement(
  element: PathElement,
  printNumber: PrintNumber = printInteger,
): string {
  const text = element.slice(2);
  const print = (value: unknown) => printScalar(value, printNumber);
  switch (element[0]) {
    case 'f':
      return `.${text}`;
    case 'v':
      return `[=${print(parsed(text))}]`;
    case 'k': {
      const fields = keyFields(text).map(([name, value]) => `${name}=${print(value)}`);
      return `[${fields.join(',')}]`;
    }
    default:
      return `[${text}]`;
  }
}

type PrintNumber = (value: number | bigint) => string;

function printInteger(value: number | bigint): string {
  return typeof value === 'bigint' ? value.toString() : printGoNumber(value);
}

function printFloat(value: number | bigint): string {
  return formatGoFloat(Number(value));
}

/** Lists and maps occur only in messages about invalid keys. */
function printScalar(value: unknown, printNumber: PrintNumber): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number' || typeof value === 'bigint') return printNumber(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const print = (one: unknown) => printScalar(one, printNumber);
  if (Array.isArray(value)) return `[${value.map(print).join(',')}]`;
  return Object.entries(value)
    .map(([name, one]) => `${name}=${print(one)}`)
    .join('');
}

/** The JSON of values in paths, with escaped HTML characters as Go encodes it. */
function scalarJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return PLAIN_TEXT.test(value) ? `"${value}"` : plainJson(value).replace(HTML, escapeUnit);
    case 'number':
      // Exponents have two digits in paths, unlike elsewhere in Go's JSON.
      return goJson(value === 0 ? 0 : value).replace(/e-(\d)$/, 'e-0$1');
    default:
      return goJson(value);
  }
}

const PLAIN_TEXT = /^[\w ./:-]*$/;

function plainJson(text: string): string {
  if (PLAIN_TEXT.test(text)) return `"${text}"`;
  return JSON.stringify(text.toWellFormed()).replace(
    /\\./g,
    (escaped) => ESCAPES.get(escaped) ?? escaped,
  );
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\b', '\\u0008'],
  ['\\f', '\\u000c'],
]);
const HTML = /[<>&\u2028\u2029]/g;

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
