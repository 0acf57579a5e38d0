import { parseCreateOptions } from '@tributary/apimachinery';
import { requireBodyType } from '../negotiation.ts';
import type { ApiRequest, ApiResponse } from '../pipeline.ts';
import { answerObject } from '../representation/answer-object.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { ServedResource } from '../served-resource.ts';

export async function create(request: ApiRequest, served: ServedResource): Promise<ApiResponse> {
  const output = negotiateOutput(request, 'object');
  requireBodyType(request.headers.get('content-type'));
  const body = await request.body();
  const { dryRun, fieldValidation } = parseCreateOptions(request.query);
  const object = served.decode.forCreate(body, request, fieldValidation);
  const written = await served.store.create(object, {
    dryRun,
    signal: request.cancellation.signal,
  });
  return answerObject(request, served, output, 201, written);
}
