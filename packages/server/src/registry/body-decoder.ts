import {
  badRequest,
  cloneJson,
  decodeObjectMeta,
  type FieldValidation,
  fieldError,
  formatGroupVersion,
  GoTypeError,
  type GroupVersionKind,
  goQuote,
  invalid,
  type KubeObject,
  type ObjectMeta,
  parseGroupVersion,
  patchRejected,
  readTypeMeta,
  root,
  StatusError,
  stringifyJson,
} from '@tributary/apimachinery';
import { isProtobuf, requireBodyType } from '../request/negotiation.ts';
import type { ApiRequest } from '../request/pipeline.ts';
import { applySchemaDefaults } from '../schema/apply-defaults.ts';
import { pruneObject } from '../schema/prune.ts';
import { decodeProtobuf, openEnvelope } from '../schema/typed/decode-protobuf.ts';
import { decodeTyped } from '../schema/typed/decode-typed.ts';
import { noticeEmptyMaps } from '../schema/typed/noticed-maps.ts';
import { ProtobufError } from '../schema/typed/protobuf-wire.ts';
import type { TypedKind } from '../schema/typed/typed-kind.ts';
import { schemaValidator } from '../validation/schema-validation.ts';
import { requireFewValues } from './body-size.ts';
import { inCustomOrder, requireCustomType } from './custom-type.ts';
import { type DecodedBody, type Duplicates, decodeBodyAsync, noDuplicates } from './decode-body.ts';
import { cannotBeHandled, reportFindings, unrecognized } from './decode-errors.ts';
import type { DecodeContext, DecodedKind } from './decoded-kind.ts';
import { kindNotRegistered } from './kind-not-registered.ts';
import { noKnownKinds, wrongKind, wrongVersion } from './known-kinds.ts';
import { inTurns } from './large-body.ts';
import { dedupOwners } from './owner-references.ts';

/** Decodes request bodies into objects of one kind, for writes at the path of the request. */
export interface BodyDecoder {
  /** Refuses a body of an unsupported media type with 415, before anything is decoded. */
  requireType(request: ApiRequest): void;
  /** Refuses, with 413, a document that has more values than an object may have. */
  requireFewValues(document: unknown): void;
  /** A large body is decoded in several turns of the event loop. */
  forCreate(
    body: Uint8Array,
    request: ApiRequest,
    strictness: FieldValidation,
  ): Promise<KubeObject>;
  forUpdate(
    body: Uint8Array,
    request: ApiRequest,
    strictness: FieldValidation,
  ): Promise<KubeObject>;
  /** Decodes the result of a patch; the document is changed. */
  forPatch(document: unknown, request: ApiRequest, strictness: FieldValidation): KubeObject;
  /** Decodes the result of an apply, whose unknown fields were refused before. */
  forApply(object: KubeObject, request: ApiRequest): KubeObject;
  /** A body of which only the status is written: it is validated as part of the live object. */
  forStatus(
    body: Uint8Array,
    request: ApiRequest,
    strictness: FieldValidation,
  ): Promise<(live: KubeObject) => KubeObject>;
}

/** The number of findings that upstream reports. */
const FINDINGS_MAX = 100;

