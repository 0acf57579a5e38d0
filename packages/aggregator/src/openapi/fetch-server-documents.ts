/** One round of requests to a backend, for documents that have changed. */
import type { Clock } from '@tributary/client';
import type { Backend } from '@tributary/proxy';
import { jsonForm, PROTOBUF_V3, protobufFormV3 } from '@tributary/server/openapi';
import type { Registration } from '../api-services/registration.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { DocumentThread } from './document-thread.ts';
import { type Fetched, type FetchOptions, fetchDocument } from './fetch-document.ts';
import { groupVersionPrefix } from './filter-specification.ts';
import { indexedHash } from './index-hash.ts';
import { type KnownV2, type KnownV3, serversTag, syntheticTag } from './stored-documents.ts';

export interface ServerRequestOptions {
  readonly backend: Backend;
  readonly registration: Registration;
  readonly thread: DocumentThread;
  /** Limits documents that are being read. */
  readonly reading: ByteBudget;
  readonly clock: Pick<Clock, 'nowMs' | 'schedule'>;
  readonly signal: AbortSignal;
}

export const DOCUMENT_BYTES_MAX = 32 * 1024 * 1024;
/** An index is decoded in the event loop; upstream's has twenty kilobytes. */
export const INDEX_BYTES_MAX = 1024 * 1024;

const JSON_TYPE = 'application/json';

/** The key of its document below `/openapi/v3`. */
export function keyOf(registration: Registration): string {
  return groupVersionPrefix(registration).slice(1, -1);
}

/** Resolves with the current document: the same object when it has not changed. */
export async function fetchServerV2(
  options: ServerRequestOptions,
  known: KnownV2 | undefined,
): Promise<KnownV2 | undefined> {
  const { registration, thread } = options;
  const etag = serversTag(known?.etag);
  return await fetch(options, { path: '/openapi/v2', accept: JSON_TYPE, etag }, async (fetched) => {
    if (fetched.kind === 'too-large') throw tooLarge('/openapi/v2');
    if (fetched.kind !== 'document') return known; // a backend need not have one
    const tag = fetched.etag ?? syntheticTag(fetched.hash);
    if (tag === known?.etag) return known;
    const { group, version } = registration;
    const request = { bytes: fetched.bytes, group, version };
    const part = await thread.run('read-v2', request, 'given-away');
    if (part.hash === known?.part.hash) return { part: known.part, etag: tag };
    return { part, etag: tag };
  });
}

/** The same for its document of version 3, which is converted from version 2 when the backend has none. */
export async function fetchServerV3(
  options: ServerRequestOptions,
  known: KnownV3 | undefined,
  v2: Promise<KnownV2 | undefined>,
): Promise<KnownV3 | undefined> {
  const key = keyOf(options.registration);
  const index = { path: '/openapi/v3', accept: JSON_TYPE, bytesMax: INDEX_BYTES_MAX };
  const hash = await fetch(options, index, async (fetched) => {
    if (fetched.kind === 'too-large') throw tooLarge('/openapi/v3');
    if (fetched.kind === 'document') return indexedHash(fetched.bytes, key);
    return 'no-index' as const;
  });
  if (hash === undefined) return known;
  if (hash === 'no-index') return convert(options, known, await v2);
  if (hash.hash !== '' && hash.hash === known?.source) return known;
  return fetchV3(options, known, { key, source: hash.hash });
}

async function fetchV3(
  options: ServerRequestOptions,
  known: KnownV3 | undefined,
  { key, source }: { readonly key: string; readonly source: string },
): Promise<KnownV3 | undefined> {
  const path = `/openapi/v3/${key}`;
  let etag: string | undefined;
  const made = await fetch(options, { path, accept: JSON_TYPE }, async (fetched) => {
    if (fetched.kind === 'too-large') return { kind: 'proxied', source } as const;
    if (fetched.kind !== 'document') throw new Error(`${path}: in the index, but not there`);
    if (known?.kind === 'kept' && known.published.hash === fetched.hash) {
      return { ...known, source };
    }
    await options.thread.run('check-v3', { bytes: fetched.bytes });
    etag = fetched.etag;
    const modifiedMs = options.clock.nowMs();
    const published = { hash: fetched.hash, modifiedMs, forms: [jsonForm(fetched.bytes)] as const };
    return { kind: 'kept', source, published } as const;
  });
  if (made.kind === 'proxied' || made.published === cachedOf(known)) return made;
  const protobuf = await fetch(options, { path, accept: PROTOBUF_V3 }, (fetched) =>
    // Both forms have one ETag; another one belongs to a newer document.
    isProtobuf(fetched) && fetched.etag === etag ? fetched.bytes : undefined,
  );
  if (protobuf === undefined) return made;
  const forms = [made.published.forms[0], protobufFormV3(protobuf)] as const;
  return { ...made, published: { ...made.published, forms } };
}

async function convert(
  { thread, clock }: ServerRequestOptions,
  known: KnownV3 | undefined,
  v2: KnownV2 | undefined,
): Promise<KnownV3 | undefined> {
  if (v2 === undefined) return known;
  const source = `converted:${v2.part.hash}`;
  if (known?.source === source) return known;
  const { bytes, hash } = await thread.run('convert', { part: v2.part });
  const published = { hash, modifiedMs: clock.nowMs(), forms: [jsonForm(bytes)] as const };
  return { kind: 'kept', source, published };
}

type DocumentRequest = Pick<FetchOptions, 'path' | 'accept'> &
  Partial<Pick<FetchOptions, 'etag' | 'bytesMax'>>;

function fetch<T>(
  { backend, reading, clock, signal }: ServerRequestOptions,
  request: DocumentRequest,
  use: (fetched: Fetched) => Promise<T> | T,
): Promise<T> {
  const options = { etag: undefined, bytesMax: DOCUMENT_BYTES_MAX, ...request };
  return fetchDocument(backend, { ...options, budget: reading, clock, signal }, async (fetched) =>
    use(fetched),
  );
}

function cachedOf(known: KnownV3 | undefined) {
  return known?.kind === 'kept' ? known.published : undefined;
}

function isProtobuf(fetched: Fetched): fetched is Fetched & { readonly kind: 'document' } {
  return fetched.kind === 'document' && fetched.contentType === PROTOBUF_V3;
}

function tooLarge(path: string): Error {
  return new Error(`${path}: the document is larger than it may be`);
}
