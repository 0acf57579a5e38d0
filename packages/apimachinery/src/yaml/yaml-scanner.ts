/**
 * The scanner of libyaml for YAML 1.1, of which Go's library is a port. A key is recognized by the colon after it, so
 * tokens are queued until it is known whether a key token precedes them.
 */
import { scanBlockScalar } from './scan-block-scalar.ts';
import { scanPlainScalar, scanQuotedScalar } from './scan-flow-scalar.ts';
import { scanAnchorName, scanDirective, scanTag } from './scan-property.ts';
import { isBlankOrBreakOrEnd, isBreak, type Mark, YamlCursor } from './yaml-cursor.ts';
import { YamlError } from './yaml-error.ts';
import type { Token, TokenType } from './yaml-token.ts';

/** A key must end within one line and this many characters. */
const simpleKeyLengthMax = 1024;

/** A position at which a key may have started. */
interface SimpleKey {
  possible: boolean;
  required: boolean;
  tokenNumber: number;
  mark: Mark;
}

export class YamlScanner {
  readonly #cursor: YamlCursor;
  readonly #depthMax: number;
  #tokens: Token[] = [];
  #head = 0;
  #taken = 0;
  #ended = false;
  #indent = -1;
  readonly #indents: number[] = [];
  #keyAllowed = true;
  /** One per level of flow collections, and one for the surrounding blocks. */
  readonly #keys: SimpleKey[] = [noKey()];
  /** The possible keys by the number of their token. */
  readonly #keysByToken = new Map<number, SimpleKey>();

  constructor(source: string, depthMax: number) {
    this.#cursor = new YamlCursor(source);
    this.#depthMax = depthMax;
  }

  peek(): Token {
    while (this.#needsMore()) this.#fetch();
    const token = this.#tokens[this.#head];
    if (token === undefined) throw new YamlError('yaml: attempted to go past the end of stream');
    return token;
  }

  next(): Token {
    const token = this.peek();
    if (token.type === 'stream-end') return token;
    this.#head += 1;
    this.#taken += 1;
    if (this.#head === this.#tokens.length) {
      this.#tokens = [];
      this.#head = 0;
    }
    return token;
  }

  get #flowLevel(): number {
    return this.#keys.length - 1;
  }

  /** Whether a key token may still be inserted before the first token. */
  #needsMore(): boolean {
    if (this.#head === this.#tokens.length) return !this.#ended;
    const key = this.#keysByToken.get(this.#taken);
    return key !== undefined && this.#isValid(key);
  }