export function bodyDecoder(decoded: DecodedKind): BodyDecoder {
  const validate = schemaValidator(decoded.schema);
  const decode: BodyDecoder['forCreate'] = async (body, request, strictness) => {
    const { value, duplicates } = await parseBody(body, request, decoded);
    const circumstances = { request, strictness, duplicates, body };
    const cleaned = await inTurns(body, value, (sent) => clean(sent, circumstances));
    return inTurns(body, cleaned, (object) => completed(object, circumstances));
  };
  const clean = (value: Record<string, unknown>, circumstances: DecodeContext): KubeObject => {
    const { request, strictness, duplicates } = circumstances;
    requireFewValues(value, decoded.schema);
    if (decoded.custom) requireCustomType(value, decoded, circumstances);
    requireKind(value, decoded, circumstances);
    const read = readObject(value, decoded);
    const { object } = read;
    const unknown = decoded.custom ? inCustomOrder(read.unknown) : read.unknown;
    const findings = findingsOf(unknown, duplicates, strictness);
    reportFindings(findings, strictness, { kind: decoded.kind, warnings: request.warnings });
    applySchemaDefaults(object, decoded.schema, { keepsNulls: circumstances.isApplied ?? false });
    return object;
  };
  const validated = (object: KubeObject, { ownStatus = true } = {}): KubeObject => {
    const errors = validate(ownStatus ? object : withoutStatus(object));
    if (errors.length > 0) throw invalid(decoded.kind, object.metadata.name ?? '', errors);
    decoded.applyDefaults(object);
    return object;
  };
  const finish = (sent: Record<string, unknown>, circumstances: DecodeContext): KubeObject =>
    completed(clean(sent, circumstances), circumstances);
  const completed = (cleaned: KubeObject, circumstances: DecodeContext): KubeObject => {
    const { request } = circumstances;
    // Through the status endpoint the status is written, and is validated.
    const ownStatus = !decoded.hasSeparateStatus || request.info.subresource === 'status';
    const object = validated(cleaned, { ownStatus });
    // Nulls that the schema accepts are dropped too.
    if (circumstances.isApplied) applySchemaDefaults(object, decoded.schema);
    object.metadata = dedupOwners(object.metadata, request.warnings);
    request.context?.audit?.requestObject(object);
    return placeInNamespace(object, request, decoded);
  };
  return {
    requireType: (request) => {
      if (!isReadAsProtobuf(request, decoded)) requireBodyType(request.headers.get('content-type'));
    },
    requireFewValues: (document) => requireFewValues(document, decoded.schema),
    forCreate: decode,
    forUpdate: async (body, request, strictness) => {
      const object = await decode(body, request, strictness);
      requireName(object.metadata.name ?? '', request.info.name);
      return object;
    },
    forPatch: (document, request, strictness) => {
      if (!isObject(document)) throw patchRejected();
      const object = patchedObject(document, { request, strictness }, decoded, finish);
      requireName(object.metadata.name ?? '', request.info.name);
      return object;
    },
    forApply: (applied, request) => {
      const document = cloneJson(applied) as KubeObject;
      const finished = finish(document, {
        request,
        strictness: 'Ignore',
        duplicates: noDuplicates,
        isApplied: true,
        body: new Uint8Array(),
      });
      requireName(finished.metadata.name ?? '', request.info.name);
      return finished;
    },
    forStatus: async (body, request, strictness) => {
      const { value, duplicates } = await parseBody(body, request, decoded);
      const circumstances = { request, strictness, duplicates, body };
      const sent = await inTurns(body, value, (parsed) => clean(parsed, circumstances));
      request.context?.audit?.requestObject(sent);
      requireName(sent.metadata.name ?? '', request.info.name);
      const placed = placeInNamespace(sent, request, decoded);
      return (live) => validated(cloneJson(statusOnto(live, placed)) as KubeObject);
    },
  };
}

/** The live object with the status and metadata of the sent object. */
export function statusOnto(live: KubeObject, sent: KubeObject): KubeObject {
  const { status: _status, ...rest } = live as KubeObject & { status?: unknown };
  const { metadata, status } = sent as KubeObject & { status?: unknown };
  return { ...rest, metadata, ...(status !== undefined && { status }) } as KubeObject;
}

/** A write of the whole object ignores a status that is a subresource. */
function withoutStatus(object: KubeObject): KubeObject {
  const { status: _status, ...rest } = object as KubeObject & { status?: unknown };
  return rest;
}

