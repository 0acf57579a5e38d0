import type { Revision } from '@tributary/storage';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import type { Readable } from '../watch-cache/types.ts';
import { nowMsOf } from './answer-settings.ts';
import { bytesResponse } from './bytes-response.ts';
import { documentChunks } from './document.ts';
import type { Form } from './form.ts';
import { formOf } from './forms.ts';
import { indentedList } from './indented-list.ts';
import type { ListContent } from './list-body-cache.ts';
import type { ListDocument } from './list-items.ts';
import { itemChunks } from './list-items.ts';
import type { Output } from './output.ts';
import type { ServedResource } from './served-resource.ts';
import { yamlList } from './yaml-list.ts';

/** LIST: a head, the items' bytes as they lie in the cache, and a tail. */
export async function answerList(
  request: ApiRequest,
  served: ServedResource,
  output: Output,
  list: ReadList,
): Promise<ApiResponse> {
  const form = formOf(served, output, request);
  const nowMs = nowMsOf(served);
  const document: ListDocument = {
    start: form.listStart({ ...list, resourceVersion: String(list.revision ?? '') }),
    items: form.order?.(list.items) ?? list.items,
    chunksOf: (item) => form.item(item, nowMs),
  };
  const { mediaType, pretty } = output;
  if (list.items.length === 0) {
    const empty = Buffer.from(`${document.start}${form.noItems}}`);
    return bytesResponse(200, mediaType, documentChunks([empty], output));
  }
  if (mediaType === 'application/yaml') {
    return bytesResponse(200, mediaType, await yamlList(document));
  }
  if (pretty) return bytesResponse(200, mediaType, await indentedList(document));
  return compactList(served, form, list, document);
}

/** Lists that everybody asks for are put together once, while their resource does not change. */
async function compactList(
  { answers }: ServedResource,
  form: Form,
  { content }: ReadList,
  { start, items, chunksOf }: ListDocument,
): Promise<ApiResponse> {
  const bodies = form.isTimeless && content !== undefined ? answers?.listBodies : undefined;
  const known = content && bodies?.get(form, content, start);
  if (known !== undefined) return bytesResponse(200, 'application/json', known, known);
  const made = await itemChunks(items, chunksOf);
  const body = content && bodies?.add(form, content, { start, items: made });
  if (body !== undefined) return bytesResponse(200, 'application/json', body, body);
  return bytesResponse(200, 'application/json', [Buffer.from(`${start}[`), ...made, END]);
}

const END = Buffer.from(']}\n');

/** What was read for a list, with what its answer needs to know. */
export interface ReadList<Item extends Readable = Readable> {
  /** Undefined for what has nothing to do with the store. */
  readonly revision: Revision | undefined;
  readonly items: readonly Item[];
  /** For the next page. */
  readonly continue: string | undefined;
  readonly remaining: number | undefined;
  /** What tells it from other lists; absent with selectors, and for what is not in memory. */
  readonly content?: ListContent;
}
