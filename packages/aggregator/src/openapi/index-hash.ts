import { decodeJson } from '@tributary/apimachinery';
import { isObject } from './specification.ts';

/** An index is flat. */
const DEPTH_MAX = 16;

/**
 * What the index of a server has under a key: undefined when there is no such document, and an empty hash when its
 * address has none. Throws when the bytes are no index.
 */
export function indexedHash(bytes: Uint8Array, key: string): { readonly hash: string } | undefined {
  const { value } = decodeJson(bytes, { depthMax: DEPTH_MAX });
  if (!isObject(value) || !isObject(value.paths)) throw new Error('/openapi/v3: no index');
  const entry = Object.hasOwn(value.paths, key) ? value.paths[key] : undefined;
  if (!isObject(entry) || typeof entry.serverRelativeURL !== 'string') return undefined;
  const query = entry.serverRelativeURL.split('?')[1] ?? '';
  const hash = new URLSearchParams(query).get('hash') ?? '';
  // It becomes part of our own addresses.
  return { hash: /^[0-9A-Za-z]{1,256}$/.test(hash) ? hash : '' };
}