/** An undecodable result of a patch is an error of the patch: 422, with the document. */
function patchedObject(
  document: Record<string, unknown>,
  request: Pick<DecodeContext, 'request' | 'strictness'>,
  decoded: DecodedKind,
  finish: (sent: Record<string, unknown>, circumstances: DecodeContext) => KubeObject,
): KubeObject {
  // Only error messages contain it. Go structs are decoded into new objects; other objects are changed by decoding.
  let text = decoded.schema.typed === undefined ? stringifyJson(document) : undefined;
  const shown = () => {
    text ??= stringifyJson(document);
    return text;
  };
  try {
    const duplicates = noDuplicates;
    return finish(document, {
      ...request,
      duplicates,
      isPatched: true,
      get body() {
        return Buffer.from(shown());
      },
    });
  } catch (error) {
    if (!(error instanceof StatusError && error.code === 400)) throw error;
    const prefix = cannotBeHandled(decoded.kind, '');
    const why = error.message.startsWith(prefix)
      ? error.message.slice(prefix.length)
      : error.message;
    throw invalid({ group: '', kind: '' }, '', [fieldError.invalid(root('patch'), shown(), why)]);
  }
}

interface ParsedBody {
  readonly value: Record<string, unknown>;
  readonly duplicates: Duplicates;
}

async function parseBody(
  body: Uint8Array,
  request: ApiRequest,
  decodedKind: DecodedKind,
): Promise<ParsedBody> {
  const { kind, schema, validationThread } = decodedKind;
  if (schema.typed !== undefined && isReadAsProtobuf(request, decodedKind)) {
    return { value: protobufBody(body, kind, schema.typed), duplicates: noDuplicates };
  }
  return parsedBody(await decodeBodyAsync(body, request, validationThread), kind, body);
}

function parsedBody(decoded: DecodedBody, kind: GroupVersionKind, body: Uint8Array): ParsedBody {
  if (!decoded.ok) throw badRequest(unrecognized(kind, decoded.why, body));
  const { value, duplicates } = decoded;
  const type = readTypeMeta(value);
  if (!type.ok) throw badRequest(unrecognized(kind, type.message, body));
  // The reference server decodes `null` as an object without fields.
  return { value: (value ?? {}) as Record<string, unknown>, duplicates };
}

/** Only Go structs have a protobuf encoding; clients of built-in kinds use it by default. */
function isReadAsProtobuf({ headers }: ApiRequest, { schema }: DecodedKind): boolean {
  return schema.typed !== undefined && isProtobuf(headers.get('content-type'));
}

function protobufBody(
  body: Uint8Array,
  kind: GroupVersionKind,
  { struct }: TypedKind,
): Record<string, unknown> {
  try {
    const { raw, ...type } = openEnvelope(body);
    // The fields of another kind would be decoded as those of this one.
    const isOurs = textOr(type.kind, kind.kind) === kind.kind;
    return { ...(isOurs ? decodeProtobuf(raw, struct) : {}), ...type };
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    throw badRequest(unrecognized(kind, error.message, body));
  }
}

/** An absent type means the type of the endpoint. */
function requireKind(
  value: Record<string, unknown>,
  decoded: DecodedKind,
  circumstances: DecodeContext,
): void {
  const wanted = decoded.kind;
  const apiVersion = formatGroupVersion(wanted);
  const sentKind = textOr(value.kind, wanted.kind);
  const sentVersion = textOr(value.apiVersion, apiVersion);
  const sent = parseGroupVersion(sentVersion);
  if (sent === undefined) {
    const why = `unexpected GroupVersion string: ${sentVersion}`;
    throw badRequest(unrecognized(wanted, why, circumstances.body));
  }
  const isVersion = sentVersion === apiVersion || decoded.alsoIn?.includes(sentVersion);
  if (!isVersion || sentKind !== wanted.kind) {
    throw mistakenKind({ ...sent, kind: sentKind }, value, decoded, circumstances);
  }
}

interface ReadObject {
  readonly object: KubeObject;
  /** Paths of unknown fields, which are removed. */
  readonly unknown: readonly string[];
}

