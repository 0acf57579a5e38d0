import { type DeleteOptions, forbidden, successStatus } from '@tributary/apimachinery';
import type { Deleted } from '../registry/resource-store.ts';
import { answerObject } from '../representation/answer-object.ts';
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
  const { wish, options } = deletionOf(sent, request);
  if (sent.ignoreStoreReadErrorWithClusterBreakingPotential) {
    request.context?.audit?.annotate(UNSAFE_DELETE_ANNOTATION, '');
    await requireMayDeleteUnreadable(request, served);
    await served.store.deleteUnreadable(name, options);
    const { group, resource } = served.resource;
    const details = { name: name.name, group, kind: resource };
    return { kind: 'object', code: 200, object: successStatus(details) };
  }
  warnOfOrphans(wish, request, served);
  const deleted = await served.store.delete(name, wish, options);
  return answer(request, served, output, sent, deleted);
}

const UNSAFE_DELETE = 'unsafe-delete-ignore-read-errors';
const UNSAFE_DELETE_ANNOTATION = 'apiserver.k8s.io/unsafe-delete-ignore-read-error';

/** As upstream, it is a permission of its own: what is deleted so is not asked for its finalizers. */
async function requireMayDeleteUnreadable(
  { user, cancellation, info }: ApiRequest,
  { authorize, resource }: StoredResource,
): Promise<void> {
  const decision = await authorize({ user, cancellation, info: { ...info, verb: UNSAFE_DELETE } });
  if (decision.allowed) return;
  const why = `not permitted to do "${UNSAFE_DELETE}", reason: ${decision.reason ?? ''}`;
  throw forbidden(resource, info.name, why);
}

function answer(
  request: ApiRequest,
  served: StoredResource,
  output: Output,
  options: DeleteOptions,
  deleted: Deleted,
): ApiResponse {
  if (deleted.kind === 'marked') {
    // Upstream says 202 only to clients that spell the policy the old way.
    const code = options.orphanDependents === false ? 202 : 200;
    return answerObject(request, served, output, code, deleted.written);
  }
  if (served.definition.returnsDeletedObject) {
    return answerObject(request, served, output, 200, deleted.written);
  }
  const { name = '', uid = '' } = deleted.written.object().metadata;
  const details = { name, group: served.resource.group, kind: served.resource.resource, uid };
  return { kind: 'object', code: 200, object: successStatus(details) };
}
