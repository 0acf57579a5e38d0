import { YamlError } from './yaml-error.ts';

/** A place in the text. Lines and columns count from zero. */
export interface Mark {
  readonly position: number;
  readonly line: number;
  readonly column: number;
}

/** Reads the text character by character. Behind its end stand zeros, which the text itself cannot hold. */
export class YamlCursor {
  readonly source: string;
  position = 0;
  line = 0;
  #lineStart = 0;

  constructor(source: string) {
    this.source = source;
  }

  get column(): number {
    return this.position - this.#lineStart;
  }

  get mark(): Mark {
    return { position: this.position, line: this.line, column: this.column };
  }

  get atEnd(): boolean {
    return this.position >= this.source.length;
  }

  code(ahead = 0): number {
    const at = this.position + ahead;
    return at < this.source.length ? this.source.charCodeAt(at) : 0;
  }

  /** The character, or nothing at the end. */
  character(ahead = 0): string {
    return this.source[this.position + ahead] ?? '';
  }

  /** Consumes a line break. All of them mean `\n`, but for the two that Unicode has for lines and paragraphs. */
  lineBreak(): string {
    const code = this.code();
    this.position += code === carriageReturn && this.code(1) === lineFeed ? 2 : 1;
    this.line += 1;
    this.#lineStart = this.position;
    return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : '\n';
  }

  /** Consumes what the sticky pattern matches; it must not match line breaks. */
  take(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    const [text = ''] = pattern.exec(this.source) ?? [];
    this.position += text.length;
    return text;
  }

  /** The end of the text counts as the beginning of another line. */
  endLine(): void {
    if (this.column === 0) return;
    this.line += 1;
    this.#lineStart = this.position;
  }

  /** `---` or `...` with nothing right behind it, at the beginning of a line. */
  isDocumentIndicator(): boolean {
    if (this.column !== 0) return false;
    const text = this.source.slice(this.position, this.position + 3);
    return (text === '---' || text === '...') && isBlankOrBreakOrEnd(this.code(3));
  }

  /** A problem of the scanner: Go's library counts its lines from one, and leaves out the first. */
  problem(words: string, context?: Mark): YamlError {
    if (this.line !== 0) return new YamlError(`yaml: line ${this.line + 1}: ${words}`);
    return problemAt(words, context?.line ?? 0);
  }
}

/** A problem of the parser, whose line Go's library prints as it counts, from zero. */
export function problemAt(words: string, line: number): YamlError {
  return new YamlError(line === 0 ? `yaml: ${words}` : `yaml: line ${line}: ${words}`);
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

export function isBreak(code: number): boolean {
  return (
    code === lineFeed ||
    code === carriageReturn ||
    code === 0x85 ||
    code === 0x2028 ||
    code === 0x2029
  );
}

export function isBreakOrEnd(code: number): boolean {
  return code === 0 || isBreak(code);
}

export function isBlankOrBreakOrEnd(code: number): boolean {
  return isBlank(code) || isBreakOrEnd(code);
}
