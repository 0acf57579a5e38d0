/** The list of groups of a cluster that has no aggregated document. */
import type { GroupVersion } from '@tributary/apimachinery';
import { listAt, nameAt, objectAt } from '../discovery/decode-fields.ts';
import { documentBounds, MalformedDocument, parseBounded } from '../discovery/document-bounds.ts';
import type { DiscoveryClient } from '../discovery/fetch-documents.ts';

const TIMEOUT_MS = 5_000;
/** A group of the list. */
const ELEMENT_DEPTH = 3;

/** In the order of the cluster. */
export async function fetchGroupVersions({
  backend,
  signal,
}: DiscoveryClient): Promise<readonly GroupVersion[]> {
  const response = await backend.send({
    method: 'GET',
    path: '/apis',
    headers: [['accept', 'application/json']],
    body: undefined,
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    use: 'request',
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > documentBounds.bytes) throw new MalformedDocument('/apis is too long');
    chunks.push(chunk);
  }
  if (response.status !== 200) throw new MalformedDocument(`/apis was answered ${response.status}`);
  return readGroupList(Buffer.concat(chunks));
}

export async function readGroupList(bytes: Uint8Array): Promise<readonly GroupVersion[]> {
  const document = await parseBounded(bytes, { elementDepth: ELEMENT_DEPTH });
  const { kind, groups } = objectAt(document.frame, 'the document');
  if (kind !== 'APIGroupList') throw new MalformedDocument('its kind is another');
  const lists = await document.mapElements(listAt(groups, 'groups'), (element) => {
    const { name, versions } = objectAt(element, 'a group');
    const group = nameAt(name, 'the name of a group');
    return listAt(versions, `versions of ${group}`).map((one) => ({
      group,
      version: nameAt(objectAt(one, `a version of ${group}`).version, `a version of ${group}`),
    }));
  });
  return lists.flat();
}
