import { indentJson } from '../json-indent.ts';
import type { ApiRequest, ApiResponse } from '../pipeline.ts';
import { wantsPretty } from '../pretty.ts';

const NEWLINE = Buffer.from('\n');

/** JSON that exists as bytes already; people who look with a browser get it indented. */
export function bytesResponse(
  request: ApiRequest,
  code: number,
  chunks: readonly Uint8Array[],
): ApiResponse {
  const contentType = 'application/json';
  if (wantsPretty(request)) {
    return { kind: 'bytes', code, contentType, chunks: [indentJson(Buffer.concat(chunks))] };
  }
  return { kind: 'bytes', code, contentType, chunks: [...chunks, NEWLINE] };
}
