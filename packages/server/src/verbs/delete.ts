import { type DeleteOptions, successStatus } from '@tributary/apimachinery';
import { negotiate } from '../negotiation.ts';
import type { ApiRequest, ApiResponse } from '../pipeline.ts';
import type { Deleted } from '../registry/resource-store.ts';
import type { ServedResource } from '../served-resource.ts';
import { bytesResponse } from './bytes-response.ts';
import { deletionOf, readDeleteOptions } from './delete-options.ts';
import { objectPath } from './object-path.ts';

export async function deleteOne(request: ApiRequest, served: ServedResource): Promise<ApiResponse> {
  const { info } = request;
  objectPath(info, served);
  negotiate(request.headers.all('accept'));
  const sent = await readDeleteOptions(request, served);
  const { wish, options } = deletionOf(sent, request);
  const name = { namespace: served.namespaced ? info.namespace : '', name: info.name };
  const deleted = await served.store.delete(name, wish, options);
  return answer(request, served, sent, deleted);
}

function answer(
  request: ApiRequest,
  { resource }: ServedResource,
  options: DeleteOptions,
  deleted: Deleted,
): ApiResponse {
  if (deleted.kind === 'marked') {
    // Upstream says 202 only to clients that spell the policy the old way.
    const code = options.orphanDependents === false ? 202 : 200;
    return bytesResponse(request, code, [deleted.written.bytes]);
  }
  const { name = '', uid = '' } = deleted.object.metadata;
  const details = { name, group: resource.group, kind: resource.resource, uid };
  return { kind: 'object', code: 200, object: successStatus(details) };
}
