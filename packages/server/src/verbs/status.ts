import { type KubeObject, parseUpdateOptions } from '@tributary/apimachinery';
import { statusOnto } from '../registry/body-decoder.ts';
import type { FieldOwnership } from '../registry/field-ownership.ts';
import type { ResourceStore } from '../registry/resource-store.ts';
import { objectResponse } from '../representation/object-response.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { StoredResource } from '../representation/served-resource.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import { applyTo } from './apply.ts';
import { objectName } from './object-path.ts';
import { patchWith } from './patch.ts';
import { isApply } from './patch-documents.ts';
import { managerOf, writeContext } from './write-context.ts';

/** The functions that write the status. */
export interface StatusPart {
  readonly store: ResourceStore;
  readonly ownership: FieldOwnership;
}

/** PUT of the status: the rest of the object is ignored. */
export async function updateStatus(
  request: ApiRequest,
  served: StoredResource,
  { store, ownership }: StatusPart,
): Promise<ApiResponse> {
  const { view, decode } = served;
  const name = objectName(request.info, served);
  const output = negotiateOutput(request);
  const body = await request.body();
  const { dryRun, fieldManager, fieldValidation } = parseUpdateOptions(request.query);
  decode.requireType(request);
  const manager = managerOf(request, fieldManager);
  const onto = await decode.forStatus(body, request, fieldValidation);
  const written = await store.update(
    name,
    (live) => ownership.track(live, view.toStorage(onto(view.fromStorage(live))), manager),
    writeContext(request, dryRun),
  );
  return objectResponse(request, served, output, 200, written);
}

export function patchStatus(
  request: ApiRequest,
  served: StoredResource,
  { store, ownership }: StatusPart,
): Promise<ApiResponse> {
  const { view, decode } = served;
  if (isApply(request)) {
    const part = (applied: KubeObject, live: KubeObject) => statusOnto(live, applied);
    return applyTo(request, served, { store, ownership, part });
  }
  return patchWith(request, served, {
    store,
    ownership,
    change: (live, patched, strictness) => {
      const before = view.fromStorage(live);
      // A document that is no object gets the usual error.
      const after = patched(before) as typeof before;
      const document = isObject(after) ? statusOnto(before, after) : after;
      return view.toStorage(decode.forPatch(document, request, strictness));
    },
  });
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
