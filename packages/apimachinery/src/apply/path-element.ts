import { goQuote } from '../go-quote.ts';
import { parseJson } from '../json/parse-json.ts';

/**
 * One step of a path in the form it has in FieldsV1, which is unique: `f:name` for a field,
 * `k:{"name":"web"}` for an item with keys, `v:"text"` for a member of a set, `i:0` for a position.
 */
export type PathElement = string;

export type KeyField = readonly [name: string, value: unknown];

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

export function keyElement(fields: readonly KeyField[]): PathElement {
  const sorted = [...fields].sort(([a], [b]) => compareText(a, b));
  const members = sorted.map(([name, value]) => `${plainJson(name)}:${goJson(value)}`);
  return `k:{${members.join(',')}}`;
}

export function valueElement(value: unknown): PathElement {
  return `v:${goJson(value)}`;
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

/** Reads a key of FieldsV1. What is of a kind that nobody knows yet is undefined; other nonsense throws. */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new Error('key must be 2 characters long:');
  if (text[1] !== ':') throw new Error(`missing colon: ${text}`);
  switch (text[0]) {
    case 'f':
      return text;
    case 'v':
      return valueElement(parsed(text.slice(2)));
    case 'k':
      return keyElement(Object.entries(parsed(text.slice(2)) as object));
    case 'i':
      if (!/^[+-]?\d+$/.test(text.slice(2))) throw new Error(`not an index: ${text}`);
      return `i:${Number(text.slice(2))}`;
    default:
      return undefined;
  }
}

const RANKS: Readonly<Record<string, number>> = { f: 0, k: 1, v: 2, i: 3 };

/** The order in which elements are written. */
export function comparePathElements(a: PathElement, b: PathElement): number {
  const kind = a[0] ?? '';
  const difference = (RANKS[kind] ?? 0) - (RANKS[b[0] ?? ''] ?? 0);
  if (difference !== 0) return difference;
  const [textA, textB] = [a.slice(2), b.slice(2)];
  if (kind === 'f') return compareText(textA, textB);
  if (kind === 'i') return Number(textA) - Number(textB);
  if (kind === 'v') return compareScalars(parsed(textA), parsed(textB));
  return compareKeys(
    Object.entries(parsed(textA) as object),
    Object.entries(parsed(textB) as object),
  );
}

function compareKeys(a: readonly KeyField[], b: readonly KeyField[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const [[nameA, valueA], [nameB, valueB]] = [a[index] as KeyField, b[index] as KeyField];
    const order = compareText(nameA, nameB) || compareScalars(valueA, valueB);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers before texts before booleans before null; nothing else is ever part of a path. */
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

/** As paths are shown to people: `.spec.ports[name="web"]`, `[="text"]`, `[0]`. */
export function printPath(path: readonly PathElement[]): string {
  return path.map(printPathElement).join('');
}

export function printPathElement(element: PathElement): string {
  const text = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${text}`;
    case 'v':
      return `[=${printScalar(parsed(text))}]`;
    case 'k': {
      const fields = Object.entries(parsed(text) as object);
      return `[${fields.map(([name, value]) => `${name}=${printScalar(value)}`).join(',')}]`;
    }
    default:
      return `[${text}]`;
  }
}

function printScalar(value: unknown): string {
  return typeof value === 'string' ? goQuote(value) : String(value);
}

/** By code points, which is the order of the UTF-8 bytes. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  // Only texts beyond the basic plane are ordered differently by their UTF-16 units.
  return SURROGATE.test(a) || SURROGATE.test(b)
    ? Buffer.compare(Buffer.from(a), Buffer.from(b))
    : a < b
      ? -1
      : 1;
}

const SURROGATE = /[\ud800-\udfff]/;

/** JSON as Go writes it where values stand in paths: what means something in HTML is escaped. */
function goJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  const text = plainJson(value);
  return typeof value === 'string' ? text.replace(HTML, escapeUnit) : text;
}

function plainJson(value: unknown): string {
  return JSON.stringify(value).replace(/\\[bf]/g, (short) =>
    short === '\\b' ? '\\u0008' : '\\u000c',
  );
}

const HTML = /[<>&\u2028\u2029]/g;

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
