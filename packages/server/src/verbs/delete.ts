import {
  type DeleteOptions,
  decodeDeleteOptions,
  parseDeleteOptions,
  parseJson,
  successStatus,
} from '@tributary/apimachinery';
import { negotiate } from '../negotiation.ts';
import type { ApiRequest, ApiResponse } from '../pipeline.ts';
import type { Deleted } from '../registry/resource-store.ts';
import type { ServedResource } from '../served-resource.ts';
import { bytesResponse } from './bytes-response.ts';
import { objectPath } from './object-path.ts';

export async function deleteOne(request: ApiRequest, served: ServedResource): Promise<ApiResponse> {
  const { info, signal } = request;
  objectPath(info, served);
  negotiate(request.headers.all('accept'));
  const body = await request.body();
  const options =
    body.length > 0 ? decodeDeleteOptions(parseJson(body)) : parseDeleteOptions(request.query);
  const { preconditions, propagationPolicy, orphanDependents } = options;
  const deleted = await served.store.delete(
    { namespace: served.namespaced ? info.namespace : '', name: info.name },
    {
      ...(propagationPolicy !== undefined && { propagationPolicy }),
      ...(orphanDependents !== undefined && { orphanDependents }),
    },
    { dryRun: options.dryRun, signal, ...(preconditions && { preconditions }) },
  );
  return answer(request, served, options, deleted);
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
