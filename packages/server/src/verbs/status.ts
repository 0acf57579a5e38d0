import { parseUpdateOptions } from '@tributary/apimachinery';
import { requireBodyType } from '../negotiation.ts';
import type { ApiRequest, ApiResponse } from '../pipeline.ts';
import { statusOnto } from '../registry/body-decoder.ts';
import type { ResourceStore } from '../registry/resource-store.ts';
import { answerObject } from '../representation/answer-object.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { StoredResource } from '../served-resource.ts';
import { objectName } from './object-path.ts';
import { patchWith } from './patch.ts';
import { writeContext } from './write-context.ts';

/** PUT of the status: the rest of what is sent is not looked at. */
export async function updateStatus(
  request: ApiRequest,
  served: StoredResource,
  store: ResourceStore,
): Promise<ApiResponse> {
  const { view, decode } = served;
  const name = objectName(request.info, served);
  const output = negotiateOutput(request, 'object');
  const body = await request.body();
  const { dryRun, fieldValidation } = parseUpdateOptions(request.query);
  requireBodyType(request.headers.get('content-type'));
  const onto = decode.forStatus(body, request, fieldValidation);
  const written = await store.update(
    name,
    (live) => view.toStorage(onto(view.fromStorage(live))),
    writeContext(request, dryRun),
  );
  return answerObject(request, served, output, 200, written);
}

export function patchStatus(
  request: ApiRequest,
  served: StoredResource,
  store: ResourceStore,
): Promise<ApiResponse> {
  const { view, decode } = served;
  return patchWith(request, served, {
    store,
    change: (live, apply, strictness) => {
      const before = view.fromStorage(live);
      // A document that is no object is refused like any other.
      const patched = apply(before) as typeof before;
      const document = isObject(patched) ? statusOnto(before, patched) : patched;
      return view.toStorage(decode.forPatch(document, request, strictness));
    },
  });
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
