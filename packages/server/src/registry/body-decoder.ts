import { setImmediate as immediate } from 'node:timers/promises';
import {
  badRequest,
  cloneJson,
  type FieldValidation,
  fieldError,
  invalid,
  type KubeObject,
  patchRejected,
  root,
  StatusError,
  stringifyJson,
} from '@tributary/apimachinery';
import { requireBodyType } from '../request/negotiation.ts';
import type { ApiRequest } from '../request/pipeline.ts';
import { applySchemaDefaults } from '../schema/apply-defaults.ts';
import { schemaValidator } from '../validation/schema-validation.ts';
import { requireFewValues } from './body-size.ts';
import { inCustomOrder, requireCustomType } from './custom-type.ts';
import { noDuplicates } from './decode-body.ts';
import { cannotBeHandled, reportFindings } from './decode-errors.ts';
import { decodeObject, findingsOf, isObject, requireKind } from './decode-object.ts';
import type { DecodeContext, DecodedKind } from './decoded-kind.ts';
import { isLargeBody } from './large-body.ts';
import { dedupOwners } from './owner-references.ts';
import { isDecodedAsProtobuf, parseBody } from './parse-body.ts';

/** Decodes request bodies into objects of one kind, for writes at the path of the request. */
export class BodyDecoder {
  readonly #kind: DecodedKind;
  readonly #validate: ReturnType<typeof schemaValidator>;

  constructor(kind: DecodedKind) {
    this.#kind = kind;
    this.#validate = schemaValidator(kind.schema);
  }

  /** Refuses a body of an unsupported media type with 415, before anything is decoded. */
  requireType(request: ApiRequest): void {
    if (isDecodedAsProtobuf(request, this.#kind)) return;
    requireBodyType(request.headers.get('content-type'));
  }

  /** Refuses, with 413, a document that has more values than an object may have. */
  requireFewValues(document: unknown): void {
    requireFewValues(document, this.#kind.schema);
  }

  /** A large body is decoded in several turns of the event loop. */
  async forCreate(
    body: Uint8Array,
    request: ApiRequest,
    strictness: FieldValidation,
  ): Promise<KubeObject> {
    const { value, duplicates } = await parseBody(body, request, this.#kind);
    const context = { request, strictness, duplicates, body };
    const isLarge = isLargeBody(body);
    if (isLarge) await immediate();
    const decoded = this.#decode(value, context);
    if (isLarge) await immediate();
    const object = this.#complete(decoded, context);
    if (isLarge) await immediate();
    return object;
  }

  async forUpdate(
    body: Uint8Array,
    request: ApiRequest,
    strictness: FieldValidation,
  ): Promise<KubeObject> {
    const object = await this.forCreate(body, request, strictness);
    requireName(object.metadata.name ?? '', request.info.name);
    return object;
  }

  /** Decodes the result of a patch; the document is changed. */
  forPatch(document: unknown, request: ApiRequest, strictness: FieldValidation): KubeObject {
    if (!isObject(document)) throw patchRejected();
    const object = this.#decodePatched(document, { request, strictness });
    requireName(object.metadata.name ?? '', request.info.name);
    return object;
  }

  /** Decodes the result of an apply, whose unknown fields were refused before. */
  forApply(applied: KubeObject, request: ApiRequest): KubeObject {
    const document = cloneJson(applied) as Record<string, unknown>;
    const context: DecodeContext = {
      request,
      strictness: 'Ignore',
      duplicates: noDuplicates,
      isApplied: true,
      body: new Uint8Array(),
    };
    const object = this.#complete(this.#decode(document, context), context);
    requireName(object.metadata.name ?? '', request.info.name);
    return object;
  }

  /** A body of which only the status is written: it is validated as part of the live object. */
  async forStatus(
    body: Uint8Array,
    request: ApiRequest,
    strictness: FieldValidation,
  ): Promise<(live: KubeObject) => KubeObject> {
    const { value, duplicates } = await parseBody(body, request, this.#kind);
    const context = { request, strictness, duplicates, body };
    const isLarge = isLargeBody(body);
    if (isLarge) await immediate();
    const sent = this.#decode(value, context);
    if (isLarge) await immediate();
    request.context?.audit?.requestObject(sent);
    requireName(sent.metadata.name ?? '', request.info.name);
    const placed = placeInNamespace(sent, request, this.#kind);
    return (live) => this.#validated(cloneJson(statusOnto(live, placed)) as KubeObject);
  }

  #decode(value: Record<string, unknown>, context: DecodeContext): KubeObject {
    const { kind, schema, custom } = this.#kind;
    const { request, strictness, duplicates } = context;
    requireFewValues(value, schema);
    if (custom) requireCustomType(value, this.#kind, context);
    requireKind(value, this.#kind, context);
    const { object, unknown } = decodeObject(value, this.#kind);
    const findings = findingsOf(custom ? inCustomOrder(unknown) : unknown, duplicates, strictness);
    reportFindings(findings, strictness, { kind, warnings: request.warnings });
    applySchemaDefaults(object, schema, { keepsNulls: context.isApplied ?? false });
    return object;
  }

  #complete(decoded: KubeObject, { request, isApplied }: DecodeContext): KubeObject {
    const { schema, hasSeparateStatus } = this.#kind;
    // Through the status endpoint the status is written, and is validated.
    const withStatus = !hasSeparateStatus || request.info.subresource === 'status';
    const object = this.#validated(decoded, { withStatus });
    // Nulls that the schema accepts are dropped too.
    if (isApplied) applySchemaDefaults(object, schema);
    object.metadata = dedupOwners(object.metadata, request.warnings);
    request.context?.audit?.requestObject(object);
    return placeInNamespace(object, request, this.#kind);
  }

  #validated(object: KubeObject, { withStatus = true } = {}): KubeObject {
    const { kind, applyDefaults } = this.#kind;
    const errors = this.#validate(withStatus ? object : withoutStatus(object));
    if (errors.length > 0) throw invalid(kind, object.metadata.name ?? '', errors);
    applyDefaults(object);
    return object;
  }

  /** An undecodable result of a patch is an error of the patch: 422, with the document. */
  #decodePatched(
    document: Record<string, unknown>,
    request: Pick<DecodeContext, 'request' | 'strictness'>,
  ): KubeObject {
    const { kind, schema } = this.#kind;
    // Only errors contain it. Go structs are decoded into new objects; decoding changes other objects.
    let text = schema.typed === undefined ? stringifyJson(document) : undefined;
    const shown = () => {
      text ??= stringifyJson(document);
      return text;
    };
    const context: DecodeContext = {
      ...request,
      duplicates: noDuplicates,
      isPatched: true,
      get body() {
        return Buffer.from(shown());
      },
    };
    try {
      return this.#complete(this.#decode(document, context), context);
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 400)) throw error;
      const prefix = cannotBeHandled(kind, '');
      const why = error.message.startsWith(prefix)
        ? error.message.slice(prefix.length)
        : error.message;
      throw invalid({ group: '', kind: '' }, '', [fieldError.invalid(root('patch'), shown(), why)]);
    }
  }
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
