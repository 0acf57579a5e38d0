import {
  applyJsonPatch,
  badRequest,
  cloneJson,
  decodeJson,
  JsonError,
  JsonPatchError,
  mergePatch,
  patchOperationsMax,
  patchRejected,
  StrategicMergePatchError,
  strategicMergePatch,
  tooManyPatchOperations,
  unsupportedMediaType,
  unsupportedPatchType,
} from '@tributary/apimachinery';
import { requireFewValues } from '../registry/body-size.ts';
import type { ApiRequest } from '../request/pipeline.ts';
import type { ObjectSchema } from '../schema/object-schema.ts';

/** Returns a patched copy that shares nothing with the document, because decoding changes it. */
export type Patch = (document: unknown) => unknown;

type PatchReader = (body: unknown, schema: ObjectSchema) => Patch;

const patchReaders: ReadonlyMap<string, PatchReader> = new Map([
  ['application/json-patch+json', readJsonPatch],
  ['application/merge-patch+json', readMergePatch],
  ['application/strategic-merge-patch+json', readStrategicMergePatch],
]);

/** Server-side apply, which is no patch of a document. */
const applyPatchType = 'application/apply-patch+yaml';

/** The served patch types, as OpenAPI documents them. */
export const patchTypes: readonly string[] = [...patchReaders.keys(), applyPatchType];

/** Custom resources have no strategic merge patch: their types declare no merge keys. */
export const customPatchTypes: readonly string[] = patchTypes.filter(
  (type) => type !== 'application/strategic-merge-patch+json',
);

/** Refuses other types first, as upstream's router does. */
export function requirePatchType(request: ApiRequest, { custom }: { custom: boolean }): void {
  const type = patchTypeOf(request);
  if (custom && !customPatchTypes.includes(type)) throw unsupportedMediaType(customPatchTypes);
  if (!patchTypes.includes(type)) throw unsupportedPatchType();
}

export function isApply(request: ApiRequest): boolean {
  return patchTypeOf(request) === applyPatchType;
}

/** The patch in a body, for documents of a schema. */
export function readPatch(body: Uint8Array, request: ApiRequest, schema: ObjectSchema): Patch {
  const read = patchReaders.get(patchTypeOf(request));
  if (read === undefined) throw unsupportedPatchType();
  const document = parsePatch(body);
  // A JSON patch is a list of operations with a bound of its own; its result is checked when it is applied.
  if (!Array.isArray(document)) requireFewValues(document, schema);
  const apply = read(document, schema);
  return (document) => {
    try {
      return apply(document);
    } catch (error) {
      if (error instanceof StrategicMergePatchError) throw error.toStatusError();
      throw error instanceof JsonPatchError ? patchRejected(error) : error;
    }
  };
}

function parsePatch(body: Uint8Array): unknown {
  try {
    return decodeJson(body).value;
  } catch (error) {
    throw error instanceof JsonError ? badRequest('invalid JSON patch') : error;
  }
}

function readStrategicMergePatch(body: unknown, { fields }: ObjectSchema): Patch {
  const schema = { type: 'object', properties: Object.fromEntries(fields) };
  return (document) => strategicMergePatch(document, body, schema);
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
  if (body.length > patchOperationsMax) {
    throw tooManyPatchOperations(patchOperationsMax, body.length);
  }
  // The result contains values of the patch, and the patch is applied again after a conflict.
  return (document) => applyJsonPatch(document, body.map(cloneJson));
}

function jsonKind(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

function patchTypeOf({ headers }: ApiRequest): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