/** Decoding errors are 400, with the messages of Go's decoder. */
function readObject(
  value: Record<string, unknown>,
  { kind, schema }: Pick<DecodedKind, 'kind' | 'schema'>,
): ReadObject {
  const type = { kind: kind.kind, apiVersion: formatGroupVersion(kind) };
  try {
    if (schema.typed !== undefined) return readTyped(value, schema.typed, type);
    const object: KubeObject = { ...value, ...type, metadata: metadataOf(value, kind) };
    // Embedded objects have metadata too.
    return { object, unknown: pruneObject(object, schema) };
  } catch (error) {
    if (!(error instanceof GoTypeError)) throw error;
    throw badRequest(cannotBeHandled(kind, error.message));
  }
}

function readTyped(
  value: Record<string, unknown>,
  { struct, emptyMapsNoticed = [] }: TypedKind,
  type: Pick<KubeObject, 'kind' | 'apiVersion'>,
): ReadObject {
  const { object, unknown } = decodeTyped({ ...value, ...type }, struct, { keepsEmpty: true });
  noticeEmptyMaps(object, value, emptyMapsNoticed);
  return { object: withNoManagers(object as KubeObject, value.metadata), unknown };
}

/** An empty list of managers resets field ownership. */
function withNoManagers(object: KubeObject, sent: unknown): KubeObject {
  const managers = isObject(sent) ? sent.managedFields : undefined;
  if (!Array.isArray(managers) || managers.length > 0) return object;
  return { ...object, metadata: { ...object.metadata, managedFields: [] } };
}

/** The error for a body of another kind or version. */
function mistakenKind(
  sent: GroupVersionKind,
  value: Record<string, unknown>,
  { kind: wanted, others = noKnownKinds }: DecodedKind,
  { request, strictness, duplicates }: DecodeContext,
): StatusError {
  const schema = others.schemaOf(sent);
  if (schema === undefined) {
    const why = kindNotRegistered(sent, wanted.group);
    return badRequest(
      `${sent.kind} in version ${goQuote(sent.version)} cannot be handled as a ${wanted.kind}: ${why}`,
    );
  }
  if (sent.kind !== wanted.kind || schema === null) return badRequest(wrongKind(sent, wanted));
  // As upstream, the body is decoded as its own type before the type is refused.
  const { unknown } = readObject(cloneJson(value) as Record<string, unknown>, {
    kind: sent,
    schema,
  });
  const findings = findingsOf(unknown, duplicates, strictness);
  reportFindings(findings, strictness, { kind: sent, warnings: request.warnings });
  return badRequest(wrongVersion(sent, wanted));
}

/** Unknown fields stay until they are reported and removed with those of the whole object. */
function metadataOf(value: Record<string, unknown>, kind: GroupVersionKind): ObjectMeta {
  const sent = isObject(value.metadata) ? withoutNulls(value.metadata) : {};
  return withoutEmpty({ ...sent, ...decodeObjectMeta(value, kind.kind) });
}

/** Drops empty fields, except an empty list of managers, which resets field ownership. */
function withoutEmpty(metadata: ObjectMeta): ObjectMeta {
  const rest = Object.entries(metadata).filter(
    ([name, value]) => name === 'managedFields' || !isEmpty(name, value),
  );
  return Object.fromEntries(rest);
}

function isEmpty(name: string, value: unknown): boolean {
  if (value === '' || (name === 'generation' && value === 0)) return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** A field that is unknown and duplicate is reported as unknown only. */
function findingsOf(
  unknown: readonly string[],
  { fields, yaml }: Duplicates,
  strictness: FieldValidation,
): string[] {
  // Duplicates in YAML are one finding of a strict error, and one each as warnings.
  const refused = yaml?.strictError === undefined ? [] : [yaml.strictError];
  const known = fields.length === 0 ? undefined : new Set(unknown);
  const findings = [
    ...(strictness === 'Strict' ? refused : (yaml?.duplicates ?? [])),
    ...unknown.slice(0, FINDINGS_MAX).map((path) => `unknown field ${goQuote(path)}`),
    ...fields.filter((path) => !known?.has(path)).map((path) => `duplicate field ${goQuote(path)}`),
  ];
  return findings.slice(0, FINDINGS_MAX);
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

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
