import { Uint, type Value } from '../values/value.ts';
import { DEPTH_MAX, ruleTooDeep, TooDeep } from './depth.ts';
import type { Expression, MapEntry, StructField } from './expression.ts';
import { type Token, type TokenKind, tokenize } from './lexer.ts';
import type { Macro } from './macro.ts';
import type { Issue } from './source.ts';
import { describeSyntaxError } from './syntax-errors.ts';
import { balance, builderAt, createTreeIds, type Positions, placeholder } from './tree.ts';
import { unescapeBytes, unescapeString } from './unescape.ts';

export interface ParseOptions {
  readonly macros: readonly Macro[];
  /** `a.?b`, `a[?b]`, `{?a: b}`. */
  readonly optionalSyntax: boolean;
}

export type ParseResult =
  | { readonly expression: Expression; readonly positions: Positions }
  | { readonly issues: readonly Issue[] };

/** Upstream's bound of an expression. */
const CODE_POINTS_MAX = 100_000;

/** Words that cannot be variables, though they may be fields. */
const RESERVED: ReadonlySet<string> = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'false',
  'for',
  'function',
  'if',
  'import',
  'in',
  'let',
  'loop',
  'package',
  'namespace',
  'null',
  'return',
  'true',
  'var',
  'void',
  'while',
]);

