import type { ApiRequest, ApiResponse } from '../pipeline.ts';
import type { ServedResource } from '../served-resource.ts';
import type { ReadList } from '../verbs/list.ts';
import { bytesResponse } from './bytes-response.ts';
import type { Output } from './output.ts';

/** LIST: a head, the items' bytes as they lie in the cache, and a tail. */
export function answerList(
  request: ApiRequest,
  served: ServedResource,
  _output: Output,
  list: ReadList,
): ApiResponse {
  return bytesResponse(request, 200, listChunks(served, list));
}

function listChunks({ kind, apiVersion, view }: ServedResource, list: ReadList): Uint8Array[] {
  const metadata: Record<string, unknown> = { resourceVersion: String(list.revision) };
  if (list.continue !== undefined) {
    metadata.continue = list.continue;
    if (list.remaining !== undefined) metadata.remainingItemCount = list.remaining;
  }
  const head = { kind: `${kind.kind}List`, apiVersion, metadata };
  const chunks: Uint8Array[] = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"items":[`)];
  for (const item of list.items) {
    if (chunks.length > 1) chunks.push(COMMA);
    chunks.push(view.bytesOf(item));
  }
  chunks.push(TAIL);
  return chunks;
}

const COMMA = Buffer.from(',');
const TAIL = Buffer.from(']}');
