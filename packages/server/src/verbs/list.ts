import {
  badRequest,
  continueAfter,
  decodeContinueToken,
  encodeContinueToken,
  type ListOptions,
  parseListOptions,
  parseListResourceVersion,
  tooLargeResourceVersion,
} from '@tributary/apimachinery';
import { Compacted, FutureRevision, type Revision } from '@tributary/storage';
import { convertItems } from '../conversion/convert-objects.ts';
import type { ReadList } from '../representation/list-response.ts';
import { listResponse } from '../representation/list-response.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { StoredResource } from '../representation/served-resource.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import { expiredContinue, expiredList } from '../watch-cache/expired-revision.ts';
import type { CachedList, CachedObject, ListRequest, ReadWindow } from '../watch-cache/types.ts';
import { type LateMatch, selectionOf } from './selection.ts';

type ReadPoint = Pick<ListRequest, 'freshness' | 'limit' | 'after'>;

/** LIST: a head, the items' bytes as the cache holds them, and a tail. */
export async function list(request: ApiRequest, served: StoredResource): Promise<ApiResponse> {
  const output = negotiateOutput(request);
  const read = await readList(request, served, parseListOptions(request.query));
  const items = await convertItems(served, read.items, request.cancellation);
  return listResponse(request, served, output, { ...read, items });
}

export async function readList(
  request: ApiRequest,
  served: StoredResource,
  options: ListOptions,
): Promise<ReadList<CachedObject>> {
  const { window, selective, late } = selectionOf(request.info, options, served);
  const point = readPoint(options, window);
  const { cancellation } = request;
  // An abort signal is created only for reads that wait.
  const reading = {
    ...window,
    ...point,
    get signal() {
      return cancellation.signal;
    },
  };
  const page =
    late === undefined
      ? await readPage(served, reading, options)
      : await readLate(served, reading, { options, late });
  return {
    revision: page.revision,
    items: page.items,
    continue: page.next === undefined ? undefined : nextToken(page.next, page.revision, window),
    remaining: selective ? undefined : page.remaining,
    ...(!selective && contentOf(page, window, point)),
  };
}

/** A page of objects that can be selected only after conversion; as many are read at a time as the page needs. */
async function readLate(
  served: StoredResource,
  reading: ListRequest,
  { options, late }: { readonly options: ListOptions; readonly late: LateMatch },
): Promise<CachedList> {
  const { limit = Number.POSITIVE_INFINITY } = reading;
  const items: CachedObject[] = [];
  let page = await readPage(served, reading, options);
  const { revision } = page;
  for (;;) {
    const shown = await convertItems(served, page.items, reading);
    for (const [index, item] of page.items.entries()) {
      const object = shown[index];
      if (object === undefined || !late(object)) continue;
      items.push(item);
      if (items.length < limit) continue;
      const isLast = page.next === undefined && index === page.items.length - 1;
      return { revision, items, next: isLast ? undefined : pathOf(item), remaining: undefined };
    }
    const { next } = page;
    if (next === undefined) return { revision, items, next, remaining: undefined };
    const rest = { ...reading, after: next, freshness: { kind: 'exact', revision } as const };
    page = await readPage(served, rest, options);
  }
}

function pathOf({ fields }: CachedObject): string {
  const { 'metadata.namespace': namespace, 'metadata.name': name = '' } = fields;
  return namespace ? `${namespace}/${name}` : name;
}

function contentOf(
  { contentRevision }: CachedList,
  { path }: ReadWindow,
  { limit, after }: ReadPoint,
): Pick<ReadList, 'content'> {
  return contentRevision === undefined ? {} : { content: { path, limit, after, contentRevision } };
}

/** The matrix of resourceVersion, resourceVersionMatch, limit and continue. */
function readPoint(options: ListOptions, { path }: ReadWindow): ReadPoint {
  const { resourceVersion, resourceVersionMatch, limit, continue: token } = options;
  const paging = limit > 0 ? { limit } : {};
  if (token !== '') {
    if (resourceVersion !== '' && resourceVersion !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    const { revision, start } = decodeContinueToken(token);
    // A token names the first key that may follow; our tokens end in NUL, just after the last key sent.
    const after = listRoot(path) + start.replace(/\0$/, '');
    const freshness =
      revision === -1
        ? ({ kind: 'latest' } as const)
        : ({ kind: 'exact', revision: revision as Revision } as const);
    // With resourceVersion 0 beside the token upstream returns all remaining items.
    return { freshness, after, ...(resourceVersion === '0' ? {} : paging) };
  }
  if (resourceVersion === '') return { freshness: { kind: 'latest' }, ...paging };
  const revision = parseListResourceVersion(resourceVersion) as Revision;
  if (revision === 0) return { freshness: { kind: 'any' } }; // the watch cache ignores the limit
  if (resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && limit > 0)) {
    return { freshness: { kind: 'exact', revision }, ...paging };
  }
  return { freshness: { kind: 'notOlderThan', revision }, ...paging };
}

async function readPage(
  served: StoredResource,
  request: ListRequest,
  options: ListOptions,
): Promise<CachedList> {
  try {
    return await served.cache.list(request);
  } catch (error) {
    if (error instanceof FutureRevision) {
      throw tooLargeResourceVersion(error.requested, error.current, 1);
    }
    if (!(error instanceof Compacted)) throw error;
    if (options.continue === '') throw expiredList();
    throw expiredContinue(inconsistentToken(options.continue));
  }
}

function inconsistentToken(token: string): string {
  const { start } = decodeContinueToken(token);
  return encodeContinueToken({ revision: -1, start });
}

/** Relative to the root of the list, with the leading slash of upstream's tokens. */
function nextToken(last: string, revision: Revision, { path }: ReadWindow): string {
  return continueAfter(`/${last.slice(listRoot(path).length)}`, revision);
}

/** Keys in tokens are relative to the root of the list: the resource, or a namespace of it. */
function listRoot(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
