/** The discovery document of one group version of a backend. */
import type { GroupVersion } from '@tributary/apimachinery';
import {
  type APIResource,
  type APIResourceDiscovery,
  type DiscoveryPage,
  plainPage,
  representJson,
} from '@tributary/server/discovery';
import { decodeResources } from './aggregated-document.ts';
import { objectAt } from './decode-fields.ts';
import { parseBounded } from './document-bounds.ts';
import {
  decodeLegacyResources,
  LIST_ELEMENT_DEPTH,
  legacyDocument,
  toLegacy,
} from './legacy-document.ts';

export interface RemoteDocument {
  readonly resources: readonly APIResourceDiscovery[];
  /** The resources as JSON, made once. */
  readonly json: string;
  /** The list of the backend itself at `/apis/G/V`; undefined: not fetched. */
  readonly legacyJson: string | undefined;
  /** The page for `/apis/G/V`. */
  readonly page: () => DiscoveryPage;
}

export function remoteDocument(
  groupVersion: GroupVersion,
  resources: readonly APIResourceDiscovery[],
  legacy?: readonly APIResource[],
): RemoteDocument {
  let page: DiscoveryPage | undefined;
  const make = () => {
    const list = legacyDocument(groupVersion, legacy ?? toLegacy(resources, groupVersion));
    return plainPage(representJson(Buffer.from(JSON.stringify(list))));
  };
  return {
    resources,
    json: JSON.stringify(resources),
    legacyJson: legacy && JSON.stringify(legacy),
    page: () => {
      page ??= make();
      return page;
    },
  };
}

export function isSameDocument(a: RemoteDocument, b: RemoteDocument | undefined): boolean {
  return a === b || (a.json === b?.json && a.legacyJson === b.legacyJson);
}

export function encodeRemoteDocument({ json, legacyJson }: RemoteDocument): Uint8Array {
  const list = legacyJson === undefined ? '' : `,"legacy":${legacyJson}`;
  return Buffer.from(`{"resources":${json}${list}}`);
}

/** A stored document may come from an older version of this program, so it is validated like any other. */
export async function decodeRemoteDocument(
  groupVersion: GroupVersion,
  bytes: Uint8Array,
): Promise<RemoteDocument> {
  const document = await parseBounded(bytes, { elementDepth: LIST_ELEMENT_DEPTH });
  const { resources, legacy } = objectAt(document.frame, 'the kept document');
  return remoteDocument(
    groupVersion,
    await decodeResources(document, resources, groupVersion),
    legacy === undefined ? undefined : await decodeLegacyResources(document, legacy),
  );
}
