/** Documents as served, and their responses. */
import { createHash } from 'node:crypto';
import { notAcceptable, stringifyJson } from '@tributary/apimachinery';
import { contentHash, entityTag } from '../discovery/entity-tag.ts';
import { parseAccept } from '../request/negotiation.ts';
import type { ApiRequest, ApiResponse, HeaderList } from '../request/pipeline.ts';
import { byteRange } from './byte-range.ts';
import type { Form } from './compact-form.ts';
import { CompactForm } from './compact-form.ts';
import { isNotModified } from './conditional.ts';
import { hashedUrl } from './document-v3.ts';
import { joined } from './json-chunks.ts';

/** A document as it is served. */
export interface Published {
  readonly hash: string;
  readonly modifiedMs: number;
  /** The first one is for clients without a preference. */
  readonly forms: readonly [Form, ...Form[]];
}

const PROTOBUF_V2 = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
/** The older name, which clients still send; the response has the newer one. */
const PROTOBUF_V2_ALIAS = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
export const PROTOBUF_V3 = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
const PROTOBUF_V3_ALIAS = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';
/** As upstream, only this document has the header for caches of compressed responses. */
const COMPRESSED: HeaderList = [['Vary', 'Accept-Encoding']];
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

export function jsonForm(bytes: Uint8Array): Form {
  return { contentType: 'application/json', aliases: [], bytes };
}

export function protobufFormV2(bytes: Uint8Array): Form {
  return { contentType: PROTOBUF_V2, aliases: [PROTOBUF_V2_ALIAS], bytes };
}

export function protobufFormV3(bytes: Uint8Array): Form {
  return { contentType: PROTOBUF_V3, aliases: [PROTOBUF_V3_ALIAS], bytes };
}

/** Hashed at once: for small documents. */
export function publishJson(document: object, modifiedMs: number): Published {
  const bytes = Buffer.from(stringifyJson(document));
  return { hash: contentHash(bytes), modifiedMs, forms: [jsonForm(bytes)] };
}

/** Chunks of JSON, joined and hashed in steps. */
export function* publishChunks(
  chunksOfText: readonly string[],
  modifiedMs: number,
): Generator<void, Published> {
  const hash = createHash('sha512');
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < chunksOfText.length; at += CHUNKS_AT_ONCE) {
    const chunk = Buffer.from(chunksOfText.slice(at, at + CHUNKS_AT_ONCE).join(''));
    hash.update(chunk);
    chunks.push(chunk);
    yield;
  }
  const text = hash.digest('hex').toUpperCase();
  return { hash: text, modifiedMs, forms: [new CompactForm(yield* joined(chunks))] };
}

const CHUNKS_AT_ONCE = 64;

/** The single document of version 2. */
export function serveV2(request: ApiRequest, document: Published): ApiResponse {
  return negotiated(request, document, COMPRESSED);
}

/** The index of version 3, which has one form only. */
export function serveIndexV3(request: ApiRequest, index: Published): ApiResponse {
  return respond(request, index, index.forms[0], []);
}

/** A document of version 3. A URL with its hash is immutable; one with another hash redirects. */
export function serveV3(
  request: ApiRequest,
  { key, document, nowMs }: { key: string; document: Published; nowMs: number },
): ApiResponse {
  const hash = request.query.get('hash') ?? '';
  if (hash === '') return negotiated(request, document, []);
  if (hash === document.hash) {
    const expires = new Date(nowMs + YEAR_MS).toUTCString();
    return negotiated(request, document, [
      ['Cache-Control', 'public, immutable'],
      ['Expires', expires],
    ]);
  }
  const { contentType } = chooseForm(request, document);
  const headers: HeaderList = [
    ['Location', hashedUrl(key, document.hash)],
    ['ETag', entityTag(document.hash)],
    ['Vary', 'Accept'],
  ];
  return { kind: 'bytes', code: 301, contentType, chunks: [], headers };
}

function negotiated(request: ApiRequest, document: Published, headers: HeaderList): ApiResponse {
  const form = chooseForm(request, document);
  return respond(request, document, form, [...headers, ['Vary', 'Accept']]);
}

function respond(
  request: ApiRequest,
  { hash, modifiedMs }: Published,
  { contentType, bytes }: Form,
  more: HeaderList,
): ApiResponse {
  const validators = { tag: entityTag(hash), modifiedMs };
  const tagged: HeaderList = [['ETag', validators.tag], ...more];
  if (isNotModified(request, validators)) {
    return { kind: 'bytes', code: 304, contentType, chunks: [], headers: tagged };
  }
  const headers: HeaderList = [
    ...tagged,
    ['Accept-Ranges', 'bytes'],
    ['Last-Modified', new Date(modifiedMs).toUTCString()],
  ];
  const range = byteRange(request, bytes.length, validators);
  if (range === undefined) {
    return {
      kind: 'bytes',
      code: 200,
      contentType,
      chunks: [bytes],
      headers,
      compressionKey: bytes,
    };
  }
  const contentRange = `bytes ${range.start}-${range.end - 1}/${bytes.length}`;
  return {
    kind: 'bytes',
    code: 206,
    contentType,
    chunks: [bytes.subarray(range.start, range.end)],
    headers: [...headers, ['Content-Range', contentRange]],
  };
}

function chooseForm({ headers }: ApiRequest, { forms }: Published): Form {
  const clauses = parseAccept(headers.joined('accept'));
  if (clauses.length === 0) return forms[0];
  for (const { mediaType } of clauses) {
    if (mediaType === '*/*' || mediaType === 'application/*') return forms[0];
    const form = forms.find(
      ({ contentType, aliases }) => contentType === mediaType || aliases.includes(mediaType),
    );
    if (form !== undefined) return form;
  }
  throw notAcceptable(forms.map(({ contentType }) => contentType));
}
