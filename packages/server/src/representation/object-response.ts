import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import type { Readable } from '../watch-cache/types.ts';
import { bytesResponse } from './bytes-response.ts';
import { documentChunks } from './document.ts';
import type { Chunks } from './form.ts';
import { formOf } from './forms.ts';
import type { Output } from './output.ts';
import { nowMsOf } from './response-settings.ts';
import type { ServedResource } from './served-resource.ts';

/** A response of one object in the representation that the client accepts. */
export function objectResponse(
  request: ApiRequest,
  served: ServedResource,
  output: Output,
  code: number,
  object: Readable,
): ApiResponse {
  const chunks = formOf(served, output, request).object(object, nowMsOf(served));
  const document = documentChunks(chunks, output);
  return bytesResponse(code, output.mediaType, document, sharedBytes(request, output, chunks));
}

/** The bytes of a cached object are read again and may be shared; the result of a write is not. */
function sharedBytes({ method }: ApiRequest, output: Output, chunks: Chunks): object | undefined {
  const isStored = output.mediaType === 'application/json' && !output.pretty;
  return method === 'GET' && isStored && chunks.length === 1 ? chunks[0] : undefined;
}
