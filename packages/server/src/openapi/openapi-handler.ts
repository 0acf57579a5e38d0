import { setImmediate } from 'node:timers/promises';
import { notAcceptable } from '@tributary/apimachinery';
import { type Clock, systemClock } from '@tributary/storage';
import type { ApiDefinition } from '../api.ts';
import { contentHash, entityTag } from '../discovery/entity-tag.ts';
import { parseAccept } from '../negotiation.ts';
import type { ApiRequest, ApiResponse, HeaderList } from '../pipeline.ts';
import { byteRange } from './byte-range.ts';
import { isNotModified } from './conditional.ts';
import {
  type DocumentPart,
  documentParts,
  type PartOptions,
  wholeDocument,
} from './document-parts.ts';
import { documentV2 } from './document-v2.ts';
import { documentV3, hashedUrl, indexV3 } from './document-v3.ts';
import type { DocumentInfo } from './path-items.ts';
import { encodeDocumentV2 } from './protobuf/document-v2.ts';

export interface OpenApiOptions extends PartOptions {
  /** Title and version of the API. Default: the names of its groups, and `v1`. */
  readonly info?: DocumentInfo;
  readonly clock?: Pick<Clock, 'nowMs'>;
}

/** A document as it is served. */
interface Published {
  readonly hash: string;
  readonly modifiedMs: number;
  /** The first one is for clients without a wish. */
  readonly forms: readonly [Form, ...Form[]];
}

interface Form {
  readonly contentType: string;
  /** Other names by which it can be asked for. */
  readonly aliases: readonly string[];
  readonly bytes: Uint8Array;
}

const PROTOBUF_V2 = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
/** The older name, for which clients still ask; they are answered with the newer one. */
const PROTOBUF_V2_ALIAS = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
/** Upstream's caches are told for this one document that it may be compressed. */
const COMPRESSED: HeaderList = [['Vary', 'Accept-Encoding']];
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * Answers `/openapi/v2`, `/openapi/v3` and the documents below it, all made here, once. As upstream, the method is
 * not looked at. The answer is undefined for any other path.
 */
export function openApiHandler(
  apis: readonly ApiDefinition[],
  options: OpenApiOptions,
): (request: ApiRequest) => ApiResponse | undefined {
  const clock = options.clock ?? systemClock;
  const made = { ...options, modifiedMs: clock.nowMs() };
  const v2 = atOnce(makeV2(apis, made));
  const v3 = atOnce(makeV3(apis, made));
  return (request) => {
    if (request.path === '/openapi/v2') return negotiated(request, v2, COMPRESSED);
    return answerV3(request, v3, clock);
  };
}

/**
 * The same, with documents that are made when somebody first asks for them, a turn of the event loop for each step:
 * those of a whole control plane take longer than a start may, and longer than others may wait.
 */
export function lazyOpenApiHandler(
  apis: readonly ApiDefinition[],
  options: OpenApiOptions,
): (request: ApiRequest) => Promise<ApiResponse | undefined> | undefined {
  const clock = options.clock ?? systemClock;
  const made = { ...options, modifiedMs: clock.nowMs() };
  const v2 = whenAsked(() => inTurns(makeV2(apis, made)));
  const v3 = whenAsked(() => inTurns(makeV3(apis, made)));
  return (request) => {
    if (request.path === '/openapi/v2') {
      return v2().then((document) => negotiated(request, document, COMPRESSED));
    }
    if (!request.path.startsWith('/openapi/v3')) return undefined;
    return v3().then((documents) => answerV3(request, documents, clock));
  };
}

interface DocumentsV3 {
  readonly index: Published;
  readonly byKey: ReadonlyMap<string, Published>;
}

type Making = OpenApiOptions & { readonly modifiedMs: number };

/** Steps end at each `yield`. */
function* makeV2(apis: readonly ApiDefinition[], making: Making): Generator<void, Published> {
  const parts = yield* makeParts(apis, making);
  const document = documentV2(wholeDocument(apis, parts), infoOf(apis, making));
  yield;
  const { forms, ...published } = publishJson(document, making.modifiedMs);
  yield;
  const bytes = encodeDocumentV2(document);
  const form = { contentType: PROTOBUF_V2, aliases: [PROTOBUF_V2_ALIAS], bytes };
  // Both forms have the tag of the JSON, as upstream has it.
  return { ...published, forms: [forms[0], form] };
}

function* makeV3(apis: readonly ApiDefinition[], making: Making): Generator<void, DocumentsV3> {
  const info = infoOf(apis, making);
  const byKey = new Map<string, Published>();
  for (const part of yield* makeParts(apis, making)) {
    byKey.set(part.key, publishJson(documentV3(part, info), making.modifiedMs));
    yield;
  }
  const hashes = new Map([...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(hashOf));
  return { index: publishJson(indexV3(hashes), making.modifiedMs), byKey };
}

function* makeParts(
  apis: readonly ApiDefinition[],
  making: Making,
): Generator<void, readonly DocumentPart[]> {
  const parts: DocumentPart[] = [];
  for (const part of documentParts(apis, making)) {
    parts.push(part);
    yield;
  }
  return parts;
}

function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await setImmediate();
  }
}

/** One result for all who ask; after a failure the next one tries again. */
function whenAsked<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

function infoOf(apis: readonly ApiDefinition[], { info }: OpenApiOptions): DocumentInfo {
  return info ?? { title: apis.map(({ group }) => group).join(', '), version: 'v1' };
}

function answerV3(
  request: ApiRequest,
  { index, byKey }: DocumentsV3,
  clock: Pick<Clock, 'nowMs'>,
): ApiResponse | undefined {
  if (request.path === '/openapi/v3') return answer(request, index, index.forms[0], []);
  if (!request.path.startsWith('/openapi/v3/')) return undefined;
  const key = request.path.slice('/openapi/v3/'.length);
  const document = byKey.get(key);
  return document && versioned(request, { key, document, nowMs: clock.nowMs() });
}

function hashOf([key, { hash }]: [string, Published]): [string, string] {
  return [key, hash];
}

function publishJson(document: object, modifiedMs: number): Published {
  const bytes = Buffer.from(JSON.stringify(document));
  const form = { contentType: 'application/json', aliases: [], bytes };
  return { hash: contentHash(bytes), modifiedMs, forms: [form] };
}

/** A document of version 3. With its hash in the address it can be kept for ever; with another one it moved. */
function versioned(
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
  return answer(request, document, form, [...headers, ['Vary', 'Accept']]);
}

function answer(
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
    return { kind: 'bytes', code: 200, contentType, chunks: [bytes], headers, sharedAs: bytes };
  }
  const place = `bytes ${range.start}-${range.end - 1}/${bytes.length}`;
  return {
    kind: 'bytes',
    code: 206,
    contentType,
    chunks: [bytes.subarray(range.start, range.end)],
    headers: [...headers, ['Content-Range', place]],
  };
}

function chooseForm({ headers }: ApiRequest, { forms }: Published): Form {
  const clauses = parseAccept(headers.all('accept').join(','));
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