/** Parses the text and expands its macros. */
export function parse(text: string, options: ParseOptions): ParseResult {
  const size = text.length > CODE_POINTS_MAX ? [...text].length : text.length;
  if (size > CODE_POINTS_MAX) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${CODE_POINTS_MAX}`;
    return { issues: [{ offset: undefined, message }] };
  }
  const { tokens, issues, skipped } = tokenize(text);
  const parser = new Parser(tokens, options);
  try {
    const expression = parser.whole();
    const found = issues.length > 0 ? issues.slice(0, 1) : parser.issues;
    return found.length > 0 ? { issues: found } : { expression, positions: parser.ids.positions };
  } catch (error) {
    if (error instanceof TooDeep) {
      return { issues: [{ offset: undefined, message: error.message }] };
    }
    if (error instanceof SyntaxFailure) {
      // The parser is fast because it does not describe errors; the walk through the grammar does.
      const found = describeSyntaxError(text, tokens, skipped);
      const [unrecognized = found] = issues;
      const isFirst = (unrecognized.offset ?? 0) <= (found.offset ?? 0);
      return { issues: [isFirst ? unrecognized : found] };
    }
    throw error;
  }
}

class SyntaxFailure extends Error {
  override readonly name = 'SyntaxFailure';
}

/** A parsed part and how deep upstream's visitor would go into it. */
interface Part {
  readonly expression: Expression;
  readonly depth: number;
  /** Where the part begins, which differs from the position of, say, its operator. */
  readonly start: number;
}

type Rule = 'expr' | 'or' | 'and' | 'relation' | 'calc' | 'unary' | 'member' | 'primary';

interface Operator {
  readonly name: string;
  readonly precedence: number;
}

const RELATIONS: ReadonlyMap<TokenKind, Operator> = new Map([
  ['<', { name: '_<_', precedence: 1 }],
  ['<=', { name: '_<=_', precedence: 1 }],
  ['>=', { name: '_>=_', precedence: 1 }],
  ['>', { name: '_>_', precedence: 1 }],
  ['==', { name: '_==_', precedence: 1 }],
  ['!=', { name: '_!=_', precedence: 1 }],
  ['in', { name: '@in', precedence: 1 }],
]);
const CALCULATIONS: ReadonlyMap<TokenKind, Operator> = new Map([
  ['*', { name: '_*_', precedence: 2 }],
  ['/', { name: '_/_', precedence: 2 }],
  ['%', { name: '_%_', precedence: 2 }],
  ['+', { name: '_+_', precedence: 1 }],
  ['-', { name: '_-_', precedence: 1 }],
]);

/** Recursive descent; one per text. A class because every rule shares the position and the counters. */
class Parser {
  readonly ids = createTreeIds();
  readonly issues: Issue[] = [];
  readonly #tokens: readonly Token[];
  readonly #options: ParseOptions;
  readonly #macros: ReadonlyMap<string, Macro>;
  readonly #depths = new Map<Rule, number>();
  #index = 0;

  constructor(tokens: readonly Token[], options: ParseOptions) {
    this.#tokens = tokens;
    this.#options = options;
    this.#macros = new Map(options.macros.map((macro) => [macroKey(macro), macro]));
  }

  whole(): Expression {
    const { expression } = this.#expression();
    this.#take('end');
    return expression;
  }

  #expression(): Part {
    this.#enter('expr');
    const condition = this.#logical('or');
    let part = condition;
    const operator = this.#accept('?');
    if (operator !== undefined) {
      const id = this.ids.next(operator.start);
      const yes = this.#logical('or');
      this.#take(':');
      const no = this.#expression();
      part = this.#combine(condition.start, [condition, yes, no], 1, () =>
        this.#call(id, operator.start, '_?_:_', undefined, [
          condition.expression,
          yes.expression,
          no.expression,
        ]),
      );
    }
    this.#leave('expr');
    return part;
  }

  #logical(rule: 'or' | 'and'): Part {
    this.#enter(rule);
    const operand = () => (rule === 'or' ? this.#logical('and') : this.#relation());
    const parts = [operand()];
    const operators: number[] = [];
    for (;;) {
      const operator = this.#accept(rule === 'or' ? '||' : '&&');
      if (operator === undefined) {
        break;
      }
      parts.push(operand());
      operators.push(this.ids.next(operator.start));
    }
    this.#leave(rule);
    const terms = parts.map(({ expression }) => expression);
    return {
      expression: balance(rule === 'or' ? '_||_' : '_&&_', terms, operators),
      depth: Math.max(...parts.map(({ depth }) => depth)),
      start: parts[0]?.start ?? 0,
    };
  }

  #relation(precedence = 1): Part {
    return this.#binary('relation', RELATIONS, precedence, () => this.#calculation());
  }

  #calculation(precedence = 1): Part {
    return this.#binary('calc', CALCULATIONS, precedence, () => this.#unary());
  }

  /** Left-associative operators by precedence. */
  #binary(
    rule: 'relation' | 'calc',
    operators: ReadonlyMap<TokenKind, Operator>,
    minimum: number,
    operand: () => Part,
  ): Part {
    this.#enter(rule);
    let left = operand();
    for (;;) {
      const found = operators.get(this.#peek().kind);
      if (found === undefined || found.precedence < minimum) {
        break;
      }
      const operator = this.#next();
      const id = this.ids.next(operator.start);
      const before = left;
      const above = found.precedence + 1;
      const right = rule === 'relation' ? this.#relation(above) : this.#calculation(above);
      left = this.#combine(before.start, [before, right], 1, () =>
        this.#call(id, operator.start, found.name, undefined, [
          before.expression,
          right.expression,
        ]),
      );
    }
    this.#leave(rule);
    return left;
  }

  #unary(): Part {
    this.#enter('unary');
    const part = this.#signed();
    this.#leave('unary');
    return part;
  }

  #signed(): Part {
    const first = this.#peek();
    // A minus directly before a number belongs to the number, so that the smallest int can be written.
    const negativeNumber = first.kind === '-' && isNumber(this.#tokens[this.#index + 1]?.kind);
    if ((first.kind !== '!' && first.kind !== '-') || negativeNumber) {
      return this.#member();
    }
    const name = first.kind === '!' ? '!_' : '-_';
    let count = 0;
    // In `--1` both are operators: the grammar takes as many as it can before the member.
    while (this.#accept(first.kind) !== undefined) {
      count++;
    }
    if (count % 2 === 0) {
      return { ...this.#member(), start: first.start };
    }
    const id = this.ids.next(first.start);
    const operand = this.#member();
    return this.#combine(first.start, [operand], 0, () =>
      this.#call(id, first.start, name, undefined, [operand.expression]),
    );
  }

  #member(): Part {
    this.#enter('member');
    let part = this.#primary();
    for (;;) {
      const { kind } = this.#peek();
      if (kind !== '.' && kind !== '[') {
        break;
      }
      part = kind === '.' ? this.#selectOrCall(part) : this.#indexed(part);
    }
    this.#leave('member');
    return part;
  }

  #selectOrCall(operand: Part): Part {
    const dot = this.#take('.');
    const optional = this.#accept('?');
    const name = this.#next();
    if (name.kind !== 'identifier' && name.kind !== 'quoted-identifier') {
      throw new SyntaxFailure();
    }
    if (optional === undefined && name.kind === 'identifier' && this.#peek().kind === '(') {
      return this.#memberCall(operand, name);
    }
    const field = this.#fieldName(name);
    if (optional !== undefined) {
      if (!this.#options.optionalSyntax) {
        return this.#report(dot.start, "unsupported syntax '.?'");
      }
      return this.#combine(operand.start, [operand], 1, () => ({
        kind: 'call',
        id: this.ids.next(dot.start),
        name: '_?._',
        target: undefined,
        args: [
          operand.expression,
          { kind: 'literal', id: this.ids.next(name.start), value: field },
        ],
      }));
    }
    return this.#combine(operand.start, [operand], 1, () => ({
      kind: 'select',
      id: this.ids.next(dot.start),
      operand: operand.expression,
      field,
      testOnly: false,
    }));
  }

  #memberCall(operand: Part, name: Token): Part {
    const open = this.#take('(');
    const id = this.ids.next(open.start);
    const args = this.#arguments();
    return this.#combine(operand.start, [operand, ...args], 1, () =>
      this.#call(
        id,
        open.start,
        name.text,
        operand.expression,
        args.map(({ expression }) => expression),
      ),
    );
  }

  #indexed(operand: Part): Part {
    const open = this.#take('[');
    const id = this.ids.next(open.start);
    const optional = this.#accept('?');
    const index = this.#expression();
    this.#take(']');
    if (optional !== undefined && !this.#options.optionalSyntax) {
      return this.#report(open.start, "unsupported syntax '[?'");
    }
    const name = optional === undefined ? '_[_]' : '_[?_]';
    return this.#combine(operand.start, [operand, index], 1, () =>
      this.#call(id, open.start, name, undefined, [operand.expression, index.expression]),
    );
  }

  #arguments(): Part[] {
    const args: Part[] = [];
    if (this.#peek().kind !== ')') {
      do {
        args.push(this.#expression());
      } while (this.#accept(',') !== undefined);
    }
    this.#take(')');
    return args;
  }

  #primary(): Part {
    this.#enter('primary');
    const part = this.#primaryPart();
    this.#leave('primary');
    return part;
  }

  #primaryPart(): Part {
    const first = this.#peek();
    switch (first.kind) {
      case '.':
      case 'identifier':
        return this.#name();
      case '(': {
        this.#next();
        const inner = this.#expression();
        this.#take(')');
        return { ...inner, start: first.start };
      }
      case '[':
        return this.#list();
      case '{':
        return this.#map();
      default:
        return this.#literal();
    }
  }

  #name(): Part {
    const start = this.#peek().start;
    const leading = this.#accept('.') === undefined ? '' : '.';
    const name = this.#take('identifier');
    const message = this.#messageName();
    if (message !== undefined) {
      return this.#message(start, `${leading}${name.text}${message}`);
    }
    const call = this.#accept('(');
    if (call === undefined) {
      if (RESERVED.has(name.text)) {
        return this.#report(start, `reserved identifier: ${name.text}`);
      }
      const id = this.ids.next(name.start);
      return {
        expression: { kind: 'identifier', id, name: `${leading}${name.text}` },
        depth: 0,
        start,
      };
    }
    const id = this.ids.next(call.start);
    const args = this.#arguments();
    if (RESERVED.has(name.text)) {
      return this.#report(start, `reserved identifier: ${name.text}`);
    }
    return this.#combine(start, args, 0, () =>
      this.#call(
        id,
        call.start,
        `${leading}${name.text}`,
        undefined,
        args.map(({ expression }) => expression),
      ),
    );
  }

  /** The rest of `a.b.C{`, when that is what follows; nothing is taken otherwise. */
  #messageName(): string | undefined {
    let ahead = this.#index;
    let rest = '';
    while (this.#tokens[ahead]?.kind === '.' && this.#tokens[ahead + 1]?.kind === 'identifier') {
      rest += `.${this.#tokens[ahead + 1]?.text}`;
      ahead += 2;
    }
    if (this.#tokens[ahead]?.kind !== '{') {
      return undefined;
    }
    this.#index = ahead;
    return rest;
  }

  #message(start: number, name: string): Part {
    const open = this.#take('{');
    const id = this.ids.next(open.start);
    const fields: StructField[] = [];
    const parts: Part[] = [];
    while (this.#peek().kind !== '}' && !this.#onlyComma(parts, '}')) {
      const optional = this.#accept('?');
      const field = this.#next();
      if (field.kind !== 'identifier' && field.kind !== 'quoted-identifier') {
        throw new SyntaxFailure();
      }
      const colon = this.#take(':');
      const fieldId = this.ids.next(colon.start);
      const value = this.#expression();
      if (optional !== undefined && !this.#options.optionalSyntax) {
        this.#report(optional.start, "unsupported syntax '?'");
      }
      parts.push(value);
      fields.push({
        id: fieldId,
        name: this.#fieldName(field),
        value: value.expression,
        optional: optional !== undefined,
      });
      if (this.#accept(',') === undefined) {
        break;
      }
    }
    this.#take('}');
    return this.#combine(start, parts, 0, () => ({ kind: 'struct', id, name, fields }));
  }

  #list(): Part {
    const open = this.#take('[');
    const id = this.ids.next(open.start);
    const parts: Part[] = [];
    const optional: number[] = [];
    while (this.#peek().kind !== ']' && !this.#onlyComma(parts, ']')) {
      const mark = this.#accept('?');
      parts.push(this.#expression());
      if (mark !== undefined) {
        if (!this.#options.optionalSyntax) {
          this.#report(mark.start, "unsupported syntax '?'");
        }
        optional.push(parts.length - 1);
      }
      if (this.#accept(',') === undefined) {
        break;
      }
    }
    this.#take(']');
    const elements = parts.map(({ expression }) => expression);
    return this.#combine(open.start, parts, 0, () => ({ kind: 'list', id, elements, optional }));
  }

  #map(): Part {
    const open = this.#take('{');
    const id = this.ids.next(open.start);
    const parts: Part[] = [];
    const entries: MapEntry[] = [];
    while (this.#peek().kind !== '}' && !this.#onlyComma(parts, '}')) {
      const mark = this.#accept('?');
      const key = this.#expression();
      const colon = this.#take(':');
      const entryId = this.ids.next(colon.start);
      const value = this.#expression();
      if (mark !== undefined && !this.#options.optionalSyntax) {
        this.#report(mark.start, "unsupported syntax '?'");
      }
      parts.push(key, value);
      entries.push({
        id: entryId,
        key: key.expression,
        value: value.expression,
        optional: mark !== undefined,
      });
      if (this.#accept(',') === undefined) {
        break;
      }
    }
    this.#take('}');
    return this.#combine(open.start, parts, 0, () => ({ kind: 'map', id, entries }));
  }

  /** `[,]` and `{,}` are empty. */
  #onlyComma(parts: readonly Part[], close: TokenKind): boolean {
    const empty = parts.length === 0 && this.#peek().kind === ',';
    if (empty && this.#tokens[this.#index + 1]?.kind === close) {
      this.#next();
      return true;
    }
    return false;
  }

  #literal(): Part {
    const first = this.#next();
    const token = first.kind === '-' && isNumber(this.#peek().kind) ? this.#next() : first;
    const value = this.#value(token, token === first ? '' : '-', first.start);
    const id = this.ids.next(first.start);
    return { expression: { kind: 'literal', id, value }, depth: 0, start: first.start };
  }

  #value(token: Token, sign: string, start: number): Value {
    switch (token.kind) {
      case 'int':
        return this.#integer(sign, token.text, start);
      case 'uint': {
        const value = BigInt(token.text.slice(0, -1));
        if (value > 0xffff_ffff_ffff_ffffn) {
          this.#report(start, 'invalid uint literal');
        }
        return new Uint(value);
      }
      case 'double': {
        const value = Number(`${sign}${token.text}`);
        if (!Number.isFinite(value)) {
          this.#report(start, 'invalid double literal');
        }
        return value;
      }
      case 'string':
        return this.#unescaped(unescapeString(token.text), '', start);
      case 'bytes':
        return this.#unescaped(unescapeBytes(token.text), new Uint8Array(), start);
      case 'true':
        return true;
      case 'false':
        return false;
      case 'null':
        return null;
      default:
        throw new SyntaxFailure();
    }
  }

  #integer(sign: string, text: string, start: number): Value {
    const value = sign === '-' ? -BigInt(text) : BigInt(text);
    if (BigInt.asIntN(64, value) !== value) {
      this.#report(start, 'invalid int literal');
    }
    return value;
  }

  #unescaped<T extends Value>(
    result: { readonly value: T } | { readonly message: string },
    otherwise: T,
    start: number,
  ): T {
    if ('value' in result) {
      return result.value;
    }
    this.#report(start, result.message);
    return otherwise;
  }

  #fieldName(token: Token): string {
    if (token.kind === 'identifier') {
      return token.text;
    }
    return token.text.slice(1, -1);
  }

  /** A call, or what a macro of its name makes of it. */
  #call(
    id: number,
    position: number,
    name: string,
    target: Expression | undefined,
    args: readonly Expression[],
  ): Expression {
    const member = target !== undefined;
    const macro =
      this.#macros.get(macroKey({ name, member, argumentCount: args.length })) ??
      this.#macros.get(macroKey({ name, member, argumentCount: undefined }));
    const expanded = macro?.expand(builderAt(this.ids, position), target, args);
    if (expanded === undefined) {
      return { kind: 'call', id, name, target, args };
    }
    if (expanded.kind === 'error') {
      const at = this.ids.positions.get(expanded.at) ?? position;
      return this.#report(at, expanded.message).expression;
    }
    return expanded;
  }

  #combine(start: number, parts: readonly Part[], levels: number, make: () => Expression): Part {
    const depth = levels + Math.max(0, ...parts.map((part) => part.depth));
    if (depth > DEPTH_MAX) {
      throw new TooDeep('max recursion depth exceeded');
    }
    return { expression: make(), depth, start };
  }

  #report(offset: number, message: string): Part {
    this.issues.push({ offset, message });
    return { expression: placeholder(this.ids.next(offset)), depth: 0, start: offset };
  }

  #enter(rule: Rule): void {
    const depth = (this.#depths.get(rule) ?? 0) + 1;
    this.#depths.set(rule, depth);
    if (depth > DEPTH_MAX) {
      throw ruleTooDeep();
    }
  }

  #leave(rule: Rule): void {
    this.#depths.set(rule, (this.#depths.get(rule) ?? 0) - 1);
  }

  #peek(): Token {
    return this.#tokens[this.#index] as Token;
  }

  #next(): Token {
    const token = this.#peek();
    if (token.kind === 'end') {
      throw new SyntaxFailure();
    }
    this.#index++;
    return token;
  }

  #accept(kind: TokenKind): Token | undefined {
    return this.#peek().kind === kind ? this.#next() : undefined;
  }

  #take(kind: TokenKind): Token {
    const token = this.#peek();
    if (token.kind !== kind) {
      throw new SyntaxFailure();
    }
    if (kind !== 'end') {
      this.#index++;
    }
    return token;
  }
}

function isNumber(kind: TokenKind | undefined): boolean {
  return kind === 'int' || kind === 'double';
}

function macroKey(macro: Pick<Macro, 'name' | 'member' | 'argumentCount'>): string {
  return `${macro.name}:${macro.argumentCount ?? '*'}:${macro.member}`;
}
