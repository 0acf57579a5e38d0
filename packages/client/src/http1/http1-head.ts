/** The head of an answer in HTTP/1.1, and how its body ends. RFC 9112. */
import type { HeaderList } from '../http/exchange.ts';
import { isHeaderName, isHeaderValue } from '../http/header-rules.ts';

export type BodyEnd = { readonly bytes: number } | 'chunked' | 'close';

export interface AnswerHead {
  readonly status: number;
  /** Lower-case names, one line each. */
  readonly headers: HeaderList;
  readonly body: BodyEnd;
  /** Whether another request may follow on the connection. */
  readonly keeps: boolean;
}

/** What came is no answer of HTTP/1.1. */
export class ResponseSyntaxError extends Error {
  override readonly name = 'ResponseSyntaxError';
  readonly code = 'HPE_INVALID';
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/;
const LINE_BREAK = /[\0\r\n]/;
/** Not `trim`, which takes letters of Latin-1 for spaces. */
const AROUND = /^[ \t]+|[ \t]+$/g;
const LENGTH = /^\d{1,15}$/;

/** Takes everything before the empty line, as Latin-1. */
export function parseHead(text: string, method: string): AnswerHead {
  const [first = '', ...rest] = text.split('\r\n');
  const [, minor, status] = STATUS_LINE.exec(first) ?? [];
  if (status === undefined || LINE_BREAK.test(first)) {
    throw new ResponseSyntaxError('the answer does not begin with a status');
  }
  const headers = parseLines(rest);
  let keeps = minor === '1';
  let length: number | undefined;
  let isChunked = false;
  for (const [name, value] of headers) {
    if (name === 'content-length') {
      if (!LENGTH.test(value) || (length !== undefined && length !== Number(value))) {
        throw new ResponseSyntaxError('the answer has a Content-Length that makes no sense');
      }
      length = Number(value);
    } else if (name === 'transfer-encoding') {
      if (isChunked || value.toLowerCase() !== 'chunked') {
        throw new ResponseSyntaxError('the answer has a Transfer-Encoding other than chunked');
      }
      isChunked = true;
    } else if (name === 'connection' && /(^|[\s,])close($|[\s,])/i.test(value)) keeps = false;
  }
  if (isChunked && length !== undefined) {
    throw new ResponseSyntaxError('the answer has both a Content-Length and a Transfer-Encoding');
  }
  const code = Number(status);
  const body = bodyEnd({ code, method, length, isChunked });
  return { status: code, headers, body, keeps: keeps && body !== 'close' };
}

/** Lines of a head, or of what follows a body. */
export function parseLines(lines: readonly string[]): [string, string][] {
  return lines.map((line) => {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(AROUND, '');
    if (colon < 1 || !isHeaderName(name) || !isHeaderValue(value)) {
      throw new ResponseSyntaxError(malformedLine(line));
    }
    return [name.toLowerCase(), value];
  });
}

/** Go's words for a response that cannot be read. */
export const BROKEN_CONNECTION = 'net/http: HTTP/1.x transport connection broken';

/** Enough of a line to find what wrote it. */
const LINE_SHOWN_MAX = 200;

/** Go's words, which people search for. */
export function malformedLine(line: string): string {
  const quoted = JSON.stringify(line.slice(0, LINE_SHOWN_MAX)).replace('\x7f', '\\u007f');
  return `malformed MIME header line: ${quoted.replaceAll('\\u00', '\\x')}`;
}

/** What Node's own parser did not take, in the same words. */
export function syntaxErrorOf(error: Error): Error {
  const { code, rawPacket, bytesParsed } = error as Error & {
    readonly code?: string;
    readonly rawPacket?: Buffer;
    readonly bytesParsed?: number;
  };
  if (code !== 'HPE_INVALID_HEADER_TOKEN' || rawPacket === undefined) return error;
  const start = rawPacket.lastIndexOf('\n', bytesParsed) + 1;
  const end = rawPacket.indexOf('\r\n', start);
  const line = rawPacket.toString('latin1', start, end < 0 ? start + LINE_SHOWN_MAX : end);
  return new ResponseSyntaxError(malformedLine(line));
}

function bodyEnd({
  code,
  method,
  length,
  isChunked,
}: {
  code: number;
  method: string;
  length: number | undefined;
  isChunked: boolean;
}): BodyEnd {
  if (method === 'HEAD' || code < 200 || code === 204 || code === 304) return { bytes: 0 };
  if (isChunked) return 'chunked';
  return length === undefined ? 'close' : { bytes: length };
}
