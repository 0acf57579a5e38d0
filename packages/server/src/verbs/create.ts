import { parseCreateOptions } from '@tributary/apimachinery';
import { wipeSystemFields } from '../registry/object-metadata.ts';
import { objectResponse } from '../representation/object-response.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { StoredResource } from '../representation/served-resource.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import { Turn } from '../watch-cache/event-loop.ts';
import { managerOf, writeContext } from './write-context.ts';

export async function create(request: ApiRequest, served: StoredResource): Promise<ApiResponse> {
  const output = negotiateOutput(request);
  served.decode.requireType(request);
  const body = await request.body();
  const { dryRun, fieldManager, fieldValidation } = parseCreateOptions(request.query);
  const sent = await served.decode.forCreate(body, request, fieldValidation);
  const turn = new Turn();
  // System fields have no owner.
  const object = { ...sent, metadata: wipeSystemFields(sent.metadata) };
  const manager = managerOf(request, fieldManager);
  const owned = await served.ownership.track(undefined, served.view.toStorage(object), manager);
  if (turn.isOver) await turn.next();
  const written = await served.store.create(owned, writeContext(request, dryRun));
  return objectResponse(request, served, output, 201, written);
}
