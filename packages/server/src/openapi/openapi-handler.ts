import { notAcceptable } from '@tributary/apimachinery';
import { type Clock, systemClock } from '@tributary/storage';
import type { ApiDefinition } from '../api.ts';
import { contentHash, entityTag } from '../discovery/entity-tag.ts';
import { parseAccept } from '../negotiation.ts';
import type { ApiRequest, ApiResponse, HeaderList } from '../pipeline.ts';
import { byteRange } from './byte-range.ts';
import { isNotModified } from './conditional.ts';
import { documentParts, type PartOptions, wholeDocument } from './document-parts.ts';
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
  const info = options.info ?? { title: apis.map(({ group }) => group).join(', '), version: 'v1' };
  const modifiedMs = clock.nowMs();
  const parts = documentParts(apis, options);
  const v2 = publishV2(documentV2(wholeDocument(apis, parts), info), modifiedMs);
  const v3 = new Map(
    parts.map((part) => [part.key, publishJson(documentV3(part, info), modifiedMs)]),
  );
  const hashes = new Map([...v3].sort(([a], [b]) => (a < b ? -1 : 1)).map(hashOf));
  const index = publishJson(indexV3(hashes), modifiedMs);

  return (request) => {
    if (request.path === '/openapi/v2') return negotiated(request, v2, COMPRESSED);
    if (request.path === '/openapi/v3') return answer(request, index, index.forms[0], []);
    if (!request.path.startsWith('/openapi/v3/')) return undefined;
    const key = request.path.slice('/openapi/v3/'.length);
    const document = v3.get(key);
    return document && versioned(request, { key, document, nowMs: clock.nowMs() });
  };
}

function hashOf([key, { hash }]: [string, Published]): [string, string] {
  return [key, hash];
}

function publishJson(document: object, modifiedMs: number): Published {
  const bytes = Buffer.from(JSON.stringify(document));
  const form = { contentType: 'application/json', aliases: [], bytes };
  return { hash: contentHash(bytes), modifiedMs, forms: [form] };
}

/** Both forms have the tag of the JSON, as upstream has it. */
function publishV2(
  document: Parameters<typeof encodeDocumentV2>[0],
  modifiedMs: number,
): Published {
  const { forms, ...published } = publishJson(document, modifiedMs);
  const bytes = encodeDocumentV2(document);
  const form = { contentType: PROTOBUF_V2, aliases: [PROTOBUF_V2_ALIAS], bytes };
  return { ...published, forms: [forms[0], form] };
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
