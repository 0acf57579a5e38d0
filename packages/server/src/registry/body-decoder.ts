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
import type { ApiRequest } from '../pipeline.ts';
import { applySchemaDefaults } from '../schema/apply-defaults.ts';
import { pruneObject } from '../schema/prune.ts';
import { schemaValidator } from '../schema/schema-validation.ts';
import type { ObjectSchema } from '../schema.ts';
import type { Warnings } from '../warnings.ts';
import { type Duplicates, decodeBody, noDuplicates } from './decode-body.ts';
import { kindNotRegistered } from './kind-not-registered.ts';
import { type KnownKinds, noKnownKinds, wrongKind, wrongVersion } from './known-kinds.ts';
import { dedupOwners } from './owner-references.ts';

/** Reads request bodies into objects of one kind that may be written at the request's place. */
export interface BodyDecoder {
  forCreate(body: Uint8Array, request: ApiRequest, strictness: FieldValidation): KubeObject;
  forUpdate(body: Uint8Array, request: ApiRequest, strictness: FieldValidation): KubeObject;
  /** A document that a patch has made; it is changed on the way. */
  forPatch(document: unknown, request: ApiRequest, strictness: FieldValidation): KubeObject;
  /** What an apply has made of an object; unknown fields were refused before. */
  forApply(object: KubeObject, request: ApiRequest): KubeObject;
  /** A body of which only the status counts: it is judged as part of the object that is there. */
  forStatus(
    body: Uint8Array,
    request: ApiRequest,
    strictness: FieldValidation,
  ): (live: KubeObject) => KubeObject;
}

export interface DecodedKind {
  readonly kind: GroupVersionKind;
  readonly schema: ObjectSchema;
  readonly namespaced: boolean;
  /** Other kinds that a body may be of by mistake. Default: none are known. */
  readonly others?: KnownKinds;
  /** The status is a subresource. Default: it is a field like any other. */
  readonly hasSeparateStatus?: boolean;
  /** Sees objects that the schema has accepted. */
  readonly applyDefaults: (object: KubeObject) => void;
}

/** As many findings as upstream reports. */
const FINDINGS_MAX = 100;

export function bodyDecoder(decoded: DecodedKind): BodyDecoder {
  const validate = schemaValidator(decoded.schema);
  const decode: BodyDecoder['forCreate'] = (body, request, strictness) => {
    const { value, duplicates } = parseBody(body, request, decoded);
    const circumstances = { request, strictness, duplicates };
    return finish(requireKind(value, decoded, { ...circumstances, body }), circumstances);
  };
  const clean = (object: KubeObject, circumstances: Circumstances): KubeObject => {
    const { request, strictness, duplicates } = circumstances;
    const findings = findingsOf(prune(object, decoded), duplicates, strictness);
    reportFindings(findings, strictness, { kind: decoded.kind, warnings: request.warnings });
    applySchemaDefaults(object, decoded.schema, { keepsNulls: circumstances.isApplied ?? false });
    return object;
  };
  const judge = (object: KubeObject, { ownStatus = true } = {}): KubeObject => {
    const errors = validate(ownStatus ? object : withoutStatus(object));
    if (errors.length > 0) throw invalid(decoded.kind, object.metadata.name ?? '', errors);
    decoded.applyDefaults(object);
    return object;
  };
  const finish = (sent: KubeObject, circumstances: Circumstances): KubeObject => {
    const { request } = circumstances;
    // Through its own endpoint the status is what is written, and is judged.
    const ownStatus = !decoded.hasSeparateStatus || request.info.subresource === 'status';
    const object = judge(clean(sent, circumstances), { ownStatus });
    // Nulls that the schema does not mind are not kept either.
    if (circumstances.isApplied) applySchemaDefaults(object, decoded.schema);
    object.metadata = dedupOwners(object.metadata, request.warnings);
    return placeInNamespace(object, request, decoded);
  };
  return {
    forCreate: decode,
    forUpdate: (body, request, strictness) => {
      const object = decode(body, request, strictness);
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
      const circumstances = {
        request,
        strictness: 'Ignore',
        duplicates: noDuplicates,
        isApplied: true,
      } as const;
      const body = new Uint8Array();
      const object = requireKind(document, decoded, { ...circumstances, body });
      const finished = finish(object, circumstances);
      requireName(finished.metadata.name ?? '', request.info.name);
      return finished;
    },
    forStatus: (body, request, strictness) => {
      const { value, duplicates } = parseBody(body, request, decoded);
      const circumstances = { request, strictness, duplicates };
      const sent = clean(requireKind(value, decoded, { ...circumstances, body }), circumstances);
      requireName(sent.metadata.name ?? '', request.info.name);
      const placed = placeInNamespace(sent, request, decoded);
      return (live) => judge(cloneJson(statusOnto(live, placed)) as KubeObject);
    },
  };
}

