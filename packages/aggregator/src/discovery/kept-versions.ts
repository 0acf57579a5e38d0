import type { Logger } from '@tributary/server';
import type { DocumentStore, KeptDocument } from '../document-store/document-store.ts';
import { decodeRemoteDocument, type RemoteDocument } from './remote-document.ts';

/** What a server said to an earlier process. */
export interface KeptVersion {
  readonly uid: string;
  readonly document: RemoteDocument;
  readonly goodAtMs: number;
}

/** By name of the registration. What cannot be read is left out, and logged. */
export async function readKeptVersions(
  documents: DocumentStore,
  { part, log }: { readonly part: string; readonly log: Logger },
): Promise<Map<string, KeptVersion>> {
  const versions = new Map<string, KeptVersion>();
  for (const document of await documents.read()) {
    if (document.part !== part) continue;
    const version = await decode(document, log);
    if (version !== undefined) versions.set(document.registration, version);
  }
  return versions;
}

async function decode(kept: KeptDocument, log: Logger): Promise<KeptVersion | undefined> {
  const { registration: name, uid, goodAtMs, bytes } = kept;
  const dot = name.indexOf('.');
  const groupVersion = { group: name.slice(dot + 1), version: name.slice(0, dot) };
  try {
    return { uid, goodAtMs, document: await decodeRemoteDocument(groupVersion, bytes) };
  } catch (error) {
    log.error(error, 'A kept discovery document is not used', { name });
    return undefined;
  }
}
