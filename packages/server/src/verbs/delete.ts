import {
  badRequest,
  type DeleteOptions,
  decodeDeleteOptions,
  decodeJson,
  JsonError,
  parseDeleteOptions,
  parseGroupVersion,
  readTypeMeta,
  successStatus,
  typeMetaFailure,
} from '@tributary/apimachinery';
import { negotiate, requireBodyType } from '../negotiation.ts';
import type { ApiRequest, ApiResponse } from '../pipeline.ts';
import { kindNotRegistered } from '../registry/kind-not-registered.ts';
import type { Deleted } from '../registry/resource-store.ts';
import type { ServedResource } from '../served-resource.ts';
import { bytesResponse } from './bytes-response.ts';
import { objectPath } from './object-path.ts';

export async function deleteOne(request: ApiRequest, served: ServedResource): Promise<ApiResponse> {
  const { info } = request;
  objectPath(info, served);
  negotiate(request.headers.all('accept'));
  const options = await readOptions(request, served);
  const { preconditions, propagationPolicy, orphanDependents } = options;
  const deleted = await served.store.delete(
    { namespace: served.namespaced ? info.namespace : '', name: info.name },
    {
      ...(propagationPolicy !== undefined && { propagationPolicy }),
      ...(orphanDependents !== undefined && { orphanDependents }),
    },
    {
      dryRun: options.dryRun,
      signal: request.cancellation.signal,
      ...(preconditions && { preconditions }),
    },
  );
  return answer(request, served, options, deleted);
}

/** The body wins; the query counts only without one. */
async function readOptions(
  request: ApiRequest,
  { kind: { group } }: ServedResource,
): Promise<DeleteOptions> {
  const body = await request.body();
  if (body.length === 0) return parseDeleteOptions(request.query);
  requireBodyType(request.headers.get('content-type'));
  const document = parseOptions(body);
  const type = readTypeMeta(document);
  if (!type.ok) throw badRequest(type.message);
  if (type.kind !== '' && type.kind !== 'DeleteOptions') {
    const sent = parseGroupVersion(type.apiVersion) ?? { group: '', version: type.apiVersion };
    throw badRequest(kindNotRegistered({ ...sent, kind: type.kind }, group));
  }
  return decodeDeleteOptions(document);
}

function parseOptions(body: Uint8Array): unknown {
  try {
    return decodeJson(body).value;
  } catch (error) {
    throw error instanceof JsonError ? badRequest(typeMetaFailure(error)) : error;
  }
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
