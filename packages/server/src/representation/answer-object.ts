import type { ApiRequest, ApiResponse } from '../pipeline.ts';
import type { ServedResource } from '../served-resource.ts';
import type { Readable } from '../watch-cache/types.ts';
import { bytesResponse } from './bytes-response.ts';
import type { Output } from './output.ts';

/** One object, in the form the client wants. */
export function answerObject(
  request: ApiRequest,
  { view }: ServedResource,
  _output: Output,
  code: number,
  object: Readable,
): ApiResponse {
  return bytesResponse(request, code, [view.bytesOf(object)]);
}