/** An object with the status, and the metadata that decides about the write, of another one. */
export function statusOnto(live: KubeObject, sent: KubeObject): KubeObject {
  const { status: _status, ...rest } = live as KubeObject & { status?: unknown };
  const { metadata, status } = sent as KubeObject & { status?: unknown };
  return { ...rest, metadata, ...(status !== undefined && { status }) } as KubeObject;
}

/** What a write of the whole object says of a status that is written apart counts for nothing. */
function withoutStatus(object: KubeObject): KubeObject {
  const { status: _status, ...rest } = object as KubeObject & { status?: unknown };
  return rest;
}

interface Circumstances {
  readonly request: ApiRequest;
  readonly strictness: FieldValidation;
  readonly duplicates: Duplicates;
  /** Was merged, not sent: what is null in it was meant to be. */
  readonly isApplied?: boolean;
}

/** What is wrong with a document that a patch has made is the patch's fault: 422, with the document. */
function patchedObject(
  document: Record<string, unknown>,
  request: Omit<Circumstances, 'duplicates'>,
  decoded: DecodedKind,
  finish: (object: KubeObject, circumstances: Circumstances) => KubeObject,
): KubeObject {
  const text = stringifyJson(document);
  try {
    const circumstances = { ...request, duplicates: noDuplicates };
    const body = Buffer.from(text);
    return finish(requireKind(document, decoded, { ...circumstances, body }), circumstances);
  } catch (error) {
    if (!(error instanceof StatusError && error.code === 400)) throw error;
    const prefix = cannotBeHandled(decoded.kind, '');
    const why = error.message.startsWith(prefix)
      ? error.message.slice(prefix.length)
      : error.message;
    throw invalid({ group: '', kind: '' }, '', [fieldError.invalid(root('patch'), text, why)]);
  }
}

interface ParsedBody {
  readonly value: Record<string, unknown>;
  readonly duplicates: Duplicates;
}

function parseBody(body: Uint8Array, request: ApiRequest, { kind }: DecodedKind): ParsedBody {
  const decoded = decodeBody(body, request);
  if (!decoded.ok) throw badRequest(unrecognized(kind, decoded.why, body));
  const { value, duplicates } = decoded;
  const type = readTypeMeta(value);
  if (!type.ok) throw badRequest(unrecognized(kind, type.message, body));
  // `null` is an object without fields to the reference server.
  return { value: (value ?? {}) as Record<string, unknown>, duplicates };
}

/** The type of the body is that of the endpoint, whether it says so or not. */
function requireKind(
  value: Record<string, unknown>,
  decoded: DecodedKind,
  { body, ...circumstances }: Circumstances & { readonly body: Uint8Array },
): KubeObject {
  const wanted = decoded.kind;
  const apiVersion = formatGroupVersion(wanted);
  const sentKind = textOr(value.kind, wanted.kind);
  const sentVersion = textOr(value.apiVersion, apiVersion);
  const sent = parseGroupVersion(sentVersion);
  if (sent === undefined) {
    throw badRequest(unrecognized(wanted, `unexpected GroupVersion string: ${sentVersion}`, body));
  }
  if (sentVersion !== apiVersion || sentKind !== wanted.kind) {
    throw mistakenKind({ ...sent, kind: sentKind }, value, decoded, circumstances);
  }
  return { ...value, kind: wanted.kind, apiVersion, metadata: metadataOf(value, wanted) };
}

