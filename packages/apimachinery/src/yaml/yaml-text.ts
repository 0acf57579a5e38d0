import { YamlError } from './yaml-error.ts';

/** Decodes UTF-8, or UTF-16 with a byte order mark; throws for characters that YAML forbids. */
export function yamlText(bytes: Uint8Array): string {
  const text = decode(bytes);
  if (forbidden.test(text)) throw new YamlError('yaml: control characters are not allowed');
  return text;
}

/** All characters except tabs, line breaks and printable ones. */
const forbidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;
/** The smallest code point by the number of its bytes. */
const smallest = [0, 0, 0x80, 0x800, 0x10000];

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new YamlError(`yaml: ${malformed(bytes)}`, { cause: error });
  }
}

/** The problem with the first invalid bytes. */
function malformed(bytes: Uint8Array): string {
  for (let index = 0; index < bytes.length; ) {
    const byte = bytes[index] ?? 0;
    const width =
      byte < 0x80 ? 1 : byte >> 5 === 6 ? 2 : byte >> 4 === 14 ? 3 : byte >> 3 === 30 ? 4 : 0;
    if (width === 0) return 'invalid leading UTF-8 octet';
    if (index + width > bytes.length) return 'incomplete UTF-8 octet sequence';
    const rest = bytes.subarray(index + 1, index + width);
    if (rest.some((octet) => octet >> 6 !== 2)) return 'invalid trailing UTF-8 octet';
    const code = rest.reduce((value, octet) => value * 64 + (octet & 63), byte & (0xff >> width));
    if (code < (smallest[width] ?? 0)) {
      return 'invalid length of a UTF-8 sequence';
    }
    if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return 'invalid Unicode character';
    index += width;
  }
  return 'invalid leading UTF-8 octet';
}
