/** Reads a text such as `'%s of %.2f'` and tells of its clauses one after the other. */

export interface Clause {
  readonly verb: 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';
  readonly precision: number | undefined;
}

export interface FormatVisitor {
  readonly count: number;
  /** The text of the argument with this number, or the error. */
  format(clause: Clause, index: number): string | FormatError;
}

export class FormatError {
  readonly message: string;
  /** The expression that it is about, when that is known. */
  readonly at: number | undefined;

  constructor(message: string, at?: number) {
    this.message = message;
    this.at = at;
  }
}

/** How many clauses there were, and the whole text. */
export interface Formatted {
  readonly text: string;
  readonly clauses: number;
}

export function interpretFormat(pattern: string, visitor: FormatVisitor): Formatted | FormatError {
  const parts: string[] = [];
  let clauses = 0;
  let at = 0;
  while (at < pattern.length) {
    const next = pattern.indexOf('%', at);
    if (next < 0) break;
    parts.push(pattern.slice(at, next));
    if (pattern[next + 1] === '%') {
      parts.push('%');
      at = next + 2;
      continue;
    }
    if (clauses >= visitor.count && next + 1 < pattern.length) return outOfRange(clauses);
    if (next + 1 >= pattern.length) {
      return clauses >= visitor.count
        ? outOfRange(clauses)
        : new FormatError('unexpected end of string');
    }
    const parsed = parseClause(pattern, next + 1);
    if (parsed instanceof FormatError) return wrapped('could not parse formatting clause', parsed);
    const text = visitor.format(parsed.clause, clauses);
    if (text instanceof FormatError) return wrapped('error during formatting', text);
    parts.push(text);
    clauses += 1;
    at = parsed.end;
  }
  parts.push(pattern.slice(at));
  return { text: parts.join(''), clauses };
}

function outOfRange(index: number): FormatError {
  return new FormatError(`index ${index} out of range`);
}

function wrapped(message: string, { message: cause, at }: FormatError): FormatError {
  return new FormatError(`${message}: ${cause}`, at);
}

function parseClause(
  pattern: string,
  start: number,
): { readonly clause: Clause; readonly end: number } | FormatError {
  const precision = parsePrecision(pattern, start);
  if (precision instanceof FormatError) {
    return wrapped('error while parsing precision', precision);
  }
  const { value, end } = precision;
  const verb = pattern[end] ?? '';
  if (!isVerb(verb)) {
    return new FormatError(`unrecognized formatting clause "${firstByte(pattern.slice(end))}"`);
  }
  return { clause: { verb, precision: value }, end: end + 1 };
}

function parsePrecision(
  pattern: string,
  start: number,
): { readonly value: number | undefined; readonly end: number } | FormatError {
  if (pattern[start] !== '.') return { value: undefined, end: start };
  const digits = /^[0-9]*/.exec(pattern.slice(start + 1))?.[0] ?? '';
  const end = start + 1 + digits.length;
  if (end >= pattern.length) return new FormatError('could not find end of precision specifier');
  const problem = digits === '' ? 'invalid syntax' : 'value out of range';
  if (digits === '' || BigInt(digits) >= 2n ** 63n) {
    return new FormatError(
      `error while converting precision to integer: strconv.Atoi: parsing "${digits}": ${problem}`,
    );
  }
  return { value: Number(BigInt(digits) & 0xffffn), end };
}

function isVerb(letter: string): letter is Clause['verb'] {
  return letter !== '' && 'sdfebxXo'.includes(letter);
}

/** Upstream reads bytes: of a letter that takes several it names the first. */
function firstByte(text: string): string {
  return String.fromCharCode(Buffer.from(text.slice(0, 2))[0] ?? 0);
}
