import type { ObjectMediaType } from '../request/negotiation.ts';
import type { ApiResponse } from '../request/pipeline.ts';
import type { Chunks } from './form.ts';

/** A response from bytes that exist already; `sharedAs` is the same object for the same bytes. */
export function bytesResponse(
  code: number,
  contentType: ObjectMediaType,
  chunks: Chunks,
  compressionKey?: object,
): ApiResponse & { kind: 'bytes' } {
  return { kind: 'bytes', code, contentType, chunks, ...(compressionKey && { compressionKey }) };
}
