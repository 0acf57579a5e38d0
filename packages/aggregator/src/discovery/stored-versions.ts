import type { Logger } from '@tributary/server';
import type { DocumentStore, StoredDocument } from '../document-store/document-store.ts';
import { decodeRemoteDocument, type RemoteDocument } from './remote-document.ts';

/** A document that an earlier process stored. */
export interface StoredVersion {
  readonly uid: string;
  readonly document: RemoteDocument;
  readonly goodAtMs: number;
}

/** By the name of the registration. Unreadable documents are logged and left out. */
export async function readStoredVersions(
  documents: DocumentStore,
  { part, log }: { readonly part: string; readonly log: Logger },
): Promise<Map<string, StoredVersion>> {
  const versions = new Map<string, StoredVersion>();
  for (const document of await documents.read()) {
    if (document.part !== part) continue;
    const version = await decode(document, log);
    if (version !== undefined) versions.set(document.registration, version);
  }
  return versions;
}

async function decode(stored: StoredDocument, log: Logger): Promise<StoredVersion | undefined> {
  const { registration: name, uid, goodAtMs, bytes } = stored;
  const dot = name.indexOf('.');
  const groupVersion = { group: name.slice(dot + 1), version: name.slice(0, dot) };
  try {
    return { uid, goodAtMs, document: await decodeRemoteDocument(groupVersion, bytes) };
  } catch (error) {
    log.error(error, 'Ignoring stored discovery document', { name });
    return undefined;
  }
}
