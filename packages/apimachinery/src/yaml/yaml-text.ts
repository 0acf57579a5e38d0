import { YamlError } from './yaml-error.ts';

/** The text of UTF-8, or of UTF-16 with a byte order mark, without the characters that YAML forbids. */
export function yamlText(bytes: Uint8Array): string {
  const text = decode(bytes);
  if (forbidden.test(text)) throw new YamlError('yaml: control characters are not allowed');
  return text;
}

/** Everything but tabs, line breaks and what prints. */
const forbidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;
/** The smallest character that needs so many bytes. */
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

/** What is wrong with the first bytes that are no UTF-8. */
function malformed(bytes: Uint8Array): string {
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    const width =
      byte < 0x80 ? 1 : byte >> 5 === 6 ? 2 : byte >> 4 === 14 ? 3 : byte >> 3 === 30 ? 4 : 0;
    if (width === 0) return 'invalid leading UTF-8 octet';
    if (at + width > bytes.length) return 'incomplete UTF-8 octet sequence';
    const rest = bytes.subarray(at + 1, at + width);
    if (rest.some((octet) => octet >> 6 !== 2)) return 'invalid trailing UTF-8 octet';
    const code = rest.reduce((value, octet) => value * 64 + (octet & 63), byte & (0xff >> width));
    if (code < (smallest[width] ?? 0)) {
      return 'invalid length of a UTF-8 sequence';
    }
    if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return 'invalid Unicode character';
    at += width;
  }
  return 'invalid leading UTF-8 octet';
}
