import {
  type DeleteOptions,
  fieldError,
  invalid,
  parseListOptions,
  root,
  StatusError,
} from '@tributary/apimachinery';
import { convertItems } from '../conversion/convert-objects.ts';
import { CommitOrder, type CommitPlace } from '../registry/commit-order.ts';
import { eachItem } from '../representation/list-items.ts';
import { listResponse } from '../representation/list-response.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { StoredResource } from '../representation/served-resource.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import type { CachedObject } from '../watch-cache/types.ts';
import { deletionOf, readDeleteOptions, warnOfOrphans } from './delete-options.ts';
import { readList } from './list.ts';

/** DELETE of a collection: lists the selected objects, deletes them in groups, and returns the list as it was read. */
export async function deleteCollection(
  request: ApiRequest,
  served: StoredResource,
): Promise<ApiResponse> {
  const output = negotiateOutput(request);
  const listOptions = parseListOptions(request.query);
  const read = await readList(request, served, listOptions);
  const sent = await readDeleteOptions(request, served);
  refuseUnreadable(sent);
  const deletion = deletionOf(sent, request);
  const items = await convertItems(served, read.items, request.cancellation);
  // A list with an undecodable object fails: nothing is deleted.
  await eachItem(items, ({ bytes }) => void bytes);
  warnOfOrphans(deletion.requested, request, served);
  await deleteItems(served, read.items, deletion);
  return listResponse(request, served, output, { ...read, items });
}

const UNREADABLE = 'ignoreStoreReadErrorWithClusterBreakingPotential';

function refuseUnreadable(sent: DeleteOptions): void {
  if (!sent[UNREADABLE]) return;
  const detail = 'is not allowed with DELETECOLLECTION, try again after removing the option';
  throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
    fieldError.invalid(root(UNREADABLE), true, detail),
  ]);
}

/** Deletions in flight at once, which become one transaction of the store. Their events have the order of the list, as upstream. */
const ITEMS_AT_ONCE = 64;

/** The first failure ends the deletion, once the deletions in flight are complete. */
async function deleteItems(
  served: StoredResource,
  items: readonly CachedObject[],
  deletion: ReturnType<typeof deletionOf>,
): Promise<void> {
  for (let first = 0; first < items.length; first += ITEMS_AT_ONCE) {
    const batch = items.slice(first, first + ITEMS_AT_ONCE);
    const order = new CommitOrder();
    const outcomes = await Promise.allSettled(
      batch.map((item) => deleteItem(served, item, { ...deletion, place: order.enter() })),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}

async function deleteItem(
  { store }: StoredResource,
  { fields }: CachedObject,
  { requested, options, place }: ReturnType<typeof deletionOf> & { readonly place: CommitPlace },
): Promise<void> {
  const name = fields['metadata.name'] ?? '';
  const namespace = fields['metadata.namespace'] ?? '';
  try {
    await store.delete({ namespace, name }, requested, { ...options, place });
  } catch (error) {
    // Another request has deleted it.
    if (!(error instanceof StatusError && error.code === 404)) throw error;
  } finally {
    place.leave();
  }
}
