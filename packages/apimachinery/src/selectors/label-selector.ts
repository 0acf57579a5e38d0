import {
  aggregateText,
  type FieldError,
  fieldError,
  fieldErrorText,
} from '../errors/field-error.ts';
import { root } from '../errors/field-path.ts';
import { labelValueErrors, qualifiedNameErrors } from '../validation/names.ts';
import { compareText } from '../values/compare-text.ts';
import { parseGoInt64 } from '../values/go-integer.ts';

export type LabelOperator = 'exists' | '!' | '=' | '==' | '!=' | 'in' | 'notin' | 'gt' | 'lt';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted and unique. Empty for `exists` and `!`, any number for `in` and `notin`, otherwise exactly one. */
  readonly values: readonly string[];
}

export type ParsedLabelSelector =
  | { readonly ok: true; readonly selector: LabelSelector }
  | { readonly ok: false; readonly message: string };

/** A conjunction of requirements, sorted by key. */
export class LabelSelector {
  static readonly everything: LabelSelector = new LabelSelector([]);

  readonly requirements: readonly LabelRequirement[];

  /** Does not validate the requirements; `parseLabelSelector` does. */
  constructor(requirements: readonly LabelRequirement[]) {
    this.requirements = requirements.toSorted((a, b) => compareText(a.key, b.key));
  }

  get isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  matches(labels: Readonly<Record<string, string>> | undefined): boolean {
    return this.requirements.every((requirement) => requirementMatches(requirement, labels));
  }

  /** The only value that the key may have; undefined when there is more than one. */
  exactMatch(key: string): string | undefined {
    const requirement = this.requirements.find((candidate) => candidate.key === key);
    if (requirement === undefined || !exactOperators.has(requirement.operator)) return undefined;
    return requirement.values.length === 1 ? requirement.values[0] : undefined;
  }

  /** Keys and values are sorted; `parseLabelSelector` returns the same requirements for the text. */
  toString(): string {
    return this.requirements.map(requirementText).join(',');
  }
}

/** Parses a `labelSelector` parameter in one pass without backtracking. */
export function parseLabelSelector(text: string): ParsedLabelSelector {
  if (text === '') return { ok: true, selector: LabelSelector.everything };
  try {
    const requirements = new Parser(scan(text)).parse();
    return { ok: true, selector: new LabelSelector(requirements) };
  } catch (error) {
    if (error instanceof SelectorSyntaxError) return { ok: false, message: error.message };
    throw error;
  }
}

/** The selector for a map of labels, all of which must be equal. */
export function labelSelectorFromSet(labels: Readonly<Record<string, string>>): LabelSelector {
  return new LabelSelector(
    Object.entries(labels).map(([key, value]) => ({ key, operator: '=', values: [value] })),
  );
}

const exactOperators: ReadonlySet<LabelOperator> = new Set(['=', '==', 'in']);

function requirementMatches(
  { key, operator, values }: LabelRequirement,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  const value = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case '=':
    case '==':
    case 'in':
      return value !== undefined && values.includes(value);
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'gt':
    case 'lt':
      return value !== undefined && compareIntegers(operator, value, values[0] ?? '');
  }
}

/** A label that is not an integer matches neither `>` nor `<`. */
function compareIntegers(operator: 'gt' | 'lt', label: string, bound: string): boolean {
  const [left, right] = [parseGoInt64(label), parseGoInt64(bound)];
  if (!left.ok || !right.ok) return false;
  return operator === 'gt' ? left.value > right.value : left.value < right.value;
}

function requirementText({ key, operator, values }: LabelRequirement): string {
  const list = values.join(',');
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case '=':
    case '==':
    case '!=':
      return `${key}${operator}${list}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${list})`;
    case 'gt':
      return `${key}>${list}`;
    case 'lt':
      return `${key}<${list}`;
  }
}

class SelectorSyntaxError extends Error {}

type TokenKind =
  | 'identifier'
  | 'end'
  | '!'
  | '='
  | '=='
  | '!='
  | '>'
  | '<'
  | '('
  | ')'
  | ','
  | 'in'
  | 'notin';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const literals: readonly TokenKind[] = [
  '!',
  '=',
  '==',
  '!=',
  '>',
  '<',
  '(',
  ')',
  ',',
  'in',
  'notin',
];
const kinds: ReadonlyMap<string, TokenKind> = new Map(literals.map((kind) => [kind, kind]));

/** Skips a NUL after a token; any other NUL ends the text, because upstream's lexer uses it for the end of the input. */
function scan(text: string): Token[] {
  const pattern = /[ \t\r\n]*(==|!=|[=!(),<>]|[^ \t\r\n=!(),<>\0]+)\0?/gy;
  const tokens = Array.from(text.matchAll(pattern), ([, token = '']): Token => {
    return { kind: kinds.get(token) ?? 'identifier', text: token };
  });
  return [...tokens, endToken];
}

