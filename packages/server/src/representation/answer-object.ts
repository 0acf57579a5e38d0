import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import type { Readable } from '../watch-cache/types.ts';
import { nowMsOf } from './answer-settings.ts';
import { bytesResponse } from './bytes-response.ts';
import { documentChunks } from './document.ts';
import type { Chunks } from './form.ts';
import { formOf } from './forms.ts';
import type { Output } from './output.ts';
import type { ServedResource } from './served-resource.ts';

/** One object, in the form the client wants. */
export function answerObject(
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

/** What a cached object is read as will be read again; what a write has made will not. */
function sharedBytes({ method }: ApiRequest, output: Output, chunks: Chunks): object | undefined {
  const isStored = output.mediaType === 'application/json' && !output.pretty;
  return method === 'GET' && isStored && chunks.length === 1 ? chunks[0] : undefined;
}
