import {
  applyJsonPatch,
  badRequest,
  cloneJson,
  decodeJson,
  type FieldValidation,
  JsonError,
  JsonPatchError,
  type KubeObject,
  mergePatch,
  parsePatchOptions,
  patchOperationsMax,
  patchRejected,
  tooManyPatchOperations,
  unsupportedPatchType,
} from '@tributary/apimachinery';
import type { ApiRequest, ApiResponse } from '../pipeline.ts';
import type { ResourceStore } from '../registry/resource-store.ts';
import { answerObject } from '../representation/answer-object.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { StoredResource } from '../served-resource.ts';
import { objectName } from './object-path.ts';
import { writeContext } from './write-context.ts';

/** Makes a patched copy that shares nothing with the document: decoding it changes it. */
export type Patch = (document: unknown) => unknown;

const patchReaders: Readonly<Record<string, (body: unknown) => Patch>> = {
  'application/json-patch+json': readJsonPatch,
  'application/merge-patch+json': readMergePatch,
};

/** The patch types that are served; OpenAPI tells them to clients. */
export const patchTypes: readonly string[] = Object.keys(patchReaders);

/** Refuses other types before anything else is looked at, as upstream's router does. */
export function requirePatchType({ headers }: ApiRequest): void {
  if (!Object.hasOwn(patchReaders, patchTypeOf(headers.get('content-type')))) {
    throw unsupportedPatchType();
  }
}

export function patch(request: ApiRequest, served: StoredResource): Promise<ApiResponse> {
  const { view, decode } = served;
  return patchWith(request, served, {
    store: served.store,
    change: (live, apply, strictness) =>
      view.toStorage(decode.forPatch(apply(view.fromStorage(live)), request, strictness)),
  });
}

/** How a patch of a part of an object becomes a change of the object. */
export interface PatchedPart {
  readonly store: ResourceStore;
  readonly change: (live: KubeObject, apply: Patch, strictness: FieldValidation) => KubeObject;
}

export async function patchWith(
  request: ApiRequest,
  served: StoredResource,
  { store, change }: PatchedPart,
): Promise<ApiResponse> {
  const name = objectName(request.info, served);
  const output = negotiateOutput(request, 'object');
  const { apply, dryRun, fieldValidation } = await readPatchRequest(request);
  const written = await store.update(
    name,
    (live) => change(live, apply, fieldValidation),
    writeContext(request, dryRun),
  );
  return answerObject(request, served, output, 200, written);
}

export async function readPatchRequest(
  request: ApiRequest,
): Promise<{ apply: Patch; dryRun: boolean; fieldValidation: FieldValidation }> {
  const body = await request.body();
  const { dryRun, fieldValidation } = parsePatchOptions(request.query, { isApply: false });
  const apply = readPatch(body, patchTypeOf(request.headers.get('content-type')));
  return { apply: (document) => applied(apply, document), dryRun, fieldValidation };
}

function applied(apply: Patch, document: unknown): unknown {
  try {
    return apply(document);
  } catch (error) {
    throw error instanceof JsonPatchError ? patchRejected(error) : error;
  }
}

function readPatch(body: Uint8Array, type: string): Patch {
  const read = patchReaders[type];
  if (read === undefined) throw unsupportedPatchType();
  try {
    return read(decodeJson(body).value);
  } catch (error) {
    throw error instanceof JsonError ? badRequest(`error decoding patch: ${error.message}`) : error;
  }
}

function readMergePatch(body: unknown): Patch {
  if (body === null) throw badRequest('Invalid JSON Patch');
  return (document) => cloneJson(mergePatch(document, body));
}

function readJsonPatch(body: unknown): Patch {
  if (!Array.isArray(body)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonKind(body)} into Go value of type []handlers.jsonPatchOp`,
    );
  }
  if (body.length > patchOperationsMax)
    throw tooManyPatchOperations(patchOperationsMax, body.length);
  // Values of the patch itself stand in the result, and the patch is applied again when a race is lost.
  return (document) => applyJsonPatch(document, cloneOperations(body));
}

function cloneOperations(operations: readonly unknown[]): unknown[] {
  return operations.map(cloneJson);
}

function jsonKind(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

function patchTypeOf(contentType = ''): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}
