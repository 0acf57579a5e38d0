type DecodedBase64 =
  /** Without line ends, and with unused bits zero. */
  | { readonly ok: true; readonly canonical: string }
  | { readonly ok: false; readonly message: string };

/**
 * Decodes what Go's standard base64 encoding decodes: padding is required, line ends are skipped, other characters are
 * errors.
 */
export function decodeBase64(text: string): DecodedBase64 {
  const whole = lineEnd.test(text) ? text.replaceAll(lineEnds, '') : text;
  if (whole.length % 4 === 0 && wellFormed.test(whole)) {
    return { ok: true, canonical: withoutUnusedBits(whole) };
  }
  return { ok: false, message: `illegal base64 data at input byte ${firstCorruption(text)}` };
}

const lineEnd = /[\r\n]/;
const lineEnds = /[\r\n]+/g;
const wellFormed = /^[A-Za-z0-9+/]*={0,2}$/;

/** Only the last four characters can have unused bits. */
function withoutUnusedBits(text: string): string {
  if (!text.endsWith('=')) return text;
  const last = Buffer.from(text.slice(-4), 'base64').toString('base64');
  return text.slice(0, -4) + last;
}

/** The byte at which Go stops, counted in UTF-8 as Go does. */
function firstCorruption(text: string): number {
  const bytes = Buffer.from(text, 'utf8');
  const skipLineEnds = (from: number): number => {
    let at = from;
    while (bytes[at] === 0x0a || bytes[at] === 0x0d) at += 1;
    return at;
  };
  let inQuantum = 0;
  for (let at = skipLineEnds(0); at < bytes.length; at = skipLineEnds(at)) {
    const byte = bytes[at] ?? 0;
    at += 1;
    if (isDigit(byte)) {
      inQuantum = (inQuantum + 1) % 4;
      continue;
    }
    if (byte !== PADDING || inQuantum < 2) return at - 1;
    if (inQuantum === 3) return skipLineEnds(at);
    at = skipLineEnds(at);
    if (at === bytes.length) return bytes.length;
    return bytes[at] === PADDING ? skipLineEnds(at + 1) : at - 1;
  }
  return bytes.length - inQuantum;
}

const PADDING = 0x3d;

function isDigit(byte: number): boolean {
  const letter = byte | 0x20;
  if (letter >= 0x61 && letter <= 0x7a) return byte >= 0x41;
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2f;
}
