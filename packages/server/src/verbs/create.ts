import { parseCreateOptions } from '@tributary/apimachinery';
import { negotiate, requireBodyType } from '../negotiation.ts';
import type { ApiRequest, ApiResponse } from '../pipeline.ts';
import type { ServedResource } from '../served-resource.ts';
import { bytesResponse } from './bytes-response.ts';

export async function create(request: ApiRequest, served: ServedResource): Promise<ApiResponse> {
  negotiate(request.headers.all('accept'));
  requireBodyType(request.headers.get('content-type'));
  const body = await request.body();
  const { dryRun, fieldValidation } = parseCreateOptions(request.query);
  const object = served.decode.forCreate(body, request, fieldValidation);
  const { bytes } = await served.store.create(object, {
    dryRun,
    signal: request.cancellation.signal,
  });
  return bytesResponse(request, 201, [bytes]);
}
