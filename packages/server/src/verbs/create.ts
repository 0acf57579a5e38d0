import { parseCreateOptions } from '@tributary/apimachinery';
import { requireBodyType } from '../negotiation.ts';
import type { ApiRequest, ApiResponse } from '../pipeline.ts';
import { answerObject } from '../representation/answer-object.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { StoredResource } from '../served-resource.ts';
import { writeContext } from './write-context.ts';

export async function create(request: ApiRequest, served: StoredResource): Promise<ApiResponse> {
  const output = negotiateOutput(request, 'object');
  requireBodyType(request.headers.get('content-type'));
  const body = await request.body();
  const { dryRun, fieldValidation } = parseCreateOptions(request.query);
  const object = served.decode.forCreate(body, request, fieldValidation);
  const written = await served.store.create(
    served.view.toStorage(object),
    writeContext(request, dryRun),
  );
  return answerObject(request, served, output, 201, written);
}
