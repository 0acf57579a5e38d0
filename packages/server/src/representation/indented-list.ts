import { indentJson } from '../request/json-indent.ts';
import type { Chunks } from './form.ts';
import { eachItem, type ListDocument } from './list-items.ts';

/** Items are nested below a field of the list. */
const ITEM_DEPTH = 2;
const INDENTATION = '    ';
const EMPTY_END = '[]\n}';
const END = Buffer.from('\n  ]\n}');

/** A pretty-printed list, made item by item, so that a long list does not block the event loop. */
export async function indentedList({ start, items, chunksOf }: ListDocument): Promise<Chunks> {
  const empty = Buffer.from(indentJson(Buffer.from(`${start}[]}`))).toString();
  const chunks: Uint8Array[] = [Buffer.from(`${empty.slice(0, -EMPTY_END.length)}[\n`)];
  await eachItem(items, (item, index) => {
    chunks.push(index === 0 ? FIRST : NEXT, indentJson(Buffer.concat(chunksOf(item)), ITEM_DEPTH));
  });
  chunks.push(END);
  return chunks;
}

const FIRST = Buffer.from(INDENTATION);
const NEXT = Buffer.from(`,\n${INDENTATION}`);
