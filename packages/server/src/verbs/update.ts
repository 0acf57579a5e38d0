import { parseUpdateOptions } from '@tributary/apimachinery';
import { requireBodyType } from '../negotiation.ts';
import type { ApiRequest, ApiResponse } from '../pipeline.ts';
import { answerObject } from '../representation/answer-object.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { StoredResource } from '../served-resource.ts';
import { objectName } from './object-path.ts';
import { writeContext } from './write-context.ts';

export async function update(request: ApiRequest, served: StoredResource): Promise<ApiResponse> {
  const { info } = request;
  objectName(info, served);
  const output = negotiateOutput(request, 'object');
  const body = await request.body();
  const { dryRun, fieldValidation } = parseUpdateOptions(request.query);
  requireBodyType(request.headers.get('content-type'));
  const object = served.decode.forUpdate(body, request, fieldValidation);
  const stored = served.view.toStorage(object);
  const { uid } = object.metadata;
  const written = await served.store.update(objectName(info, served), () => stored, {
    ...writeContext(request, dryRun),
    ...(uid ? { preconditions: { uid } } : {}),
  });
  return answerObject(request, served, output, 200, written);
}
