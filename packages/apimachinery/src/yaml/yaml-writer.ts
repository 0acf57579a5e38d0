/** The output state and the rules of libyaml's emitter for indentation and folding. */
import { isBreak } from './yaml-cursor.ts';

/** Lines are folded at the first space after this column. */
const widthBest = 80;
const indentWidth = 2;

export class YamlWriter {
  indent = -1;
  #text = '';
  #column = 0;
  /** The last character was white space. */
  #whitespace = true;
  /** The line contains only indentation and indicators. */
  #indention = true;

  get isInIndention(): boolean {
    return this.#indention;
  }

  text(): string {
    return this.#text;
  }

  /** Runs `write` with a deeper indentation, unless it is `indentless`, as a sequence below a key. */
  indented(
    options: { readonly flow: boolean; readonly indentless: boolean },
    write: () => void,
  ): void {
    const before = this.indent;
    if (before < 0) this.indent = options.flow ? indentWidth : 0;
    else if (!options.indentless) this.indent += indentWidth;
    write();
    this.indent = before;
  }

  indicator(text: string, rules: { readonly space: boolean; readonly indention: boolean }): void {
    if (rules.space && !this.#whitespace) this.#put(' ');
    this.#put(text);
    this.#whitespace = false;
    this.#indention &&= rules.indention;
  }

  newLine(): void {
    const indent = Math.max(this.indent, 0);
    const mustBreak =
      !this.#indention || this.#column > indent || (this.#column === indent && !this.#whitespace);
    if (mustBreak) this.#lineBreak('\n');
    this.#put(' '.repeat(Math.max(indent - this.#column, 0)));
    this.#whitespace = true;
    this.#indention = true;
  }

  plain(text: string, mayFold: boolean): void {
    if (!this.#whitespace && text !== '') this.#put(' ');
    this.#folding(text, { mayFold, edges: true });
    this.#whitespace = false;
    this.#indention = false;
  }

  singleQuoted(text: string, mayFold: boolean): void {
    this.indicator("'", { space: true, indention: false });
    this.#folding(text.replaceAll("'", "''"), { mayFold, edges: false });
    this.indicator("'", { space: false, indention: false });
    this.#whitespace = false;
    this.#indention = false;
  }

  /** A space at the start of a folded line needs a backslash. */
  doubleQuoted(text: string, mayFold: boolean): void {
    this.indicator('"', { space: true, indention: false });
    const characters = [...text];
    let afterSpace = false;
    for (const [at, character] of characters.entries()) {
      const isInside = at > 0 && at < characters.length - 1;
      if (character !== ' ') {
        this.#put(escaped(character));
        afterSpace = false;
      } else if (mayFold && !afterSpace && this.#column > widthBest && isInside) {
        this.newLine();
        if (characters[at + 1] === ' ') this.#put('\\');
        afterSpace = true;
      } else {
        this.#put(' ');
        afterSpace = true;
      }
    }
    this.indicator('"', { space: false, indention: false });
    this.#whitespace = false;
    this.#indention = false;
  }

  literal(text: string): void {
    this.indicator(`|${blockHints(text)}`, { space: true, indention: false });
    this.#lineBreak('\n');
    this.#whitespace = true;
    this.#indention = true;
    for (const part of text.match(linesAndBreaks) ?? []) {
      if (isBreak(part.charCodeAt(0))) {
        this.#lineBreak(part);
        this.#indention = true;
      } else {
        this.newLine();
        this.#put(part);
        this.#indention = false;
      }
    }
  }

  /** Folds lines at single spaces, and doubles line breaks because a single one decodes to a space. */
  #folding(text: string, { mayFold, edges }: { mayFold: boolean; edges: boolean }): void {
    // A fast path for short text, which cannot be folded.
    if (this.#column + text.length <= widthBest && !lineBreaks.test(text)) {
      this.#put(text);
      return;
    }
    let afterSpace = false;
    let afterBreak = false;
    for (const { 0: part, index } of text.matchAll(wordsAndGaps)) {
      const isInside = edges || (index > 0 && index < text.length - 1);
      if (part === ' ') {
        const isLast = text[index + 1] === ' ';
        if (mayFold && !afterSpace && this.#column > widthBest && isInside && !isLast)
          this.newLine();
        else this.#put(' ');
        afterSpace = true;
      } else if (isBreak(part.charCodeAt(0))) {
        if (!afterBreak && part === '\n') this.#lineBreak('\n');
        this.#lineBreak(part);
        this.#indention = true;
        afterBreak = true;
      } else {
        if (afterBreak) this.newLine();
        this.#put(part);
        this.#indention = false;
        afterSpace = false;
        afterBreak = false;
      }
    }
  }

  #lineBreak(text: string): void {
    this.#text += text;
    this.#column = 0;
  }

  /** Columns count code points, not UTF-16 units. */
  #put(text: string): void {
    this.#text += text;
    this.#column += astral.test(text) ? [...text].length : text.length;
  }
}

const lineBreaks = /[\n\r\u0085\u2028\u2029]/;
const astral = /[\ud800-\udbff]/;
const linesAndBreaks = /[\n\r\u0085\u2028\u2029]|[^\n\r\u0085\u2028\u2029]+/g;
const wordsAndGaps = /[ \n\r\u0085\u2028\u2029]|[^ \n\r\u0085\u2028\u2029]+/g;

/** The indentation indicator for text that starts with white space, and the chomping indicator for its end. */
function blockHints(text: string): string {
  const first = text.charCodeAt(0);
  const indentation = first === 0x20 || isBreak(first) ? String(indentWidth) : '';
  const [beforeLast, last] = [text.charCodeAt(text.length - 2), text.charCodeAt(text.length - 1)];
  if (!isBreak(last)) return `${indentation}-`;
  return text.length === 1 || isBreak(beforeLast) ? `${indentation}+` : indentation;
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\0', '\\0'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\x1b', '\\e'],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\u0085', '\\N'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
]);

function escaped(character: string): string {
  const short = shortEscapes.get(character);
  if (short !== undefined) return short;
  if (isYamlPrintable(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const hexadecimal = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hexadecimal.padStart(2, '0')}`;
  return code <= 0xffff
    ? `\\u${hexadecimal.padStart(4, '0')}`
    : `\\U${hexadecimal.padStart(8, '0')}`;
}

/** libyaml's emitter treats tabs and characters beyond the basic plane as unprintable. */
function isYamlPrintable(character: string): boolean {
  return /^[\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]$/.test(character);
}
