import { isBlank, isBreak, isBreakOrEnd, type YamlCursor } from './yaml-cursor.ts';

/** Scans the scalar after `|` or `>`. `parentIndent` is the indentation of its collection, -1 without one. */
export function scanBlockScalar(cursor: YamlCursor, parentIndent: number): string {
  const scalar = new BlockScalar(cursor, parentIndent);
  return scalar.scan();
}

const lineText = /[^\n\r\u0085\u2028\u2029]+/y;
const blanks = /[ \t]*/y;
const spaces = / +/y;

class BlockScalar {
  readonly #cursor: YamlCursor;
  readonly #start;
  readonly #parentIndent: number;
  #indent = 0;

  constructor(cursor: YamlCursor, parentIndent: number) {
    this.#cursor = cursor;
    this.#parentIndent = parentIndent;
    this.#start = cursor.mark;
  }

  scan(): string {
    const cursor = this.#cursor;
    const isLiteral = cursor.character() === '|';
    cursor.position += 1;
    const chomping = this.#header();
    let text = '';
    let leadingBreak = '';
    let leadingBlank = false;
    let trailingBreaks = this.#breaks();
    while (cursor.column === this.#indent && !cursor.atEnd) {
      const isIndented = isBlank(cursor.code());
      const folds = !isLiteral && leadingBreak === '\n' && !leadingBlank && !isIndented;
      if (!folds) text += leadingBreak;
      else if (trailingBreaks === '') text += ' ';
      text += trailingBreaks;
      leadingBlank = isIndented;
      text += cursor.take(lineText);
      leadingBreak = cursor.atEnd ? '' : cursor.lineBreak();
      trailingBreaks = this.#breaks();
    }
    if (chomping === '-') return text;
    return text + leadingBreak + (chomping === '+' ? trailingBreaks : '');
  }

  /** The chomping and indentation indicators in any order, followed by an optional comment. */
  #header(): string {
    const cursor = this.#cursor;
    let chomping = cursor.take(/[-+]/y);
    const digit = cursor.take(/[0-9]/y);
    if (digit === '0') {
      cursor.position -= 1;
      throw cursor.problem('found an indentation indicator equal to 0', this.#start);
    }
    if (digit !== '') this.#indent = Math.max(this.#parentIndent, 0) + Number(digit);
    if (chomping === '' && digit !== '') chomping = cursor.take(/[-+]/y);
    cursor.take(blanks);
    if (cursor.character() === '#') cursor.take(lineText);
    if (!isBreakOrEnd(cursor.code())) {
      throw cursor.problem('did not find expected comment or line break', this.#start);
    }
    if (!cursor.atEnd) cursor.lineBreak();
    return chomping;
  }

  /** Consumes empty lines. Without an indentation indicator the first call detects the indentation. */
  #breaks(): string {
    const cursor = this.#cursor;
    let text = '';
    let deepest = 0;
    for (;;) {
      if (this.#indent === 0) cursor.take(spaces);
      else while (cursor.column < this.#indent && cursor.code() === 0x20) cursor.position += 1;
      deepest = Math.max(deepest, cursor.column);
      const isBefore = this.#indent === 0 || cursor.column < this.#indent;
      if (isBefore && cursor.code() === 0x09) {
        const problem = 'found a tab character where an indentation space is expected';
        throw cursor.problem(problem, this.#start);
      }
      if (!isBreak(cursor.code())) break;
      text += cursor.lineBreak();
    }
    if (this.#indent === 0) this.#indent = Math.max(deepest, this.#parentIndent + 1, 1);
    return text;
  }
}
