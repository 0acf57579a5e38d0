import { decodeJson } from '@tributary/apimachinery';
import { isObject } from './specification.ts';

/** An index is flat. */
const DEPTH_MAX = 16;

/**
 * The hash of a key in a backend's index: undefined without an entry, empty when its URL has no hash. Throws for an
 * invalid index.
 */
export function indexedHash(bytes: Uint8Array, key: string): { readonly hash: string } | undefined {
  const { value } = decodeJson(bytes, { depthMax: DEPTH_MAX });
  if (!isObject(value) || !isObject(value.paths)) throw new Error('/openapi/v3: no index');
  const entry = Object.hasOwn(value.paths, key) ? value.paths[key] : undefined;
  if (!isObject(entry) || typeof entry.serverRelativeURL !== 'string') return undefined;
  const query = entry.serverRelativeURL.split('?')[1] ?? '';
  const hash = new URLSearchParams(query).get('hash') ?? '';
  // Validated, because it becomes part of this server's URLs.
  return { hash: /^[0-9A-Za-z]{1,256}$/.test(hash) ? hash : '' };
}
