/** The documents of one registration, in memory and as stored. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { jsonForm, type Published, protobufFormV3 } from '@tributary/server/openapi';
import type { Registration } from '../api-services/registration.ts';
import type { StoredDocument } from '../document-store/document-store.ts';
import type { HashedDocument } from './thread-jobs.ts';

/** The part of a backend's document for the registration. */
export interface KnownV2 {
  readonly part: HashedDocument;
  /** The backend's own ETag, or one made of the document's hash. */
  readonly etag: string;
}

export type KnownV3 =
  | {
      readonly kind: 'kept';
      /** Identifies the version of the document. */
      readonly source: string;
      readonly published: Published;
    }
  /** The cache is full; requests are forwarded to the backend. */
  | { readonly kind: 'proxied'; readonly source: string };

export interface KnownDocuments {
  readonly v2: KnownV2 | undefined;
  readonly v3: KnownV3 | undefined;
}

export const nothingKnown: KnownDocuments = { v2: undefined, v3: undefined };

const PARTS = { v2: 'openapi-v2', v3: 'openapi-v3', protobuf: 'openapi-v3-protobuf' } as const;
/** The prefix of ETags that were made here, as upstream's. */
const SYNTHETIC = '"6E8F849B434D4B98A569B9D7718876E9-';
/** Hashing this much takes about a millisecond. */
const SLICE_BYTES = 512 * 1024;

export function syntheticTag(hash: string): string {
  return `${SYNTHETIC}${hash}"`;
}

/** The ETag, when its backend made it. */
export function serversTag(etag: string | undefined): string | undefined {
  return etag?.startsWith(SYNTHETIC) ? undefined : etag;
}

export function bytesOf({ v2, v3 }: KnownDocuments): number {
  const forms = v3?.kind === 'kept' ? v3.published.forms : [];
  return forms.reduce((sum, { bytes }) => sum + bytes.length, v2?.part.bytes.length ?? 0);
}

export function storedV2(
  { name, uid }: Registration,
  known: KnownV2,
  goodAtMs: number,
): StoredDocument {
  const { part, etag } = known;
  return { registration: name, uid, part: PARTS.v2, goodAtMs, etag, bytes: part.bytes };
}

/**
 * Both forms have the same ETag: a form without the other belongs to another document. An empty one means that there is
 * none.
 */
export function storedV3(
  { name, uid }: Registration,
  { source, published }: KnownV3 & { readonly kind: 'kept' },
  goodAtMs: number,
): readonly StoredDocument[] {
  const [json, protobuf] = published.forms;
  const common = { registration: name, uid, goodAtMs, etag: source };
  return [
    { ...common, part: PARTS.v3, bytes: json.bytes },
    { ...common, part: PARTS.protobuf, bytes: protobuf?.bytes ?? new Uint8Array() },
  ];
}

/** The stored documents of a registration. */
export async function readStored(documents: readonly StoredDocument[]): Promise<KnownDocuments> {
  const of = (part: string) => documents.find((document) => document.part === part);
  const [v2, v3, protobuf] = [of(PARTS.v2), of(PARTS.v3), of(PARTS.protobuf)];
  const hasForm = protobuf !== undefined && protobuf.bytes.length > 0 && protobuf.etag === v3?.etag;
  return {
    v2: v2 && {
      part: { bytes: v2.bytes, hash: await hashInTurns(v2.bytes) },
      etag: v2.etag ?? syntheticTag(''),
    },
    v3: v3 && {
      kind: 'kept',
      source: v3.etag ?? '',
      published: {
        hash: await hashInTurns(v3.bytes),
        modifiedMs: v3.goodAtMs,
        forms: [jsonForm(v3.bytes), ...(hasForm ? [protobufFormV3(protobuf.bytes)] : [])],
      },
    },
  };
}

async function hashInTurns(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha512');
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
    hash.update(bytes.subarray(start, start + SLICE_BYTES));
    await setImmediate();
  }
  return hash.digest('hex').toUpperCase();
}
