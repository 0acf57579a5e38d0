import { createHash } from 'node:crypto';
import type { StoredDocument } from './document-store.ts';

/** Larger ones are neither written nor read. */
export const DOCUMENT_BYTES_MAX: number = 64 * 1024 * 1024;

/** The first line of a file; the document follows it. */
const HEAD_BYTES_MAX = 16 * 1024;
const FORMAT = 1;
const NEWLINE = 0x0a;

interface Head extends Omit<StoredDocument, 'bytes' | 'etag'> {
  readonly format: number;
  readonly etag?: string;
  readonly length: number;
  readonly sha256: string;
}

export function encodeDocument(document: StoredDocument): Uint8Array[] {
  const { registration, uid, part, goodAtMs, etag, bytes } = document;
  const head: Head = {
    format: FORMAT,
    registration,
    uid,
    part,
    goodAtMs,
    ...(etag !== undefined && { etag }),
    length: bytes.byteLength,
    sha256: digest(bytes),
  };
  return [Buffer.from(`${JSON.stringify(head)}\n`), bytes];
}

/** Decodes a file, or returns the reason why it is invalid. */
export function decodeDocument(file: Uint8Array): StoredDocument | { readonly problem: string } {
  const end = file.subarray(0, HEAD_BYTES_MAX).indexOf(NEWLINE);
  if (end === -1) return { problem: 'it has no first line' };
  const head = parseHead(Buffer.from(file.subarray(0, end)).toString());
  if (head === undefined) return { problem: 'its first line is not ours' };
  const bytes = file.subarray(end + 1);
  if (bytes.byteLength !== head.length) {
    return { problem: `it has ${bytes.byteLength} bytes in place of ${head.length}` };
  }
  if (digest(bytes) !== head.sha256) return { problem: 'its content was changed' };
  const { registration, uid, part, goodAtMs, etag } = head;
  return { registration, uid, part, goodAtMs, etag, bytes };
}

function parseHead(line: string): Head | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isHead(value) ? value : undefined;
  } catch {
    return undefined; // the caller reports it
  }
}

function isHead(value: unknown): value is Head {
  if (typeof value !== 'object' || value === null) return false;
  const { format, registration, uid, part, goodAtMs, etag, length, sha256 } = value as Partial<
    Record<keyof Head, unknown>
  >;
  const texts = [registration, uid, part, sha256].every((text) => typeof text === 'string');
  const hasTag = etag === undefined || typeof etag === 'string';
  return format === FORMAT && texts && hasTag && Number.isFinite(goodAtMs) && isCount(length);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
