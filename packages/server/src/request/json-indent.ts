const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const NEWLINE = 0x0a;

/**
 * Indents compact JSON by two spaces without parsing values, so that no number or text can change. `startDepth` is the
 * depth of a value within another document.
 */
export function indentJson(compact: Uint8Array, startDepth = 0): Uint8Array {
  const out: string[] = [];
  let depth = startDepth;
  let copied = 0;
  const text = Buffer.from(compact.buffer, compact.byteOffset, compact.byteLength).toString(
    'latin1',
  );
  const breakAt = (from: number, to: number, nextDepth: number) => {
    out.push(text.slice(from, to), '\n', '  '.repeat(nextDepth));
    depth = nextDepth;
  };
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      const next = text.charCodeAt(at + 1);
      if (next === CLOSE_BRACE || next === CLOSE_BRACKET) {
        at += 1;
      } else {
        breakAt(copied, at + 1, depth + 1);
        copied = at + 1;
      }
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      breakAt(copied, at, depth - 1);
      copied = at;
    } else if (code === COMMA) {
      breakAt(copied, at + 1, depth);
      copied = at + 1;
    } else if (code === COLON) {
      out.push(text.slice(copied, at + 1), ' ');
      copied = at + 1;
    } else if (code === NEWLINE) {
      // Compact documents have one, at their end; indented ones have none.
      out.push(text.slice(copied, at));
      copied = at + 1;
    }
  }
  out.push(text.slice(copied));
  return Buffer.from(out.join(''), 'latin1');
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at;
}
