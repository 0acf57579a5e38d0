import type { HeaderList } from '../http/exchange.ts';

/** A response that violates HTTP/1.1. */
export class ResponseSyntaxError extends Error {
  override readonly name = 'ResponseSyntaxError';
  readonly code = 'HPE_INVALID';
}

/** Go's prefix of errors about a response that violates HTTP/1.1. */
export const BROKEN_CONNECTION = 'net/http: HTTP/1.x transport connection broken';

/** Quotes enough of a header to find the program that wrote it. */
const HEADER_SHOWN_MAX = 200;

/** Go's message, because people search for it. */
function malformedHeader(line: string): string {
  const quoted = JSON.stringify(line.slice(0, HEADER_SHOWN_MAX)).replace('\x7f', '\\u007f');
  return `malformed MIME header line: ${quoted.replaceAll('\\u00', '\\x')}`;
}

/** Translates an error of Node's parser about a header. */
export function syntaxErrorOf(error: Error): Error {
  const { code, rawPacket, bytesParsed } = error as Error & {
    readonly code?: string;
    readonly rawPacket?: Buffer;
    readonly bytesParsed?: number;
  };
  if (code !== 'HPE_INVALID_HEADER_TOKEN' || rawPacket === undefined) return error;
  const start = rawPacket.lastIndexOf('\n', bytesParsed) + 1;
  const end = rawPacket.indexOf('\r\n', start);
  const line = rawPacket.toString('latin1', start, end < 0 ? start + HEADER_SHOWN_MAX : end);
  return new ResponseSyntaxError(malformedHeader(line));
}

/** llhttp accepts other encodings before `chunked`; their body would be forwarded without the header that names them. */
export function transferEncodingError(headers: HeaderList): ResponseSyntaxError | undefined {
  let count = 0;
  for (const [name, value] of headers) {
    if (name !== 'transfer-encoding') continue;
    count += 1;
    if (count === 1 && value.toLowerCase() === 'chunked') continue;
    return new ResponseSyntaxError(`unsupported transfer encoding: ${JSON.stringify(value)}`);
  }
  return undefined;
}
