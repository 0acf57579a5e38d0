import { type FieldError, fieldError } from '../errors/field-error.ts';
import type { FieldPath } from '../errors/field-path.ts';
import { isGoPrintable } from '../values/go-quote.ts';

/** The maximum length of a field manager's name. */
export const fieldManagerBytesMax = 128;

/** Validates length and printable characters. Positions count bytes of UTF-8. */
export function validateFieldManager(manager: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > fieldManagerBytesMax) {
    errors.push(fieldError.tooLong(path, fieldManagerBytesMax));
  }
  let position = 0;
  for (const character of manager) {
    if (!isGoPrintable(character)) {
      const detail = `invalid character ${unicodeName(character)} (at position ${position})`;
      errors.push(fieldError.invalid(path, manager, detail));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}

/** The default field manager of a request: the program name of the User-Agent, or `unknown`. */
export function fieldManagerFromUserAgent(userAgent: string): string {
  const [program = ''] = userAgent.split('/', 1);
  let manager = '';
  let bytes = 0;
  for (const character of program) {
    if (!isGoPrintable(character)) continue;
    bytes += Buffer.byteLength(character);
    if (bytes > fieldManagerBytesMax) break;
    manager += character;
  }
  return manager === '' ? 'unknown' : manager;
}

/** Go's `%#U`: `U+0000`, followed by the character if it is printable. */
function unicodeName(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return isGoPrintable(character) ? `U+${code} '${character}'` : `U+${code}`;
}
