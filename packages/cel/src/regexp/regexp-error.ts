/** Why a pattern is none, in the words of Go. */
export class RegexpError extends Error {
  override readonly name = 'RegexpError';

  constructor(code: string, part: string) {
    super(`error parsing regexp: ${code}: \`${part}\``);
  }
}

export const INVALID_RANGE = 'invalid character class range';
export const INVALID_ESCAPE = 'invalid escape sequence';
export const INVALID_NAME = 'invalid named capture';
export const INVALID_GROUP = 'invalid or unsupported Perl syntax';
export const NESTED_REPEAT = 'invalid nested repetition operator';
export const INVALID_COUNT = 'invalid repeat count';
export const MISSING_BRACKET = 'missing closing ]';
export const MISSING_PAREN = 'missing closing )';
export const UNEXPECTED_PAREN = 'unexpected )';
export const MISSING_OPERAND = 'missing argument to repetition operator';
export const TRAILING_BACKSLASH = 'trailing backslash at end of expression';
export const TOO_DEEP = 'expression nests too deeply';
export const TOO_LARGE = 'expression too large';
