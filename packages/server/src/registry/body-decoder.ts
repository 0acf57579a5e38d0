import {
  badRequest,
  type FieldValidation,
  formatGroupVersion,
  type GroupVersionKind,
  goQuote,
  invalid,
  JsonError,
  type KubeObject,
  parseGroupVersion,
  parseJson,
  readTypeMeta,
  typeMetaFailure,
} from '@tributary/apimachinery';
import type { ApiRequest } from '../pipeline.ts';
import type { ObjectSchema } from '../schema.ts';
import type { Warnings } from '../warnings.ts';
import { pruneObject } from './prune.ts';
import { schemaValidator } from './schema-validation.ts';

/** Reads request bodies into objects of one kind that may be written at the request's place. */
export interface BodyDecoder {
  forCreate(body: Uint8Array, request: ApiRequest, strictness: FieldValidation): KubeObject;
  forUpdate(body: Uint8Array, request: ApiRequest, strictness: FieldValidation): KubeObject;
}

export interface DecodedKind {
  readonly kind: GroupVersionKind;
  readonly schema: ObjectSchema;
  readonly namespaced: boolean;
  /** Sees objects that the schema has accepted. */
  readonly applyDefaults: (object: KubeObject) => void;
}

/** As many findings as upstream reports. */
const FINDINGS_MAX = 100;

export function bodyDecoder(decoded: DecodedKind): BodyDecoder {
  const validate = schemaValidator(decoded.schema);
  const decode: BodyDecoder['forCreate'] = (body, request, strictness) => {
    const object = requireKind(parseBody(body, decoded), decoded.kind);
    const unknown = pruneObject(object, decoded.schema);
    reportUnknown(unknown, strictness, { kind: decoded.kind, warnings: request.warnings });
    const errors = validate(object);
    if (errors.length > 0) throw invalid(decoded.kind, object.metadata.name ?? '', errors);
    decoded.applyDefaults(object);
    return placeInNamespace(object, request, decoded);
  };
  return {
    forCreate: decode,
    forUpdate: (body, request, strictness) => {
      const object = decode(body, request, strictness);
      requireName(object.metadata.name ?? '', request.info.name);
      return object;
    },
  };
}

function parseBody(body: Uint8Array, { kind }: DecodedKind): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseJson(body);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw badRequest(unrecognized(kind, typeMetaFailure(error), body));
  }
  const type = readTypeMeta(value);
  if (!type.ok) throw badRequest(unrecognized(kind, type.message, body));
  // `null` is an object without fields to the reference server.
  return (value ?? {}) as Record<string, unknown>;
}

/** The type of the body is that of the endpoint, whether it says so or not. */
function requireKind(value: Record<string, unknown>, wanted: GroupVersionKind): KubeObject {
  const apiVersion = formatGroupVersion(wanted);
  const sentKind = textOr(value.kind, wanted.kind);
  const sentVersion = textOr(value.apiVersion, apiVersion);
  if (sentVersion !== apiVersion) {
    const sent = parseGroupVersion(sentVersion);
    if (sent === undefined) throw badRequest(`unexpected GroupVersion string: ${sentVersion}`);
    throw badRequest(
      `the API version in the data (${sentVersion}) does not match the expected API version (${apiVersion})`,
    );
  }
  if (sentKind !== wanted.kind) {
    throw badRequest(
      `${sentKind} in version ${goQuote(wanted.version)} cannot be handled as a ${wanted.kind}: no kind ${goQuote(sentKind)} is registered for version ${goQuote(apiVersion)}`,
    );
  }
  const metadata = isObject(value.metadata) ? value.metadata : {};
  return { ...value, kind: wanted.kind, apiVersion, metadata };
}

function reportUnknown(
  paths: readonly string[],
  strictness: FieldValidation,
  { kind, warnings }: { kind: GroupVersionKind; warnings: Warnings },
): void {
  if (paths.length === 0 || strictness === 'Ignore') return;
  const findings = paths.slice(0, FINDINGS_MAX).map((path) => `unknown field ${goQuote(path)}`);
  if (strictness === 'Warn') {
    for (const finding of findings) warnings.add(finding);
    return;
  }
  throw badRequest(
    `${kind.kind} in version ${goQuote(kind.version)} cannot be handled as a ${kind.kind}: strict decoding error: ${findings.join(', ')}`,
  );
}

function placeInNamespace(
  object: KubeObject,
  { info }: ApiRequest,
  { namespaced }: DecodedKind,
): KubeObject {
  const { namespace: sent, ...metadata } = object.metadata;
  if (!namespaced) return { ...object, metadata };
  if (sent !== undefined && sent !== '' && sent !== info.namespace) {
    throw badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
  return { ...object, metadata: { ...metadata, namespace: info.namespace } };
}

function requireName(sent: string, wanted: string): void {
  if (sent === '') {
    throw badRequest(
      `the name of the object (${wanted} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (sent !== wanted) {
    throw badRequest(
      `the name of the object (${sent}) does not match the name on the URL (${wanted})`,
    );
  }
}

const EXCERPT_BYTES = 30;

function unrecognized({ kind }: GroupVersionKind, why: string, body: Uint8Array): string {
  return `the object provided is unrecognized (must be of type ${kind}): ${why} (${excerpt(body)})`;
}

/** The beginning of a body as upstream shows it: text when it looks like JSON, hex otherwise. */
function excerpt(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const cut = Buffer.from(body.subarray(0, EXCERPT_BYTES));
  const shown = body[0] === 0x7b ? cut.toString('utf8') : cut.toString('hex');
  return body.length > EXCERPT_BYTES ? `${shown} ...` : shown;
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
