import { parseUpdateOptions } from '@tributary/apimachinery';
import { requireBodyType } from '../negotiation.ts';
import type { ApiRequest, ApiResponse } from '../pipeline.ts';
import { answerObject } from '../representation/answer-object.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { ServedResource } from '../served-resource.ts';
import { objectPath } from './object-path.ts';

export async function update(request: ApiRequest, served: ServedResource): Promise<ApiResponse> {
  const { info } = request;
  objectPath(info, served);
  const output = negotiateOutput(request, 'object');
  const body = await request.body();
  const { dryRun, fieldValidation } = parseUpdateOptions(request.query);
  requireBodyType(request.headers.get('content-type'));
  const object = served.decode.forUpdate(body, request, fieldValidation);
  const uid = object.metadata.uid;
  const written = await served.store.update(
    { namespace: served.namespaced ? info.namespace : '', name: info.name },
    () => object,
    { dryRun, signal: request.cancellation.signal, ...(uid ? { preconditions: { uid } } : {}) },
  );
  return answerObject(request, served, output, 200, written);
}
