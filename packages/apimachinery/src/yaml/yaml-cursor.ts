import { YamlError } from './yaml-error.ts';

/** A position in the text. Lines and columns count from zero. */
export interface Mark {
  readonly position: number;
  readonly line: number;
  readonly column: number;
}

/** Reads the text by character. After the end the code is 0, which the text cannot contain. */
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
    const index = this.position + ahead;
    return index < this.source.length ? this.source.charCodeAt(index) : 0;
  }

  /** The character; empty after the end. */
  character(ahead = 0): string {
    return this.source[this.position + ahead] ?? '';
  }

  /** Consumes a line break and normalizes it to `\n`, except for Unicode's line and paragraph separators. */
  lineBreak(): string {
    const code = this.code();
    this.position += code === carriageReturn && this.code(1) === lineFeed ? 2 : 1;
    this.line += 1;
    this.#lineStart = this.position;
    return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : '\n';
  }

  /** Consumes the match of a sticky pattern, which must not match line breaks. */
  take(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    const [text = ''] = pattern.exec(this.source) ?? [];
    this.position += text.length;
    return text;
  }

  /** Starts a new line at the end of the text. */
  endLine(): void {
    if (this.column === 0) return;
    this.line += 1;
    this.#lineStart = this.position;
  }

  /** `---` or `...` at the start of a line, followed by white space or the end. */
  isDocumentIndicator(): boolean {
    if (this.column !== 0) return false;
    const text = this.source.slice(this.position, this.position + 3);
    return (text === '---' || text === '...') && isBlankOrBreakOrEnd(this.code(3));
  }

  /** An error of the scanner; Go's library counts these lines from one and omits the first. */
  problem(problem: string, context?: Mark): YamlError {
    if (this.line !== 0) return new YamlError(`yaml: line ${this.line + 1}: ${problem}`);
    return problemAt(problem, context?.line ?? 0);
  }
}

/** An error of the parser; Go's library counts these lines from zero. */
export function problemAt(problem: string, line: number): YamlError {
  return new YamlError(line === 0 ? `yaml: ${problem}` : `yaml: line ${line}: ${problem}`);
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
