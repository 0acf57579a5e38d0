import { type DeleteOptions, forbidden, successStatus } from '@tributary/apimachinery';
import type { Deleted } from '../registry/resource-store.ts';
import { objectResponse } from '../representation/object-response.ts';
import { negotiateOutput, type Output } from '../representation/output.ts';
import type { StoredResource } from '../representation/served-resource.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import { deletionOf, readDeleteOptions, warnOfOrphans } from './delete-options.ts';
import { objectName } from './object-path.ts';

export async function deleteOne(request: ApiRequest, served: StoredResource): Promise<ApiResponse> {
  const { info } = request;
  const name = objectName(info, served);
  const output = negotiateOutput(request);
  const sent = await readDeleteOptions(request, served);
  const { requested, options } = deletionOf(sent, request);
  if (sent.ignoreStoreReadErrorWithClusterBreakingPotential) {
    request.context?.audit?.annotate(UNSAFE_DELETE_ANNOTATION, '');
    await requireMayDeleteUnreadable(request, served);
    await served.store.deleteUnreadable(name, options);
    const { group, resource } = served.resource;
    const details = { name: name.name, group, kind: resource };
    return { kind: 'object', code: 200, object: successStatus(details) };
  }
  warnOfOrphans(requested, request, served);
  const deleted = await served.store.delete(name, requested, options);
  return respond(request, served, output, sent, deleted);
}

const UNSAFE_DELETE = 'unsafe-delete-ignore-read-errors';
const UNSAFE_DELETE_ANNOTATION = 'apiserver.k8s.io/unsafe-delete-ignore-read-error';

/** A permission of its own, as in upstream: an undecodable object is deleted without regard to finalizers. */
async function requireMayDeleteUnreadable(
  { user, cancellation, info }: ApiRequest,
  { authorize, resource }: StoredResource,
): Promise<void> {
  const decision = await authorize({ user, cancellation, info: { ...info, verb: UNSAFE_DELETE } });
  if (decision.allowed) return;
  const why = `not permitted to do "${UNSAFE_DELETE}", reason: ${decision.reason ?? ''}`;
  throw forbidden(resource, info.name, why);
}

function respond(
  request: ApiRequest,
  served: StoredResource,
  output: Output,
  options: DeleteOptions,
  deleted: Deleted,
): ApiResponse {
  if (deleted.kind === 'marked') {
    // Upstream returns 202 only to clients that use the deprecated orphanDependents.
    const code = options.orphanDependents === false ? 202 : 200;
    return objectResponse(request, served, output, code, deleted.written);
  }
  if (served.definition.returnsDeletedObject) {
    return objectResponse(request, served, output, 200, deleted.written);
  }
  const { name = '', uid = '' } = deleted.written.object().metadata;
  const details = { name, group: served.resource.group, kind: served.resource.resource, uid };
  return { kind: 'object', code: 200, object: successStatus(details) };
}
