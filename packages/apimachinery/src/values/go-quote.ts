/**
 * Go's `%q` of a string. A lone surrogate, which Go strings cannot contain, prints as the replacement character, as
 * after Go's JSON decoder.
 */
export function goQuote(text: string): string {
  if (plainAscii.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text.toWellFormed()) quoted += quoteCharacter(character, '"');
  return `${quoted}"`;
}

/** Go's `%q` of a rune. */
export function goQuoteRune(character: string): string {
  return `'${quoteCharacter(character.toWellFormed(), "'")}'`;
}

/** The quoting of Go's `time` package, which escapes characters beyond ASCII byte by byte. */
export function goTimeQuote(text: string): string {
  let quoted = '';
  for (const byte of Buffer.from(text)) {
    const character = String.fromCharCode(byte);
    if (character === '"' || character === '\\') quoted += `\\${character}`;
    else quoted += byte < 0x20 || byte >= 0x80 ? `\\x${hex(byte, 2)}` : character;
  }
  return `"${quoted}"`;
}

/** Go's `unicode.IsPrint`: letters, marks, numbers, punctuation, symbols and the ASCII space. */
export function isGoPrintable(character: string): boolean {
  return printable.test(character);
}

/** Space to tilde without the double quote and the backslash. */
const plainAscii = /^[ !#-[\]-~]*$/;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const namedEscapes: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
]);

function quoteCharacter(character: string, quote: '"' | "'"): string {
  if (character === quote || character === '\\') return `\\${character}`;
  if (isGoPrintable(character)) return character;
  const named = namedEscapes.get(character);
  if (named !== undefined) return named;
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint < 0x20 || codePoint === 0x7f) return `\\x${hex(codePoint, 2)}`;
  return codePoint < 0x10000 ? `\\u${hex(codePoint, 4)}` : `\\U${hex(codePoint, 8)}`;
}

function hex(codePoint: number, width: number): string {
  return codePoint.toString(16).padStart(width, '0');
}