  #fetch(): void {
    this.#skipToToken();
    this.#unrollIndent(this.#cursor.column);
    if (!this.#fetchHere()) {
      throw this.#cursor.problem('found character that cannot start any token');
    }
  }

  /** Scans the next token by its first character; false when no token starts with it. */
  #fetchHere(): boolean {
    const cursor = this.#cursor;
    if (cursor.atEnd) return this.#fetchEnd();
    const character = cursor.character();
    const blankFollows = isBlankOrBreakOrEnd(cursor.code(1));
    const inFlow = this.#flowLevel > 0;
    if (cursor.column === 0 && character === '%') return this.#fetchDirective();
    if (cursor.isDocumentIndicator()) {
      return this.#fetchDocumentIndicator(character === '-' ? 'document-start' : 'document-end');
    }
    switch (character) {
      case '[':
        return this.#fetchFlowStart('flow-sequence-start');
      case '{':
        return this.#fetchFlowStart('flow-mapping-start');
      case ']':
        return this.#fetchFlowEnd('flow-sequence-end');
      case '}':
        return this.#fetchFlowEnd('flow-mapping-end');
      case ',':
        return this.#fetchFlowEntry();
      case '-':
        return blankFollows ? this.#fetchBlockEntry() : this.#fetchPlain();
      case '?':
        return inFlow || blankFollows ? this.#fetchKey() : this.#fetchPlain();
      case ':':
        return inFlow || blankFollows ? this.#fetchValue() : this.#fetchPlain();
      case '*':
      case '&':
        return this.#fetchAnchor(character === '*' ? 'alias' : 'anchor');
      case '!':
        return this.#fetchTag();
      case "'":
      case '"':
        return this.#fetchQuoted();
      case '|':
      case '>':
        if (!inFlow) return this.#fetchBlockScalar();
        break;
      case '#':
      case '%':
      case '@':
      case '`':
      case '\t':
        break;
      default:
        return this.#fetchPlain();
    }
    return false;
  }

  /** Skips white space and comments. Tabs are allowed only where keys are not: after an indicator, or in a flow collection. */
  #skipToToken(): void {
    const cursor = this.#cursor;
    for (;;) {
      if (cursor.position === 0 && cursor.code() === 0xfeff) cursor.position += 1;
      const tabs = this.#flowLevel > 0 || !this.#keyAllowed;
      while (cursor.code() === 0x20 || (tabs && cursor.code() === 0x09)) cursor.position += 1;
      if (cursor.character() === '#') cursor.take(comment);
      if (!isBreak(cursor.code())) return;
      cursor.lineBreak();
      if (this.#flowLevel === 0) this.#keyAllowed = true;
    }
  }

  #fetchEnd(): true {
    this.#cursor.endLine();
    this.#unrollIndent(-1);
    this.#removeKey();
    this.#keyAllowed = false;
    this.#ended = true;
    return this.#push('stream-end', this.#cursor.mark);
  }

  #fetchDirective(): true {
    this.#unrollIndent(-1);
    this.#removeKey();
    this.#keyAllowed = false;
    const start = this.#cursor.mark;
    const { type, handle, text } = scanDirective(this.#cursor);
    return this.#push(type, start, { handle, text });
  }

  #fetchDocumentIndicator(type: 'document-start' | 'document-end'): true {
    this.#unrollIndent(-1);
    this.#removeKey();
    this.#keyAllowed = false;
    return this.#pushIndicator(type, 3);
  }

  #fetchFlowStart(type: TokenType): true {
    this.#saveKey();
    this.#keys.push(noKey());
    this.#requireDepth(this.#flowLevel);
    this.#keyAllowed = true;
    return this.#pushIndicator(type);
  }

  #fetchFlowEnd(type: TokenType): true {
    this.#removeKey();
    if (this.#flowLevel > 0) this.#keys.pop();
    this.#keyAllowed = false;
    return this.#pushIndicator(type);
  }

  #fetchFlowEntry(): true {
    this.#removeKey();
    this.#keyAllowed = true;
    return this.#pushIndicator('flow-entry');
  }

  #fetchBlockEntry(): true {
    if (this.#flowLevel === 0) {
      if (!this.#keyAllowed) {
        throw this.#cursor.problem('block sequence entries are not allowed in this context');
      }
      this.#rollIndent(this.#cursor.mark, 'block-sequence-start');
    }
    this.#removeKey();
    this.#keyAllowed = true;
    return this.#pushIndicator('block-entry');
  }

  #fetchKey(): true {
    if (this.#flowLevel === 0) {
      if (!this.#keyAllowed) {
        throw this.#cursor.problem('mapping keys are not allowed in this context');
      }
      this.#rollIndent(this.#cursor.mark, 'block-mapping-start');
    }
    this.#removeKey();
    this.#keyAllowed = this.#flowLevel === 0;
    return this.#pushIndicator('key');
  }

  #fetchValue(): true {
    const key = this.#keys.at(-1);
    if (key !== undefined && this.#isValid(key)) {
      this.#insert(key.tokenNumber, token('key', key.mark, key.mark.line));
      this.#rollIndent(key.mark, 'block-mapping-start', key.tokenNumber);
      this.#forget(key);
      this.#keyAllowed = false;
    } else {
      if (this.#flowLevel === 0) {
        if (!this.#keyAllowed) {
          throw this.#cursor.problem('mapping values are not allowed in this context');
        }
        this.#rollIndent(this.#cursor.mark, 'block-mapping-start');
      }
      this.#keyAllowed = this.#flowLevel === 0;
    }
    return this.#pushIndicator('value');
  }

  #fetchAnchor(type: 'alias' | 'anchor'): true {
    this.#saveKey();
    this.#keyAllowed = false;
    const start = this.#cursor.mark;
    return this.#push(type, start, { text: scanAnchorName(this.#cursor) });
  }

  #fetchTag(): true {
    this.#saveKey();
    this.#keyAllowed = false;
    const start = this.#cursor.mark;
    const { handle, suffix } = scanTag(this.#cursor);
    return this.#push('tag', start, { handle, text: suffix });
  }

  #fetchQuoted(): true {
    this.#saveKey();
    this.#keyAllowed = false;
    const start = this.#cursor.mark;
    return this.#push('scalar', start, { text: scanQuotedScalar(this.#cursor) });
  }

  #fetchBlockScalar(): true {
    this.#removeKey();
    this.#keyAllowed = true;
    const start = this.#cursor.mark;
    return this.#push('scalar', start, { text: scanBlockScalar(this.#cursor, this.#indent) });
  }

  #fetchPlain(): true {
    this.#saveKey();
    this.#keyAllowed = false;
    const start = this.#cursor.mark;
    const context = { inFlow: this.#flowLevel > 0, indent: this.#indent + 1 };
    const { text, endedLine } = scanPlainScalar(this.#cursor, context);
    if (endedLine) this.#keyAllowed = true;
    return this.#push('scalar', start, { text, isPlain: true });
  }

  #saveKey(): void {
    if (!this.#keyAllowed) return;
    this.#removeKey();
    const mark = this.#cursor.mark;
    const required = this.#flowLevel === 0 && this.#indent === mark.column;
    const tokenNumber = this.#taken + this.#tokens.length - this.#head;
    const key = { possible: true, required, tokenNumber, mark };
    this.#keys[this.#keys.length - 1] = key;
    this.#keysByToken.set(tokenNumber, key);
  }

  #removeKey(): void {
    const key = this.#keys.at(-1);
    if (key === undefined || !key.possible) return;
    if (key.required) throw this.#cursor.problem("could not find expected ':'", key.mark);
    this.#forget(key);
  }

  #isValid(key: SimpleKey): boolean {
    if (!key.possible) return false;
    const { line, position } = this.#cursor;
    if (key.mark.line === line && key.mark.position + simpleKeyLengthMax >= position) return true;
    if (key.required) throw this.#cursor.problem("could not find expected ':'", key.mark);
    this.#forget(key);
    return false;
  }

  #forget(key: SimpleKey): void {
    key.possible = false;
    if (this.#keysByToken.get(key.tokenNumber) === key) this.#keysByToken.delete(key.tokenNumber);
  }

  #rollIndent(mark: Mark, type: TokenType, tokenNumber?: number): void {
    if (this.#flowLevel > 0 || this.#indent >= mark.column) return;
    this.#indents.push(this.#indent);
    this.#indent = mark.column;
    this.#requireDepth(this.#indents.length);
    const opening = token(type, mark, mark.line);
    if (tokenNumber === undefined) this.#tokens.push(opening);
    else this.#insert(tokenNumber, opening);
  }

  #unrollIndent(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      this.#push('block-end', this.#cursor.mark);
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  #requireDepth(depth: number): void {
    if (depth > this.#depthMax)
      throw new YamlError(`yaml: exceeded max depth of ${this.#depthMax}`);
  }

  #insert(tokenNumber: number, inserted: Token): void {
    this.#tokens.splice(this.#head + tokenNumber - this.#taken, 0, inserted);
  }

  #pushIndicator(type: TokenType, length = 1): true {
    const start = this.#cursor.mark;
    this.#cursor.position += length;
    return this.#push(type, start);
  }

  #push(type: TokenType, start: Mark, more: Partial<Token> = {}): true {
    const { text = '', handle = '', isPlain = false } = more;
    this.#tokens.push({ type, start, endLine: this.#cursor.line, text, handle, isPlain });
    return true;
  }
}

const comment = /[^\n\r\u0085\u2028\u2029]*/y;

function token(type: TokenType, start: Mark, endLine: number): Token {
  return { type, start, endLine, text: '', handle: '', isPlain: false };
}

function noKey(): SimpleKey {
  const mark = { position: 0, line: 0, column: 0 };
  return { possible: false, required: false, tokenNumber: 0, mark };
}
