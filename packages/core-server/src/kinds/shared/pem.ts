/** Parses PEM like Go's `encoding/pem`, because the blocks that it finds decide what a request or a key is. */

export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

export interface DecodedPem {
  readonly block: PemBlock;
  /** The text after the block. */
  readonly rest: string;
}

const BEGIN = '-----BEGIN ';
const END = '\n-----END ';
const DASHES = '-----';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The first block of a text whose characters are bytes. Each end is tried with the last beginning before it, so that
 * many beginnings without an end cost linear time.
 */
export function decodePem(text: string): DecodedPem | undefined {
  for (let from = 0; ; ) {
    const end = text.indexOf(END, from);
    if (end === -1) return undefined;
    const begin = text.slice(from, end).lastIndexOf(BEGIN);
    const isLine = begin === 0 || text[from + begin - 1] === '\n';
    const found = begin === -1 || !isLine ? undefined : blockAt(text, from + begin, end);
    if (found !== undefined) return found;
    from = end + END.length;
  }
}

/** All blocks. */
export function decodePemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  for (let found = decodePem(text); found !== undefined; found = decodePem(found.rest)) {
    blocks.push(found.block);
  }
  return blocks;
}

function blockAt(text: string, begin: number, end: number): DecodedPem | undefined {
  const typeLine = lineAt(text, begin + BEGIN.length);
  if (!typeLine.line.endsWith(DASHES)) return undefined;
  const type = typeLine.line.slice(0, -DASHES.length);
  const start = skipHeaders(text, typeLine.next, end);
  const hasHeaders = start !== typeLine.next;
  // A line is between headers and the end.
  if (hasHeaders && start > end) return undefined;
  const trailer = `${type}${DASHES}`;
  const trailerStart = end + END.length;
  if (!text.startsWith(trailer, trailerStart)) return undefined;
  const last = lineAt(text, trailerStart + trailer.length);
  if (last.line !== '') return undefined;
  const content = text.slice(start, Math.max(start, end)).replace(/[ \t\r\n]/g, '');
  if (!BASE64.test(content)) return undefined;
  const bytes = Buffer.from(content, 'base64');
  return { block: { type, hasHeaders, bytes }, rest: text.slice(last.next) };
}

/** A line without trailing spaces and tabs, and the start of the next one. */
function lineAt(text: string, start: number): { readonly line: string; readonly next: number } {
  const newline = text.indexOf('\n', start);
  const end = newline === -1 ? text.length : newline;
  const line = text.slice(start, end).replace(newline === -1 ? '' : /\r$/, '');
  return { line: line.replace(/[ \t]+$/, ''), next: newline === -1 ? end : newline + 1 };
}

function skipHeaders(text: string, start: number, end: number): number {
  let at = start;
  while (at <= end) {
    const { line, next } = lineAt(text, at);
    if (!line.includes(':')) return at;
    at = next;
  }
  return at;
}
