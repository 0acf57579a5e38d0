import { parseUpdateOptions } from '@tributary/apimachinery';
import { negotiate, requireBodyType } from '../negotiation.ts';
import type { ApiRequest, ApiResponse } from '../pipeline.ts';
import type { ServedResource } from '../served-resource.ts';
import { bytesResponse } from './bytes-response.ts';
import { objectPath } from './object-path.ts';

export async function update(request: ApiRequest, served: ServedResource): Promise<ApiResponse> {
  const { info } = request;
  objectPath(info, served);
  negotiate(request.headers.all('accept'));
  const body = await request.body();
  const { dryRun, fieldValidation } = parseUpdateOptions(request.query);
  requireBodyType(request.headers.get('content-type'));
  const object = served.decode.forUpdate(body, request, fieldValidation);
  const uid = object.metadata.uid;
  const { bytes } = await served.store.update(
    { namespace: served.namespaced ? info.namespace : '', name: info.name },
    () => object,
    { dryRun, signal: request.cancellation.signal, ...(uid ? { preconditions: { uid } } : {}) },
  );
  return bytesResponse(request, 200, [bytes]);
}
