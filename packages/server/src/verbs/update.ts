import { parseUpdateOptions, StatusError } from '@tributary/apimachinery';
import { objectResponse } from '../representation/object-response.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { StoredResource } from '../representation/served-resource.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import { requireMayCreate } from './may-create.ts';
import { objectName } from './object-path.ts';
import { managerOf, writeContext } from './write-context.ts';

export async function update(request: ApiRequest, served: StoredResource): Promise<ApiResponse> {
  const { info } = request;
  objectName(info, served);
  const output = negotiateOutput(request);
  const body = await request.body();
  const { dryRun, fieldManager, fieldValidation } = parseUpdateOptions(request.query);
  served.decode.requireType(request);
  const { view, ownership } = served;
  const object = await served.decode.forUpdate(body, request, fieldValidation);
  const stored = view.toStorage(object);
  const { uid } = object.metadata;
  const manager = managerOf(request, fieldManager);
  const context = writeContext(request, dryRun, uid ? { uid } : undefined);
  try {
    const written = await served.store.update(
      objectName(info, served),
      (live) => ownership.track(live, stored, manager),
      context,
    );
    return objectResponse(request, served, output, 200, written);
  } catch (error) {
    const isMissing = error instanceof StatusError && error.status.reason === 'NotFound';
    const mayCreate = served.definition.allowCreateOnUpdate && info.subresource === '';
    if (!isMissing || !mayCreate) throw error;
  }
  // The resourceVersion belongs to the deleted object and does not apply to the new one.
  const { resourceVersion: _seen, ...metadata } = stored.metadata;
  const owned = await ownership.track(undefined, { ...stored, metadata }, manager);
  const permit = () => requireMayCreate(request, served);
  const written = await served.store.create(owned, { ...context, permit });
  return objectResponse(request, served, output, 201, written);
}
