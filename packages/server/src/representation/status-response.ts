import { stringifyJson } from '@tributary/apimachinery';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import { bytesResponse } from './bytes-response.ts';
import { documentChunks } from './document.ts';
import { failureOutput, successOutput } from './output.ts';

/** Small documents made for one response, mostly a Status. Stored objects never take this path. */
export function statusResponse(
  request: ApiRequest,
  { code, object, headers }: ApiResponse & { kind: 'object' },
): ApiResponse & { kind: 'bytes' } {
  const output = code >= 400 ? failureOutput(request) : successOutput(request);
  const chunks = documentChunks([Buffer.from(stringifyJson(object))], output);
  return { ...bytesResponse(code, output.mediaType, chunks), ...(headers && { headers }) };
}