/** A body is of a kind that does not belong where it was sent. */
function mistakenKind(
  sent: GroupVersionKind,
  value: Record<string, unknown>,
  { kind: wanted, others = noKnownKinds }: DecodedKind,
  { request, strictness, duplicates }: Circumstances,
): StatusError {
  const schema = others.schemaOf(sent);
  if (schema === undefined) {
    const why = kindNotRegistered(sent, wanted.group);
    return badRequest(
      `${sent.kind} in version ${goQuote(sent.version)} cannot be handled as a ${wanted.kind}: ${why}`,
    );
  }
  if (sent.kind !== wanted.kind || schema === null) return badRequest(wrongKind(sent, wanted));
  // It is read as what it says it is before its place is looked at.
  const unknown = pruneObject(cloneJson(value) as Record<string, unknown>, schema);
  const findings = findingsOf(unknown, duplicates, strictness);
  reportFindings(findings, strictness, { kind: sent, warnings: request.warnings });
  return badRequest(wrongVersion(sent, wanted));
}

/** Unknown fields stay for the moment: they are reported and removed with those of the whole object. */
function metadataOf(value: Record<string, unknown>, kind: GroupVersionKind): ObjectMeta {
  try {
    const sent = isObject(value.metadata) ? withoutNulls(value.metadata) : {};
    return withoutEmpty({ ...sent, ...decodeObjectMeta(value, kind.kind) });
  } catch (error) {
    if (!(error instanceof GoTypeError)) throw error;
    throw badRequest(cannotBeHandled(kind, error.message));
  }
}

/** What is empty is not there; an empty list of managers alone means something, that there be none. */
function withoutEmpty(metadata: ObjectMeta): ObjectMeta {
  const kept = Object.entries(metadata).filter(
    ([name, value]) => name === 'managedFields' || !isEmpty(name, value),
  );
  return Object.fromEntries(kept);
}

function isEmpty(name: string, value: unknown): boolean {
  if (value === '' || (name === 'generation' && value === 0)) return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Objects inside the object have metadata too. */
function prune(object: KubeObject, { kind, schema }: DecodedKind): string[] {
  try {
    return pruneObject(object, schema);
  } catch (error) {
    if (!(error instanceof GoTypeError)) throw error;
    throw badRequest(cannotBeHandled(kind, error.message));
  }
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** A field that is unknown and given twice is reported as unknown only. */
function findingsOf(
  unknown: readonly string[],
  { fields, yaml }: Duplicates,
  strictness: FieldValidation,
): string[] {
  // What YAML gives twice is one finding when it is refused, and one for each when it is only told.
  const refused = yaml?.strictError === undefined ? [] : [yaml.strictError];
  const findings = [
    ...(strictness === 'Strict' ? refused : (yaml?.duplicates ?? [])),
    ...unknown.map((path) => `unknown field ${goQuote(path)}`),
    ...fields
      .filter((path) => !unknown.includes(path))
      .map((path) => `duplicate field ${goQuote(path)}`),
  ];
  return findings.slice(0, FINDINGS_MAX);
}

function reportFindings(
  findings: readonly string[],
  strictness: FieldValidation,
  { kind, warnings }: { kind: GroupVersionKind; warnings: Warnings },
): void {
  if (findings.length === 0 || strictness === 'Ignore') return;
  if (strictness === 'Strict') {
    throw badRequest(cannotBeHandled(kind, `strict decoding error: ${findings.join(', ')}`));
  }
  for (const finding of findings) warnings.add(finding);
}

function cannotBeHandled({ kind, version }: GroupVersionKind, why: string): string {
  return `${kind} in version ${goQuote(version)} cannot be handled as a ${kind}: ${why}`;
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
