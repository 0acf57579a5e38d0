import { type DocumentsV3, indexV3, type Published, publishJson } from '@tributary/server/openapi';
import { keyOf } from './fetch-server-documents.ts';
import type { PolledServer } from './poll-server.ts';
import type { KnownV3 } from './stored-documents.ts';

/** One document of version 3, with its source. */
export type ServedV3 =
  | { readonly kind: 'kept'; readonly document: Published }
  | { readonly kind: 'proxied'; readonly server: PolledServer };

export interface IndexedV3 {
  readonly index: Published;
  of(key: string): ServedV3 | undefined;
}

/** Documents of this process first; of a backend, the one of its registration. */
export function indexAll(
  local: DocumentsV3,
  servers: Iterable<PolledServer>,
  nowMs: number,
): IndexedV3 {
  const served = new Map<string, ServedV3>();
  const hashes = new Map<string, string>();
  for (const [key, document] of local.byKey) {
    served.set(key, { kind: 'kept', document });
    hashes.set(key, document.hash);
  }
  for (const server of servers) {
    const { v3 } = server.known;
    const key = keyOf(server.registration);
    if (v3 === undefined || served.has(key)) continue;
    served.set(
      key,
      v3.kind === 'kept' ? { kind: 'kept', document: v3.published } : { kind: 'proxied', server },
    );
    hashes.set(key, hashOf(v3));
  }
  const sorted = new Map([...hashes].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { index: publishJson(indexV3(sorted), nowMs), of: (key) => served.get(key) };
}

function hashOf(v3: KnownV3): string {
  return v3.kind === 'kept' ? v3.published.hash : v3.source;
}
