import { createHash } from 'node:crypto';

/** The hash that names a document's content, as upstream writes it. */
export function contentHash(bytes: Uint8Array): string {
  return createHash('sha512').update(bytes).digest('hex').toUpperCase();
}

/** The value of an `ETag` header. */
export function entityTag(hash: string): string {
  return `"${hash}"`;
}
