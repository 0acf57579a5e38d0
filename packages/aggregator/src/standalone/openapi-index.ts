/** The index of documents of OpenAPI version 3. */
import { decodeJson } from '@tributary/apimachinery';
import { isObject } from '../openapi/specification.ts';

/** Where each document is, by its key. */
export type IndexPaths = ReadonlyMap<string, string>;

const DEPTH_MAX = 16;
const BELOW = '/openapi/v3/';

/** Throws for what is no index; leaves out what leads elsewhere. */
export function readIndex(bytes: Uint8Array): IndexPaths {
  const { value } = decodeJson(bytes, { depthMax: DEPTH_MAX });
  if (!isObject(value) || !isObject(value.paths)) throw new Error('/openapi/v3: no index');
  const paths = new Map<string, string>();
  for (const [key, entry] of Object.entries(value.paths)) {
    if (!isObject(entry) || typeof entry.serverRelativeURL !== 'string') continue;
    if (entry.serverRelativeURL.startsWith(BELOW)) paths.set(key, entry.serverRelativeURL);
  }
  return paths;
}

/** The later ones win. Sorted, as every index is. */
export function indexOf(...lists: readonly IndexPaths[]): object {
  const all = new Map(lists.flatMap((paths) => [...paths]));
  const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    paths: Object.fromEntries(
      sorted.map(([key, serverRelativeURL]) => [key, { serverRelativeURL }]),
    ),
  };
}
