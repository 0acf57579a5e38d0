import { createHash } from 'node:crypto';
import type { GroupVersionKind } from '@tributary/apimachinery';

const HASH_BYTES = 8;

/** Clients compare it to see that two endpoints share one store, and when the storage version changes. */
export function storageVersionHash({ group, version, kind }: GroupVersionKind): string {
  const digest = createHash('sha256').update(`${group}/${version}/${kind}`).digest();
  return digest.subarray(0, HASH_BYTES).toString('base64');
}