const operators: ReadonlyMap<TokenKind, LabelOperator> = new Map([
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['in', 'in'],
  ['notin', 'notin'],
  ['>', 'gt'],
  ['<', 'lt'],
]);

class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const token = this.#peek();
      if (token.kind === 'end') return requirements;
      if (!startsRequirement(token)) fail(token, "expected: !, identifier, or 'end of string'");
      requirements.push(this.#requirementWithContext());
      const separator = this.#next();
      if (separator.kind === 'end') return requirements;
      if (separator.kind !== ',') fail(separator, "expected: ',' or 'end of string'");
      const following = this.#peek();
      if (!startsRequirement(following)) fail(following, "expected: identifier after ','");
    }
  }

  #requirementWithContext(): LabelRequirement {
    try {
      return this.#requirement();
    } catch (error) {
      if (!(error instanceof SelectorSyntaxError)) throw error;
      throw new SelectorSyntaxError(`unable to parse requirement: ${error.message}`);
    }
  }

  #requirement(): LabelRequirement {
    const negated = this.#peek().kind === '!';
    if (negated) this.#next();
    const key = this.#key();
    if (negated) return { key, operator: '!', values: [] };
    const { kind } = this.#peek();
    if (kind === 'end' || kind === ',') return { key, operator: 'exists', values: [] };
    const operator = this.#operator();
    const values = operator === 'in' || operator === 'notin' ? this.#values() : [this.#value()];
    return validated({ key, operator, values: [...new Set(values)].sort(compareText) });
  }

  #key(): string {
    const token = this.#next();
    if (!isIdentifier(token)) fail(token, 'expected: identifier');
    const problems = qualifiedNameErrors(token.text);
    if (problems.length === 0) return token.text;
    const error = fieldError.invalid(undefined, token.text, problems.join('; '));
    throw new SelectorSyntaxError(fieldErrorText(error));
  }

  #operator(): LabelOperator {
    const token = this.#next();
    const operator = operators.get(token.kind);
    return operator ?? fail(token, 'expected: in, notin, =, ==, !=, gt, lt');
  }

  /** The value after operators such as `=`; an absent one is the empty string. */
  #value(): string {
    const { kind } = this.#peek();
    if (kind === 'end' || kind === ',') return '';
    const token = this.#next();
    return isIdentifier(token) ? token.text : fail(token, 'expected: identifier');
  }

  #values(): string[] {
    const open = this.#next();
    // Upstream's message has no comma here.
    if (open.kind !== '(') throw new SelectorSyntaxError(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (first.kind === ')') {
      this.#next();
      return [''];
    }
    if (!isIdentifier(first) && first.kind !== ',') fail(first, "expected: ',', ')' or identifier");
    return this.#valueList();
  }

  /** The values between parentheses; an absent one before, after or between commas is the empty string. */
  #valueList(): string[] {
    const values: string[] = [];
    for (;;) {
      const token = this.#next();
      const following = this.#peek();
      if (isIdentifier(token)) {
        values.push(token.text);
        if (following.kind === ')') break;
        if (following.kind !== ',') fail(following, "expected: ',' or ')'");
      } else if (token.kind === ',') {
        if (values.length === 0 || following.kind === ',' || following.kind === ')')
          values.push('');
        if (following.kind === ')') break;
      } else {
        fail(token, "expected: ',', or identifier");
      }
    }
    this.#next();
    return values;
  }

  #peek(): Token {
    return this.#tokens[this.#position] ?? endToken;
  }

  #next(): Token {
    const token = this.#peek();
    this.#position += 1;
    return token;
  }
}

const endToken: Token = { kind: 'end', text: '' };

/** `in` and `notin` are identifiers except as operators. */
function isIdentifier({ kind }: Token): boolean {
  return kind === 'identifier' || kind === 'in' || kind === 'notin';
}

function startsRequirement(token: Token): boolean {
  return isIdentifier(token) || token.kind === '!';
}

function fail(found: Token, expected: string): never {
  throw new SelectorSyntaxError(`found '${found.text}', ${expected}`);
}

/** Values must be valid label values, those of `>` and `<` integers. */
function validated(requirement: LabelRequirement): LabelRequirement {
  const { key, operator, values } = requirement;
  const path = root('values');
  const errors: FieldError[] = [];
  if (operator === 'gt' || operator === 'lt') {
    const detail = "for 'Gt', 'Lt' operators, the value must be an integer";
    values.forEach((value, index) => {
      if (!parseGoInt64(value).ok)
        errors.push(fieldError.invalid(path.index(index), value, detail));
    });
  }
  values.forEach((value, index) => {
    const problems = labelValueErrors(value);
    if (problems.length === 0) return;
    errors.push(fieldError.invalid(path.index(index).key(key), value, problems.join('; ')));
  });
  if (errors.length > 0) throw new SelectorSyntaxError(aggregateText(errors));
  return requirement;
}
