import type { Revision } from '@tributary/storage';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import type { Readable } from '../watch-cache/types.ts';
import { bytesResponse } from './bytes-response.ts';
import { documentChunks } from './document.ts';
import type { Form } from './form.ts';
import { formOf } from './forms.ts';
import { indentedList } from './indented-list.ts';
import type { ListContent } from './list-body-cache.ts';
import type { ListDocument } from './list-items.ts';
import { itemChunks } from './list-items.ts';
import type { Output } from './output.ts';
import { nowMsOf } from './response-settings.ts';
import type { ServedResource } from './served-resource.ts';
import { yamlList } from './yaml-list.ts';

/** A LIST response: a head, the items' bytes as the cache holds them, and a tail. */
export async function listResponse(
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

/** Lists without selectors are assembled once and shared while their resource does not change. */
async function compactList(
  { responses }: ServedResource,
  form: Form,
  { content }: ReadList,
  { start, items, chunksOf }: ListDocument,
): Promise<ApiResponse> {
  const bodies = form.isTimeless && content !== undefined ? responses?.listBodies : undefined;
  const known = content && bodies?.get(form, content, start);
  if (known !== undefined) return bytesResponse(200, 'application/json', known, known);
  const made = await itemChunks(items, chunksOf);
  const body = content && bodies?.add(form, content, { start, items: made });
  if (body !== undefined) return bytesResponse(200, 'application/json', body, body);
  return bytesResponse(200, 'application/json', [Buffer.from(`${start}[`), ...made, END]);
}

const END = Buffer.from(']}\n');

/** The items of a list with the metadata of its response. */
export interface ReadList<Item extends Readable = Readable> {
  /** Undefined for items that are not in the store. */
  readonly revision: Revision | undefined;
  readonly items: readonly Item[];
  /** The continue token of the next page. */
  readonly continue: string | undefined;
  readonly remaining: number | undefined;
  /** Identifies the list in the cache of list bodies; absent with selectors, and for items that are not in memory. */
  readonly content?: ListContent;
}
