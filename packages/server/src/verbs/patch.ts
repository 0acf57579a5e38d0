import { setImmediate as immediate } from 'node:timers/promises';
import { type FieldValidation, type KubeObject, parsePatchOptions } from '@tributary/apimachinery';
import type { FieldOwnership } from '../registry/field-ownership.ts';
import { isLargeBody } from '../registry/large-body.ts';
import type { ResourceStore } from '../registry/resource-store.ts';
import { objectResponse } from '../representation/object-response.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { StoredResource } from '../representation/served-resource.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import type { ObjectSchema } from '../schema/object-schema.ts';
import { Turn } from '../watch-cache/event-loop.ts';
import { apply } from './apply.ts';
import { objectName } from './object-path.ts';
import { isApply, type Patch, readPatch } from './patch-documents.ts';
import { managerOf, writeContext } from './write-context.ts';

export function patch(request: ApiRequest, served: StoredResource): Promise<ApiResponse> {
  if (isApply(request)) return apply(request, served);
  const { view, decode, store, ownership } = served;
  return patchWith(request, served, {
    store,
    ownership,
    change: (live, patched, strictness) =>
      view.toStorage(decode.forPatch(patched(view.fromStorage(live)), request, strictness)),
  });
}

/** A patch of a part of an object, as a change of the object. */
interface PatchedPart {
  readonly store: ResourceStore;
  readonly ownership: FieldOwnership;
  readonly change: (live: KubeObject, patched: Patch, strictness: FieldValidation) => KubeObject;
}

export async function patchWith(
  request: ApiRequest,
  served: StoredResource,
  { store, ownership, change }: PatchedPart,
): Promise<ApiResponse> {
  const name = objectName(request.info, served);
  const output = negotiateOutput(request);
  const { patched, manager, dryRun, fieldValidation } = await readPatchRequest(
    request,
    served.version.schema,
  );
  const written = await store.update(
    name,
    async (live) => {
      const turn = new Turn();
      const next = change(live, patched, fieldValidation);
      if (turn.isOver) await turn.next();
      return ownership.track(live, next, manager);
    },
    writeContext(request, dryRun),
  );
  return objectResponse(request, served, output, 200, written);
}

interface PatchRequest {
  readonly patched: Patch;
  readonly manager: string;
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
}

export async function readPatchRequest(
  request: ApiRequest,
  schema: ObjectSchema,
): Promise<PatchRequest> {
  const body = await request.body();
  const options = parsePatchOptions(request.query, { isApply: false });
  const { dryRun, fieldValidation, fieldManager } = options;
  const manager = managerOf(request, fieldManager);
  const patched = readPatch(body, request, schema);
  if (isLargeBody(body)) await immediate();
  return { patched, manager, dryRun, fieldValidation };
}
