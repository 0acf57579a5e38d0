import type { Transform } from '../request/negotiation.ts';
import type { Readable, Representation } from '../watch-cache/types.ts';
import type { BookmarkHead, Chunks, Form } from './form.ts';
import type { IncludeObject } from './include-object.ts';
import { bookmarkMetadata, listMetadata } from './list-metadata.ts';
import { partialStart, shownMetadata } from './partial-form.ts';
import type { ServedResource } from './served-resource.ts';
import { tableColumns } from './table-columns.ts';
import { filledRow, makeRow, rowMemory, type TableRow } from './table-row.ts';

interface TableOptions {
  readonly apiVersion: Transform['apiVersion'];
  readonly includeObject: IncludeObject;
  readonly reportProblem: (error: unknown) => void;
  /** The complete empty object of a bookmark. */
  readonly emptyObject: (head: BookmarkHead) => Chunks;
}

type TableResource = Pick<ServedResource, 'version' | 'view'>;

const ROW_END = Buffer.from('}');
const ROWS_END = Buffer.from(']}');

/** Objects as rows of a Table with the columns of their version. */
export function tableForm({ version, view }: TableResource, options: TableOptions): Form {
  const { apiVersion, includeObject } = options;
  const isTyped = version.schema.typed !== undefined;
  const columns = tableColumns(version.columns, { isTyped });
  const definitions = JSON.stringify(columns.map(({ definition }) => definition));
  const emptyCells = JSON.stringify(columns.map(({ emptyCell }) => emptyCell));
  const partial = partialStart(apiVersion);
  const metadataStart = Buffer.from(`,"object":${partial}`);

  const row: Representation<TableRow> = {
    make: (object) => {
      const bytes = view.bytesOf(object);
      const tail = rowTail(bytes);
      return makeRow({ columns, bytes, tail, reportProblem: options.reportProblem });
    },
    bytes: rowMemory,
  };
  // The whole object is sent from the cache's buffer; the row ends before and after it.
  const rowTail = (bytes: Uint8Array): Chunks => {
    if (includeObject === 'Object') return [WHOLE_OBJECT];
    if (includeObject === 'None') return [NO_OBJECT];
    return [metadataStart, shownMetadata(bytes, version.versionAnnotations), PARTIAL_END];
  };
  const rowChunks = (object: Readable, nowMs: number): Chunks => {
    const filled = filledRow(object.derived(row), nowMs);
    return includeObject === 'Object' ? [...filled, view.bytesOf(object), ROW_END] : filled;
  };

  const start = (metadata: string, definitionsJson: string) =>
    `{"kind":"Table","apiVersion":"${apiVersion}","metadata":${metadata},"columnDefinitions":${definitionsJson},"rows":`;
  const single = (object: Readable, nowMs: number, definitionsJson: string): Chunks => {
    const { resourceVersion } = object.derived(row);
    const head = start(listMetadata({ resourceVersion }), definitionsJson);
    return [Buffer.from(`${head}[`), ...rowChunks(object, nowMs), ROWS_END];
  };
  const bookmarkObject = (head: BookmarkHead): Chunks => {
    if (includeObject === 'Object') return options.emptyObject(head);
    // The end of the initial events is marked by an annotation, also for clients that request no objects.
    if (includeObject === 'None' && !head.initialEventsEnd) return [NULL];
    return [Buffer.from(`${partial}${bookmarkMetadata(head)}}`)];
  };
  const { tableOrder, repeatsTableColumns } = version;
  const headOf = (isFirst: boolean) => (isFirst || repeatsTableColumns ? definitions : 'null');
  return {
    ...(tableOrder && {
      order: (items) => items.toSorted((a, b) => tableOrder(view.objectOf(a), view.objectOf(b))),
    }),
    isTimeless: !columns.some(({ showsAge }) => showsAge),
    isAnnounced: true,
    // Upstream distinguishes empty and nil rows only for built-in kinds.
    noItems: isTyped && version.columns.length > 0 ? '[]' : 'null',
    object: (object, nowMs) => single(object, nowMs, definitions),
    watched: (object, nowMs, isFirst) => single(object, nowMs, headOf(isFirst)),
    item: rowChunks,
    listStart: (head) => start(listMetadata(head), definitions),
    bookmark: (head, isFirst) => [
      Buffer.from(start(listMetadata(head), headOf(isFirst))),
      Buffer.from(`[{"cells":${emptyCells},"object":`),
      ...bookmarkObject(head),
      ROW_END,
      ROWS_END,
    ],
  };
}

const NULL = Buffer.from('null');
const NO_OBJECT = Buffer.from(',"object":null}');
const WHOLE_OBJECT = Buffer.from(',"object":');
const PARTIAL_END = Buffer.from('}}');
