/** One step of a path. */
export type PathNode =
  | { readonly type: 'field'; readonly name: string }
  | Slice
  | Filter
  | { readonly type: 'wildcard' }
  | { readonly type: 'descent' }
  | { readonly type: 'union'; readonly parts: readonly (readonly PathNode[])[] }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'value'; readonly value: number | boolean };

/** Items of a list; negative numbers count from its end. */
export interface Slice {
  readonly type: 'slice';
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** A single index: `to` follows from `from`. */
  readonly isOne: boolean;
  readonly step: number | undefined;
}

export interface Filter {
  readonly type: 'filter';
  readonly left: readonly PathNode[];
  /** `exists` for a filter without comparison. */
  readonly operator: string;
  readonly right: readonly PathNode[];
}

const TERMINATORS = new Set([' ', '\t', '\r', '\n', '.', ',', '[', ']', '$', '@', '{', '}']);
const ALPHANUMERIC = /^[_\p{L}\p{Nd}]$/u;
const NUMBER = /^[+-]?[0-9.]*/;
const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const DICTIONARY_KEY = /^'([^']*)'$/;
const COMPARISON = /^([^!<>=]+)([!<>=]+)(.+?)$/s;

/** Parses the content of the braces of a template. Throws for an invalid one. */
export function parseJsonPath(text: string): readonly PathNode[] {
  const nodes: PathNode[] = [];
  let at = 0;
  while (at < text.length) {
    const { node, length } = parseNext(text.slice(at), nodes.at(-1));
    if (node !== undefined) nodes.push(...node);
    at += length;
  }
  return nodes;
}

interface Parsed {
  /** Undefined for input without meaning, such as a space. */
  readonly node?: readonly PathNode[];
  readonly length: number;
}

function parseNext(rest: string, before: PathNode | undefined): Parsed {
  if (rest.startsWith('[?(')) return parseFilter(rest);
  if (rest.startsWith('..')) return parseDescent(rest, before);
  const first = rest.charAt(0);
  if (first === ' ' || first === '@' || first === '$') return { length: 1 };
  if (first === '[') return parseBrackets(rest);
  if (first === '"' || first === "'") return parseQuoted(rest, first);
  if (first === '.') return parseField(rest, 1);
  if (/^[+\-0-9]/.test(first)) return parseNumber(rest);
  if (ALPHANUMERIC.test(first)) return parseWord(rest);
  if (first === '\n' || first === '\r') throw new Error('unclosed action');
  throw new Error(`unrecognized character in action: ${first}`);
}

function parseField(rest: string, from: number): Parsed {
  let end = from;
  while (end < rest.length && !TERMINATORS.has(rest.charAt(end))) {
    end += rest.charAt(end) === '\\' ? 2 : 1;
  }
  const length = Math.min(end, rest.length);
  const name = rest.slice(from, length);
  const node: PathNode =
    name === '*' ? { type: 'wildcard' } : { type: 'field', name: name.replaceAll('\\', '') };
  return { node: [node], length };
}

function parseDescent(rest: string, before: PathNode | undefined): Parsed {
  if (before?.type === 'descent') throw new Error('invalid multiple recursive descent');
  if (!ALPHANUMERIC.test(rest.charAt(2))) return { node: [{ type: 'descent' }], length: 2 };
  const field = parseField(rest, 2);
  return { node: [{ type: 'descent' }, ...(field.node ?? [])], length: field.length };
}

function parseWord(rest: string): Parsed {
  let length = 0;
  while (length < rest.length && !TERMINATORS.has(rest.charAt(length))) length += 1;
  const word = rest.slice(0, length);
  if (word !== 'true' && word !== 'false') throw new Error(`unrecognized identifier ${word}`);
  return { node: [{ type: 'value', value: word === 'true' }], length };
}

function parseNumber(rest: string): Parsed {
  const [text = ''] = NUMBER.exec(rest) ?? [];
  const value = Number(text);
  if (text === '' || !Number.isFinite(value)) throw new Error(`cannot parse number ${text}`);
  return { node: [{ type: 'value', value }], length: text.length };
}

function parseQuoted(rest: string, quote: string): Parsed {
  let end = rest.indexOf(quote, 1);
  while (end > 0 && rest.charAt(end - 1) === '\\') end = rest.indexOf(quote, end + 1);
  if (end < 0) throw new Error('unterminated quoted string');
  const value = rest.slice(1, end).replace(/\\(.)/gs, (_, escaped: string) => unescaped(escaped));
  return { node: [{ type: 'text', value }], length: end + 1 };
}

function unescaped(escaped: string): string {
  const known: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
  return Object.hasOwn(known, escaped) ? (known[escaped] ?? escaped) : escaped;
}

function parseBrackets(rest: string): Parsed {
  const end = rest.indexOf(']');
  if (end < 0 || rest.slice(0, end).includes('\n')) throw new Error('unterminated array');
  const length = end + 1;
  const inside = rest.slice(1, end);
  const parts = inside.split(',');
  if (parts.length > 1) {
    const union = parts.map((part) => parseJsonPath(`[${part.trim()}]`));
    return { node: [{ type: 'union', parts: union }], length };
  }
  const key = DICTIONARY_KEY.exec(inside)?.[1];
  if (key !== undefined) return { node: parseJsonPath(`.${key}`), length };
  return { node: [parseSlice(inside === '*' ? ':' : inside)], length };
}

function parseSlice(text: string): Slice {
  const match = SLICE.exec(text);
  if (match === null) throw new Error(`invalid array index ${text}`);
  const [, first = '', second, third] = match;
  const from = numberOf(first);
  const isOne = second === undefined;
  return {
    type: 'slice',
    from,
    to: isOne ? (from ?? 0) + 1 : numberOf(second.slice(1)),
    isOne,
    step: third === undefined ? undefined : numberOf(third.slice(1)),
  };
}

function numberOf(text: string): number | undefined {
  if (text === '') return undefined;
  if (text === '-') throw new Error(`array index ${text} is not a number`);
  return Number(text);
}

function parseFilter(rest: string): Parsed {
  const end = endOfFilter(rest);
  if (rest.charAt(end + 1) !== ']') throw new Error('unclosed array expect ]');
  const text = rest.slice(3, end);
  const length = end + 2;
  const compared = COMPARISON.exec(text);
  if (compared === null) {
    const left = parseJsonPath(text);
    return { node: [{ type: 'filter', left, operator: 'exists', right: [] }], length };
  }
  const [, left = '', operator = '', right = ''] = compared;
  return {
    node: [{ type: 'filter', left: parseJsonPath(left), operator, right: parseJsonPath(right) }],
    length,
  };
}

/** The first closing parenthesis outside of quotes. */
function endOfFilter(rest: string): number {
  let quote = '';
  let isClosed = false;
  for (let at = 3; at < rest.length; at += 1) {
    const one = rest.charAt(at);
    if (one === '\n') break;
    if (one === ')' && (quote === '' || isClosed)) return at;
    if (one !== '"' && one !== "'") continue;
    if (quote === '') quote = one;
    else if (one === quote && rest.charAt(at - 1) !== '\\') isClosed = true;
  }
  throw new Error('unterminated filter');
}
