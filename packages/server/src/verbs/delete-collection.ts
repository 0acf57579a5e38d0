import { parseListOptions, StatusError } from '@tributary/apimachinery';
import type { ApiRequest, ApiResponse } from '../pipeline.ts';
import { answerList } from '../representation/answer-list.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { StoredResource } from '../served-resource.ts';
import type { CachedObject } from '../watch-cache/types.ts';
import { deletionOf, readDeleteOptions } from './delete-options.ts';
import { readList } from './list.ts';

/** DELETE of a collection: lists what is selected, deletes it piece by piece, and answers the list as it was read. */
export async function deleteCollection(
  request: ApiRequest,
  served: StoredResource,
): Promise<ApiResponse> {
  const output = negotiateOutput(request, 'list');
  const listOptions = parseListOptions(request.query);
  const read = await readList(request, served, listOptions);
  const deletion = deletionOf(await readDeleteOptions(request, served), request);
  for (const item of read.items) await deleteItem(served, item, deletion);
  return answerList(request, served, output, read);
}

async function deleteItem(
  { store }: StoredResource,
  { fields }: CachedObject,
  { wish, options }: ReturnType<typeof deletionOf>,
): Promise<void> {
  const name = fields['metadata.name'] ?? '';
  const namespace = fields['metadata.namespace'] ?? '';
  try {
    await store.delete({ namespace, name }, wish, options);
  } catch (error) {
    // Somebody else was faster: gone is gone.
    if (!(error instanceof StatusError && error.code === 404)) throw error;
  }
}
