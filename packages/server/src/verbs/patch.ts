import {
  applyJsonPatch,
  badRequest,
  cloneJson,
  decodeJson,
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
import { answerObject } from '../representation/answer-object.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { ServedResource } from '../served-resource.ts';
import { objectPath } from './object-path.ts';

/** Makes a patched copy that shares nothing with the document: decoding it changes it. */
type Patch = (document: unknown) => unknown;

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

export async function patch(request: ApiRequest, served: ServedResource): Promise<ApiResponse> {
  const { info } = request;
  objectPath(info, served);
  const output = negotiateOutput(request, 'object');
  const body = await request.body();
  const { dryRun, fieldValidation } = parsePatchOptions(request.query, { isApply: false });
  const apply = readPatch(body, patchTypeOf(request.headers.get('content-type')));
  const written = await served.store.update(
    { namespace: served.namespaced ? info.namespace : '', name: info.name },
    (live: KubeObject) => served.decode.forPatch(applied(apply, live), request, fieldValidation),
    { dryRun, signal: request.cancellation.signal },
  );
  return answerObject(request, served, output, 200, written);
}

function applied(apply: Patch, live: KubeObject): unknown {
  try {
    return apply(live);
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
